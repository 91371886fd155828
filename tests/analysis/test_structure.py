"""Typed blocks, derived: which statements are open where, on every Python alike."""

from __future__ import annotations

import types
from collections.abc import Callable

import pytest
from hypothesis import given, settings

from symexec.analysis.flow import compute_flow
from symexec.analysis.nest import NOWHERE, cut_cycles, find_loops
from symexec.analysis.structure import (
    Block,
    HandlerBlock,
    HandlerKind,
    LoopBlock,
    Structure,
    TryBlock,
    WithBlock,
    classify_handler,
    compute_structure,
)
from symexec.bytecode.decode import decode
from symexec.bytecode.model import Routine
from symexec.bytecode.ops import Op
from tests.analysis import reference
from tests.analysis.assembler import assemble
from tests.analysis.corpus import sampled_routines
from tests.analysis.programs import random_routines


def structure_of(function: Callable[..., object]) -> tuple[Routine, Structure]:
    code = function.__code__
    assert isinstance(code, types.CodeType)
    routine = decode(code)
    return routine, compute_structure(routine)


def kind(block: Block) -> str:
    match block:
        case TryBlock():
            return "finally" if block.is_finally else "try"
        case WithBlock():
            return "async with" if block.is_async else "with"
        case HandlerBlock():
            return "handler"
        case LoopBlock():
            return "await" if block.is_await else "while" if block.for_iter is None else "for"


def open_at(function: Callable[..., object], mark: str) -> str:
    """The kinds of the blocks open where the constant `mark` is loaded first, outermost first."""
    routine, structure = structure_of(function)
    index = next(index for index, each in enumerate(routine.instructions) if each.const == mark)
    return ", ".join(kind(block) for block in structure.enclosing(index))


def show(*what: object) -> object:
    return what


def test_nothing_is_open_in_straight_code() -> None:
    def f() -> None:
        show("here")

    assert open_at(f, "here") == ""


def test_statements_in_statements() -> None:
    def f(xs: list[object]) -> None:
        with show() as a:
            show("with")
            try:
                show("try")
                for x in xs:
                    show("for")
                    while x:
                        show("while")
                        x = show()
                show("after for")
            except ValueError:
                show("except")
            show("after try")
        show("after with")

    assert open_at(f, "with") == "with"
    assert open_at(f, "try") == "with, try"
    assert open_at(f, "for") == "with, try, for"
    assert open_at(f, "while") == "with, try, for, while"
    assert open_at(f, "after for") == "with, try"
    assert open_at(f, "except") == "with, handler"
    assert open_at(f, "after try") == "with"
    assert open_at(f, "after with") == ""


def test_the_order_follows_the_source() -> None:
    def f(xs: list[object]) -> None:
        for x in xs:
            try:
                while show(x):
                    with show(x):
                        show("inner")
            finally:
                show("last")

    def g(x: object) -> None:
        while show("test"):
            try:
                show("inner")
            except ValueError:
                show("handler")

    def h(x: object) -> None:
        try:
            while show("test"):
                show("inner")
        except ValueError:
            show("handler")

    assert open_at(f, "inner") == "for, finally, while, with"
    assert open_at(g, "inner") == "while, try"
    assert open_at(g, "handler") == "while, handler"
    assert open_at(h, "inner") == "try, while"
    assert open_at(h, "handler") == "handler"


def test_try_in_an_endless_loop() -> None:
    def f() -> None:
        while True:
            try:
                show("inner")
            except ValueError:
                show("handler")

    def g() -> None:
        try:
            while True:
                show("inner")
        except ValueError:
            show("handler")

    assert open_at(f, "inner") == "while, try"
    assert open_at(f, "handler") == "while, handler"
    assert open_at(g, "inner") == "try, while"


def test_try_except_finally() -> None:
    def f() -> None:
        try:
            show("body")
        except ValueError as error:
            show("except", error)
            try:
                show("nested")
            except KeyError:
                show("nested except")
        else:
            show("else")
        finally:
            show("finally")

    assert open_at(f, "body") == "finally, try"
    assert open_at(f, "except") == "finally, handler"
    assert open_at(f, "nested") == "finally, handler, try"
    assert open_at(f, "nested except") == "finally, handler, handler"
    assert open_at(f, "else") == "finally"
    assert open_at(f, "finally") == ""


