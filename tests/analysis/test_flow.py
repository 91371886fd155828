"""Control flow: targets, handlers, blocks, predecessors, what is reachable."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from symexec.analysis.flow import NOWHERE, BasicBlock, Flow, compute_flow
from symexec.bytecode.decode import decode
from symexec.bytecode.model import Routine
from symexec.errors import BytecodeError
from tests.analysis import reference
from tests.analysis.assembler import assemble
from tests.analysis.corpus import sampled_routines
from tests.analysis.programs import random_routines

COVERED = """
    LOAD_FAST x
    POP_JUMP_IF_TRUE after    # 1
    cover handler 0
    LOAD_GLOBAL g             # 2
    POP_TOP
    uncover
    after:
    LOAD_CONST                # 4
    RETURN_VALUE
    LOAD_CONST dead           # 6
    RETURN_VALUE
    handler:
    PUSH_EXC_INFO             # 8
    RERAISE 0
"""


def spans(flow: Flow) -> list[tuple[int, int]]:
    return [(block.start, block.end) for block in flow.blocks]


def test_blocks_of_a_covered_branch() -> None:
    flow = compute_flow(assemble(COVERED, "x"))
    assert spans(flow) == [(0, 2), (2, 4), (4, 6), (6, 8), (8, 10)]
    assert [block.successors for block in flow.blocks] == [(1, 2), (2,), (), (), ()]
    assert [block.handler for block in flow.blocks] == [NOWHERE, 4, NOWHERE, NOWHERE, NOWHERE]
    assert list(flow.targets) == [-1, 4, -1, -1, -1, -1, -1, -1, -1, -1]
    assert list(flow.handlers) == [-1, -1, 8, 8, -1, -1, -1, -1, -1, -1]


def test_exception_edges_come_from_every_covered_instruction() -> None:
    flow = compute_flow(assemble(COVERED, "x"))
    assert list(flow.covered(8)) == [2, 3]
    assert flow.predecessors(8) == []


def test_unreachable_blocks_are_kept() -> None:
    flow = compute_flow(assemble(COVERED, "x"))
    assert [flow.is_reachable(index) for index in range(10)] == [True] * 6 + [False] * 2 + [True] * 2
    assert sorted(flow.order) == [0, 1, 2, 3, 4]


def test_neighbours() -> None:
    flow = compute_flow(assemble(COVERED, "x"))
    assert flow.successors(0) == [1]
    assert flow.successors(1) == [2, 4]
    assert flow.successors(5) == []
    assert flow.predecessors(0) == []
    assert flow.predecessors(1) == [0]
    assert flow.predecessors(4) == [1, 3]


def test_the_handler_of_the_prefix_is_reachable() -> None:
    routine = assemble(
        """
        LOAD_CONST
        RETURN_VALUE
        handler:
        RERAISE 0
        """
    )
    assert not compute_flow(routine).is_reachable(2)
    covered = assemble(
        """
        cover handler 0
        LOAD_CONST
        uncover
        RETURN_VALUE
        handler:
        RERAISE 0
        """
    )
    routine.entry_handler = covered.instructions[0].handler
    routine.instructions = covered.instructions
    routine.instructions[0].handler = None
    assert compute_flow(routine).is_reachable(2)
    assert compute_flow(routine).entry_handler == 2


def test_a_jump_to_the_next_instruction_is_one_edge() -> None:
    flow = compute_flow(assemble("LOAD_CONST\nPOP_JUMP_IF_TRUE next\nnext:\nLOAD_CONST\nRETURN_VALUE"))
    assert flow.blocks[0].successors == (1,)
    assert flow.successors(1) == [2]
    assert flow.predecessors(2) == [1]


@pytest.mark.parametrize("text", ["", "NOP", "LOAD_CONST\nRETURN_VALUE\nNOP", "a:\nJUMP a\nPOP_JUMP_IF_TRUE a"])
def test_running_off_the_end_is_an_error(text: str) -> None:
    with pytest.raises(BytecodeError, match="runs off the end"):
        compute_flow(assemble(text))


def test_a_label_outside_is_an_error() -> None:
    with pytest.raises(BytecodeError, match="not in the routine"):
        compute_flow(assemble("LOAD_CONST\nPOP_JUMP_IF_TRUE nowhere\nLOAD_CONST\nRETURN_VALUE"))
    with pytest.raises(BytecodeError, match="not in the routine"):
        compute_flow(assemble("cover nowhere 0\nLOAD_CONST\nRETURN_VALUE"))


def test_a_jump_without_target_is_an_error() -> None:
    routine = assemble("top:\nJUMP top")
    routine.instructions[0].target = None
    with pytest.raises(BytecodeError, match="without a target"):
        compute_flow(routine)


def check_against_reference(routine: Routine) -> None:
    flow = compute_flow(routine)
    count = len(routine.instructions)
    normal, handlers = reference.successors(routine), reference.handlers(routine)
    assert [set(flow.successors(index)) for index in range(count)] == normal
    assert [None if handler == NOWHERE else handler for handler in flow.handlers] == handlers
    assert {index for index in range(count) if flow.is_reachable(index)} == reference.reachable(routine)
    for index in range(count):
        assert flow.predecessors(index) == [source for source in range(count) if index in normal[source]]
        if index in handlers:
            assert list(flow.covered(index)) == [source for source in range(count) if handlers[source] == index]
    check_blocks(flow, count)


def check_blocks(flow: Flow, count: int) -> None:
    assert [index for block in flow.blocks for index in range(block.start, block.end)] == list(range(count))
    for number, block in enumerate(flow.blocks):
        for index in range(block.start, block.end):
            assert flow.block_of[index] == number
            assert flow.handlers[index] == flow.handlers[block.start]
        for index in range(block.start, block.end - 1):
            assert flow.successors(index) == [index + 1]
            assert flow.predecessors(index + 1) == [index]
            assert index + 1 not in flow.handlers
        assert [flow.blocks[after].start for after in block.successors] == flow.successors(block.end - 1)


def check_order(flow: Flow) -> None:
    """Only edges to a block's ancestors in the walk go back in the order."""
    place = {block: position for position, block in enumerate(flow.order)}
    met = {block: position for position, block in enumerate(flow.met)}
    assert sorted(place) == sorted(met) == list(range(len(flow.blocks)))
    for number, block in enumerate(flow.blocks):
        for after in edges_of(block):
            if place[after] <= place[number]:
                assert met[after] <= met[number]


def edges_of(block: BasicBlock) -> tuple[int, ...]:
    return block.successors if block.handler < 0 else (*block.successors, block.handler)


@settings(max_examples=300, deadline=None)
@given(random_routines())
def test_random_routines_agree_with_the_reference(routine: Routine) -> None:
    check_against_reference(routine)
    check_order(compute_flow(routine))


def test_standard_library() -> None:
    for number, routine in enumerate(sampled_routines()):
        flow = compute_flow(routine)
        check_blocks(flow, len(routine.instructions))
        check_order(flow)
        if number % 10 == 0 and len(routine.instructions) < 300:
            check_against_reference(routine)


def test_a_loop_of_the_compiler() -> None:
    def f(xs: list[int]) -> int:
        total = 0
        for x in xs:
            if x:
                total += x
        return total

    routine = decode(f.__code__)
    flow = compute_flow(routine)
    names = [instruction.op.name for instruction in routine.instructions]
    head = names.index("FOR_ITER")
    assert flow.predecessors(head)[0] == head - 1
    assert all(names[source].startswith(("JUMP", "POP_JUMP")) for source in flow.predecessors(head)[1:])
    assert len(flow.predecessors(head)) >= 2
