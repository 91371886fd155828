"""What lies within what: loops, covering handlers and handlers being run, each as a forest of numbered nodes.

`structure` makes typed blocks of these.  Knows basic blocks, not what they are for.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from symexec.analysis.flow import NOWHERE, Flow


@attrs.frozen(eq=False, repr=False)
class Nest:
    """A forest: the parent of each node, and the innermost node at each place (an instruction or a basic block).

    `NOWHERE` stands for no node.
    """

    parents: Sequence[int]
    innermost: Sequence[int]

    def chain(self, place: int) -> list[int]:
        """The nodes that `place` is in, innermost first."""
        found = []
        node = self.innermost[place]
        while node >= 0:
            found.append(node)
            node = self.parents[node]
        return found

    def places(self, node: int) -> list[int]:
        """The places that are in `node`, in order."""
        within: list[bool | None] = [None] * len(self.parents)
        within[node] = True
        found = []
        for place, inner in enumerate(self.innermost):
            path = []
            while inner >= 0 and within[inner] is None:
                path.append(inner)
                inner = self.parents[inner]
            answer = inner >= 0 and bool(within[inner])
            for passed in path:
                within[passed] = answer
            if answer:
                found.append(place)
        return found

    def bottom_up(self) -> list[int]:
        """All nodes, each before its parent."""
        inside = [0] * len(self.parents)
        for around in self.parents:
            if around >= 0:
                inside[around] += 1
        found = [node for node, count in enumerate(inside) if count == 0]
        for node in found:
            around = self.parents[node]
            if around >= 0:
                inside[around] -= 1
                if inside[around] == 0:
                    found.append(around)
        return found

    def widen(self, starts: list[int], ends: list[int]) -> None:
        """Let each node reach from the least of the `starts` in it to the greatest of the `ends`."""
        for node in self.bottom_up():
            around = self.parents[node]
            if around >= 0:
                starts[around] = min(starts[around], starts[node])
                ends[around] = max(ends[around], ends[node])


def cut_cycles(parents: list[int]) -> None:
    """Make a forest of `parents`: where following them leads back, the last step is undone."""
    settled = [False] * len(parents)
    for start in range(len(parents)):
        path = set()
        node = start
        while not settled[node]:
            settled[node] = True
            path.add(node)
            if parents[node] in path:
                parents[node] = NOWHERE
            if parents[node] < 0:
                break
            node = parents[node]


@attrs.frozen(eq=False, repr=False)
class Loops:
    """Natural loops, each after those around it: `heads` are their first basic blocks; `nest` is over basic blocks.

    `back` gives for each loop the basic blocks that jump to its head from inside.  A cycle that can be entered
    anywhere but at its head is no natural loop.
    """

    heads: Sequence[int]
    back: Sequence[Sequence[int]]
    nest: Nest


@attrs.define(eq=False, repr=False)
class _Search:
    """State of the search for loops.  `outer[b]` is the head of the innermost loop found so far around `b`.

    `joined` is a union-find forest in which each loop found is one set, named by its head.  Members of cycles that
    have several entries are joined too, so that the loops around them are found.
    """

    flow: Flow
    met: list[int]  # position in the walk's preorder
    finished: list[int]  # position in the walk's reverse postorder
    outer: list[int]
    joined: list[int]
    entered: dict[int, list[int]]  # by head of a cycle with several entries: where it is entered from

    def is_ancestor(self, upper: int, lower: int) -> bool:
        """Whether the walk reached `lower` through `upper`, or they are the same."""
        return self.met[upper] <= self.met[lower] and self.finished[upper] <= self.finished[lower]

    def name(self, block: int) -> int:
        """The head of the outermost loop found so far that contains `block`, or `block`."""
        joined = self.joined
        while joined[block] != block:
            joined[block] = joined[joined[block]]
            block = joined[block]
        return block

    def sources(self, block: int) -> list[int]:
        """The reachable blocks with an edge to `block`."""
        reachable = self.flow.reachable_blocks
        found = [*self.flow.predecessors_of_block[block], *self.flow.covered_by_block[block]]
        return [source for source in found if reachable[source]]

    def body(self, head: int, back: Sequence[int]) -> tuple[set[int], bool]:
        """The names of what loops at `head`, without it, and whether `head` is the only way in."""
        members: set[int] = set()
        waiting = list({self.name(source) for source in back} - {head})
        members.update(waiting)
        natural = True
        while waiting:
            member = waiting.pop()
            for source in [*self.sources(member), *self.entered.get(member, ())]:
                if self.is_ancestor(member, source):
                    continue
                origin = self.name(source)
                if not self.is_ancestor(head, origin):
                    natural = False
                    self.entered.setdefault(head, []).append(origin)
                elif origin != head and origin not in members:
                    members.add(origin)
                    waiting.append(origin)
        return members, natural


def find_loops(flow: Flow) -> Loops:
    """The natural loops of `flow`, exception edges counted: Havlak, "Nesting of Reducible and Irreducible Loops"."""
    count = len(flow.blocks)
    met, finished = [0] * count, [0] * count
    for position, block in enumerate(flow.met):
        met[block] = position
    for position, block in enumerate(flow.order):
        finished[block] = position
    search = _Search(flow, met, finished, [NOWHERE] * count, list(range(count)), {})
    natural: dict[int, list[int]] = {}
    for head in reversed(flow.met):
        if not flow.reachable_blocks[head]:
            continue
        back = [source for source in search.sources(head) if search.is_ancestor(head, source)]
        if not back:
            continue
        members, is_natural = search.body(head, back)
        for member in members:
            search.outer[member] = head
            search.joined[member] = head
        if is_natural:
            natural[head] = back
    return _number(search, natural)


def _number(search: _Search, natural: dict[int, list[int]]) -> Loops:
    """Number the natural loops, each after those around it."""
    heads = [block for block in search.flow.met if block in natural]
    numbers = {head: number for number, head in enumerate(heads)}
    innermost = [NOWHERE] * len(search.outer)
    parents = [NOWHERE] * len(heads)
    for block in search.flow.met:  # a head before what it loops over
        head = search.outer[block]
        around = NOWHERE if head < 0 else innermost[head]
        own = numbers.get(block, NOWHERE)
        innermost[block] = around if own < 0 else own
        if own >= 0:
            parents[own] = around
    return Loops(heads, [natural[head] for head in heads], Nest(parents, innermost))