def test_bare_except_and_conditional_clause() -> None:
    def f(a: bool) -> None:
        try:
            show("bare")
        except:
            show("handler")
        try:
            show("conditional")
        except ValueError if a else KeyError:
            pass

    assert open_at(f, "bare") == "try"
    assert open_at(f, "handler") == "handler"
    assert open_at(f, "conditional") == "try"


def test_exception_groups() -> None:
    def f() -> None:
        try:
            show("body")
        except* ValueError:
            show("handler")

    assert open_at(f, "body") == "try"
    assert open_at(f, "handler") == "handler"


def test_asynchronous_statements() -> None:
    async def f(xs: object) -> None:
        async with show() as a:
            show("with")
            async for x in xs:
                show("for")
                await show("await")
        show("after")

    assert open_at(f, "with") == "async with"
    assert open_at(f, "for") == "async with, while"
    assert open_at(f, "after") == ""
    routine, structure = structure_of(f)
    sends = [index for index, each in enumerate(routine.instructions) if each.op is Op.SEND]
    assert all("await" in map(kind, structure.enclosing(index)) for index in sends)


def test_a_generator() -> None:
    def f(xs: list[int]) -> object:
        for x in xs:
            with show():
                yield "inner"

    assert open_at(f, "inner") == "for, with"


def test_fields_of_a_for_loop() -> None:
    def f(xs: list[int], y: int) -> int:
        for x in xs:
            if x:
                continue
            y += x
        return y

    routine, structure = structure_of(f)
    (loop,) = structure.blocks
    assert isinstance(loop, LoopBlock)
    assert loop.for_iter == loop.start
    assert routine.instructions[loop.start].op is Op.FOR_ITER
    assert loop.depth == 0
    assert loop.back_edges
    assert all(routine.instructions[index].op in (Op.JUMP, Op.POP_JUMP_IF_TRUE) for index in loop.back_edges)
    inside = structure.instructions_in(loop)
    assert inside[0] == loop.start
    assert max(inside) < loop.end
    assert Op.RETURN_VALUE not in {routine.instructions[index].op for index in inside}


def test_the_depth_of_a_loop_in_a_loop_and_in_an_expression() -> None:
    routine = assemble(
        """
        LOAD_CONST
        LOAD_FAST a
        GET_ITER
        outer:
        FOR_ITER outer_end
        GET_ITER
        inner:
        FOR_ITER inner_end
        POP_TOP
        JUMP inner
        inner_end:
        END_FOR
        JUMP outer
        outer_end:
        END_FOR
        RETURN_VALUE
        """,
        "a",
    )
    structure = compute_structure(routine)
    outer, inner = structure.blocks
    assert isinstance(outer, LoopBlock)
    assert isinstance(inner, LoopBlock)
    assert (outer.start, outer.end, outer.depth, outer.back_edges) == (3, 10, 1, (9,))
    assert (inner.start, inner.end, inner.depth, inner.back_edges) == (5, 8, 2, (7,))
    assert structure.instructions_in(outer) == list(range(3, 10))
    assert structure.instructions_in(inner) == [5, 6, 7]
    assert structure.enclosing(8) == (outer,)


def test_fields_of_a_with() -> None:
    def f(a: object) -> None:
        with a as b:
            show(b)

    routine, structure = structure_of(f)
    (block,) = [block for block in structure.blocks if isinstance(block, WithBlock)]
    assert block.depth == block.exit_entries
    assert routine.instructions[block.start].op is Op.STORE_FAST
    assert routine.instructions[block.handler].op is Op.PUSH_EXC_INFO
    assert not block.is_async
    assert block.start in structure.instructions_in(block)
    (handler,) = [block for block in structure.blocks if isinstance(block, HandlerBlock)]
    assert handler.start == block.handler
    assert handler.depth == block.depth + 1  # above lasti
    assert block.handler + 1 in structure.instructions_in(handler)
    assert block.handler not in structure.instructions_in(handler)


