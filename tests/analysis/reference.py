"""The analyses once more, one instruction at a time and by plain iteration: slow, short, and easy to believe."""

from __future__ import annotations

from symexec.bytecode.dataflow import QUIET
from symexec.bytecode.effects import SlotUse
from symexec.bytecode.model import Routine
from symexec.bytecode.ops import JUMPS, Op
from symexec.bytecode.running import DIALECT


def places(routine: Routine) -> dict[int, int]:
    return {id(instruction): index for index, instruction in enumerate(routine.instructions)}


def successors(routine: Routine) -> list[set[int]]:
    """Where each instruction goes if it raises nothing."""
    where = places(routine)
    found = []
    for index, instruction in enumerate(routine.instructions):
        targets = set()
        if not instruction.op.effect.terminal:
            targets.add(index + 1)
        if instruction.op in JUMPS:
            targets.add(where[id(instruction.target.instruction)])
        found.append(targets)
    return found


def handlers(routine: Routine) -> list[int | None]:
    """The entry of each instruction's handler."""
    where = places(routine)
    return [
        None if instruction.handler is None else where[id(instruction.handler.label.instruction)]
        for instruction in routine.instructions
    ]


def edges(routine: Routine) -> list[set[int]]:
    """Where each instruction goes, exceptions included."""
    return [
        targets if handler is None else targets | {handler}
        for targets, handler in zip(successors(routine), handlers(routine), strict=True)
    ]


def entries(routine: Routine) -> set[int]:
    """Where control comes from the prefix."""
    handler = routine.entry_handler
    return {0} if handler is None else {0, places(routine)[id(handler.label.instruction)]}


def reachable(routine: Routine) -> set[int]:
    follow = edges(routine)
    found = entries(routine)
    while True:
        more = found.union(*(follow[index] for index in found))
        if more == found:
            return found
        found = more


def slots_read(routine: Routine, index: int) -> set[int]:
    instruction = routine.instructions[index]
    use = instruction.op.effect.slot
    return set() if use in (SlotUse.NONE, SlotUse.WRITE) else {instruction.arg}


def slots_written(routine: Routine, index: int) -> set[int]:
    instruction = routine.instructions[index]
    if instruction.op is Op.COPY_FREE_VARS:
        return set(range(routine.first_free_slot, len(routine.slots)))
    return {instruction.arg} if instruction.op.effect.slot is SlotUse.WRITE else set()


def live_slots(routine: Routine) -> list[set[int]]:
    """The slots live before each instruction, names that reveal everything and `super` left aside."""
    normal, exceptional = successors(routine), handlers(routine)
    live: list[set[int]] = [set() for _ in routine.instructions]
    while True:
        changed = False
        for index in reversed(range(len(live))):
            after = set().union(*(live[target] for target in normal[index]))
            before = after - slots_written(routine, index) | slots_read(routine, index)
            handler = exceptional[index]
            if handler is not None:
                before |= live[handler]
            if before != live[index]:
                live[index] = before
                changed = True
        if not changed:
            return live


def as_bits(slots: set[int]) -> int:
    return sum(1 << slot for slot in slots)


def always_live(routine: Routine) -> set[int]:
    """What `super()` reads."""
    found = set()
    if "__class__" in routine.freevars:
        found.add(routine.first_free_slot + routine.freevars.index("__class__"))
    if routine.argument_count and (found or any(each.name == "super" for each in routine.instructions)):
        found.add(0)
    return found


def dominators(routine: Routine) -> dict[int, set[int]]:
    """For each reachable instruction those that every path to it passes, itself included."""
    follow, found = edges(routine), reachable(routine)
    roots = entries(routine)
    before: dict[int, set[int]] = {index: set() for index in found}
    for index in found:
        for target in follow[index]:
            before[target].add(index)
    result = {index: {index} if index in roots else set(found) for index in found}
    changed = True
    while changed:
        changed = False
        for index in sorted(found - roots):
            passed = set.intersection(*(result[source] for source in before[index])) | {index}
            if passed != result[index]:
                result[index] = passed
                changed = True
        for index in roots:
            result[index] = {index}
    return result


def natural_loops(routine: Routine) -> dict[int, set[int]]:
    """For each head of a natural loop the instructions in it."""
    follow, passed = edges(routine), dominators(routine)
    before: dict[int, set[int]] = {index: set() for index in passed}
    for index in passed:
        for target in follow[index]:
            before[target].add(index)
    loops: dict[int, set[int]] = {}
    for index in passed:
        for head in follow[index] & passed[index]:
            body = loops.setdefault(head, {head})
            waiting = [index]
            while waiting:
                member = waiting.pop()
                if member not in body:
                    body.add(member)
                    waiting.extend(before[member])
    return loops