def test_classification() -> None:
    def kind_of(text: str) -> HandlerKind:
        return classify_handler(assemble(text).instructions, 0)

    assert kind_of("PUSH_EXC_INFO\nWITH_EXCEPT_START 4\nRERAISE 0") is HandlerKind.WITH
    assert kind_of("PUSH_EXC_INFO\nPOP_TOP\nRERAISE 0") is HandlerKind.EXCEPT
    assert kind_of("PUSH_EXC_INFO\nLOAD_GLOBAL E\nCHECK_EXC_MATCH\nRERAISE 0") is HandlerKind.EXCEPT
    assert kind_of("PUSH_EXC_INFO\nLOAD_GLOBAL E\nCALL 0\nRERAISE 0") is HandlerKind.FINALLY
    assert kind_of("PUSH_EXC_INFO\nNOP") is HandlerKind.FINALLY
    assert kind_of("COPY 3\nPOP_EXCEPT\nRERAISE 1") is HandlerKind.RESTORE
    assert kind_of("CLEANUP_THROW\nRERAISE 0") is HandlerKind.PASS


def test_handlers_that_cover_each_other_are_no_endless_chain() -> None:
    routine = assemble(
        """
        cover first 0
        LOAD_CONST
        RETURN_VALUE
        cover second 0
        first:
        PUSH_EXC_INFO
        RERAISE 0
        cover first 0
        second:
        PUSH_EXC_INFO
        RERAISE 0
        """
    )
    structure = compute_structure(routine)
    kinds = {kind(block) for index in range(6) for block in structure.enclosing(index)}
    assert kinds == {"finally", "handler", "while"}


def test_cutting_cycles() -> None:
    for parents in ([0], [1, 0], [1, 2, 0], [1, 2, 1], [NOWHERE, 0, 3, 2], [3, 3, 3, 1]):
        cut_cycles(parents)
        for start in range(len(parents)):
            node, steps = start, 0
            while node >= 0:
                node, steps = parents[node], steps + 1
                assert steps <= len(parents)


def check_loops(routine: Routine) -> None:
    flow = compute_flow(routine)
    loops = find_loops(flow)
    found = {}
    for node, head in enumerate(loops.heads):
        blocks = [flow.blocks[place] for place in loops.nest.places(node)]
        found[flow.blocks[head].start] = {index for block in blocks for index in range(block.start, block.end)}
    expected = reference.natural_loops(routine)
    if reference.is_reducible(routine):
        assert found == expected
    else:
        for head, body in found.items():
            assert expected[head] == body


@settings(max_examples=500, deadline=None)
@given(random_routines())
def test_loops_of_random_routines_agree_with_the_reference(routine: Routine) -> None:
    check_loops(routine)


def test_standard_library() -> None:
    cyclic = 0
    for number, routine in enumerate(sampled_routines()):
        structure = compute_structure(routine)
        kinds = {Op.FOR_ITER: LoopBlock, Op.WITH_EXCEPT_START: HandlerBlock, Op.CHECK_EXC_MATCH: HandlerBlock}
        flow = compute_flow(routine)
        for index, each in enumerate(routine.instructions):
            expected = kinds.get(each.op)
            if expected is HandlerBlock and flow.is_reachable(index):
                assert any(isinstance(block, HandlerBlock) for block in structure.enclosing(index))
        loops = [block for block in structure.blocks if isinstance(block, LoopBlock)]
        cyclic += bool(loops)
        if number % 5 == 0 and len(routine.instructions) < 200:
            check_loops(routine)
            if loops:
                assert reference.is_reducible(routine)
    assert cyclic > 30


@pytest.mark.parametrize("depth", [2000])
def test_loops_nested_very_deep(depth: int) -> None:
    heads = "".join(f"top{number}:\nNOP\n" for number in range(depth))
    ends = "".join(f"LOAD_FAST a\nTO_BOOL\nPOP_JUMP_IF_TRUE top{number}\n" for number in reversed(range(depth)))
    structure = compute_structure(assemble(f"{heads}{ends}LOAD_CONST\nRETURN_VALUE", "a"))
    assert len(structure.blocks) == depth
    assert len(structure.enclosing(depth - 1)) == depth