def is_reducible(routine: Routine) -> bool:
    """Whether every cycle has a head: without the edges to dominators there is no cycle."""
    follow, passed = edges(routine), dominators(routine)
    forward = {index: {target for target in follow[index] if target not in passed[index]} for index in passed}
    waiting = [index for index in forward if not forward[index]]
    before: dict[int, set[int]] = {index: set() for index in passed}
    for index in passed:
        for target in forward[index]:
            before[target].add(index)
    gone = 0
    while waiting:
        index = waiting.pop()
        gone += 1
        for source in before[index]:
            forward[source].discard(index)
            if not forward[source]:
                waiting.append(source)
    return gone == len(passed)


def possible_slots(routine: Routine) -> dict[int, list[set[str]]]:
    """What each slot may hold before each reachable instruction, for the instructions of `frames.sound_routines`.

    Each path is one that an unbound load ends, or not: after it the slot is bound, with what it held elsewhere.
    """
    where = places(routine)
    cells = {*routine.cell_slots, *range(routine.first_free_slot, len(routine.slots))}
    start = tuple(
        frozenset({"cell" if slot in cells else "value" if slot < routine.parameter_count else "nothing"})
        for slot in range(len(routine.slots))
    )
    known: dict[int, tuple[list[set[str]], list[set[str]]]] = {}
    arrivals: list[tuple[int, list[set[str]], list[set[str]]]] = [(0, [], [set(each) for each in start])]
    changed = True
    while changed:
        changed = False
        for index, stack, slots in arrivals:
            if index not in known:
                known[index] = ([set() for _ in stack], [set() for _ in slots])
                changed = True
            for kept, new in zip([*known[index][0], *known[index][1]], [*stack, *slots], strict=True):
                if not new <= kept:
                    kept |= new
                    changed = True
        arrivals = [arrival for index in list(known) for arrival in _arrivals(routine, where, index, *known[index])]
    return {index: slots for index, (_, slots) in known.items()}


def _arrivals(
    routine: Routine, where: dict[int, int], index: int, stack: list[set[str]], slots: list[set[str]]
) -> list[tuple[int, list[set[str]], list[set[str]]]]:
    instruction = routine.instructions[index]
    found = []
    handler = instruction.handler
    if handler is not None:
        pushed = [{"value"}] * (handler.push_lasti + 1)
        seen = slots
        if QUIET[instruction.op.index]:  # it never raises, which is made use of where it matters: for cells
            cells = {*routine.cell_slots, *range(routine.first_free_slot, len(routine.slots))}
            seen = [set() if slot in cells else possible for slot, possible in enumerate(slots)]
        found.append((where[id(handler.label.instruction)], stack[: handler.depth] + pushed, seen))
    stack, slots = [set(each) for each in stack], [set(each) for each in slots]
    _change(instruction.op, instruction.arg, stack, slots)
    for target in successors(routine)[index]:
        found.append((target, stack, slots))
    return found


def _change(op: Op, arg: int, stack: list[set[str]], slots: list[set[str]]) -> None:
    if op is Op.LOAD_FAST:
        slots[arg].discard("nothing")
        stack.append({"value"})
    elif op is Op.STORE_FAST:
        slots[arg] = stack.pop()
    elif op is Op.DELETE_FAST:
        slots[arg] = {"nothing"}
    elif op is Op.LOAD_FAST_AND_CLEAR:
        stack.append(slots[arg])
        slots[arg] = {"nothing"}
    elif op is Op.MAKE_CELL:
        slots[arg] = {"cell"}
    elif op is Op.SWAP:
        stack[-arg], stack[-1] = stack[-1], stack[-arg]
    elif op is Op.LOAD_METHOD:
        pair = [{"nothing", "value"}, {"value"}]
        stack[-1:] = pair[::-1] if DIALECT.null_above_callable else pair
    elif op is Op.PUSH_NULL:
        stack.append({"nothing"})
    elif op is Op.LOAD_CONST:
        stack.append({"value"})
    elif op in (Op.POP_JUMP_IF_TRUE, Op.RETURN_VALUE):
        stack.pop()
    else:
        assert op is Op.JUMP
