"""Landing points: where anchors may stand, and which are next after an instruction."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Self

import pytest
from hypothesis import given, settings

from symexec.analysis.landing import Landings, compute_landings, landings_after, may_land
from symexec.analysis.stack import StackEntry, compute_stack
from symexec.bytecode.decode import decode
from symexec.bytecode.features import NULL_ABOVE_CALLABLE
from symexec.bytecode.model import Position, Routine
from symexec.bytecode.ops import Op
from symexec.bytecode.verify import verify
from tests.analysis import reference
from tests.analysis.assembler import assemble
from tests.analysis.corpus import sampled_code
from tests.analysis.frames import sound_routines
from tests.analysis.splicing import splice, spliced


def allowed(routine: Routine) -> list[int]:
    landings = compute_landings(routine)
    return [index for index in range(len(routine.instructions)) if landings.may_land(index)]


def test_straight_code() -> None:
    assert allowed(assemble("LOAD_FAST a\nSTORE_FAST b\nLOAD_FAST b\nRETURN_VALUE", "a", "b")) == [0, 1, 2, 3]


def test_not_without_a_line() -> None:
    assert allowed(assemble("LOAD_FAST a\n~STORE_FAST b\nLOAD_FAST b\n~RETURN_VALUE", "a", "b")) == [0, 2]


def test_not_inside_a_group() -> None:
    assert allowed(assemble("{\nLOAD_FAST a\nTO_BOOL\nUNARY_NOT\n}\nRETURN_VALUE", "a")) == [0, 3]
    assert allowed(assemble("{\nLOAD_FAST a\n}\nRETURN_VALUE", "a")) == [0, 1]


def test_not_where_an_entry_is_null_or_may_be() -> None:
    text = "LOAD_FAST a\nLOAD_METHOD m\nLOAD_CONST\nCALL 1\nRETURN_VALUE"
    assert allowed(assemble(text, "a")) == [0, 1, 4]
    text = "PUSH_NULL\nSTORE_FAST a\nLOAD_CONST\nRETURN_VALUE"
    assert allowed(assemble(text, "a")) == [0, 2, 3]


def test_not_where_a_saved_slot_may_be_unbound() -> None:
    text = "LOAD_FAST_AND_CLEAR i\nNOP\nSTORE_FAST i\nLOAD_CONST\nRETURN_VALUE"
    assert allowed(assemble(text, "i")) == [0, 1, 2, 3, 4]
    assert allowed(assemble(text, "", "i")) == [0, 3, 4]


def test_not_where_control_never_comes() -> None:
    assert allowed(assemble("LOAD_CONST\nRETURN_VALUE\nLOAD_CONST\nRETURN_VALUE")) == [0, 1]


def test_a_loop_lands_after_its_for_iter() -> None:
    routine = assemble(
        """
        LOAD_FAST a
        GET_ITER
        LOAD_FAST_AND_CLEAR a    # 2
        SWAP 2
        BUILD_LIST 0
        SWAP 2
        top:
        FOR_ITER end             # 6
        STORE_FAST a             # 7
        JUMP top
        end:
        END_FOR                  # 9
        SWAP 2
        STORE_FAST a
        RETURN_VALUE
        """,
        "a",
    )
    assert allowed(routine) == [0, 1, 7, 10, 11, 12]


def test_get_iter_without_a_loop() -> None:
    assert allowed(assemble("LOAD_FAST a\nGET_ITER\nNOP\nRETURN_VALUE", "a")) == [0, 1, 2, 3]


def test_a_yield_and_its_resume_are_one() -> None:
    routine = assemble("LOAD_FAST a\nYIELD_VALUE 0\nRESUME 1\nPOP_TOP\nLOAD_CONST\nRETURN_VALUE", "a")
    assert allowed(routine) == [0, 3, 4, 5]
    assert landings_after(routine, 1) == [3]


def test_an_await_is_one() -> None:
    routine = assemble(
        """
        LOAD_FAST a
        GET_AWAITABLE 0          # 1
        LOAD_CONST
        again:
        SEND done                # 3
        YIELD_VALUE 1
        RESUME 3
        JUMP_NO_INTERRUPT again
        done:
        END_SEND                 # 7
        RETURN_VALUE
        """,
        "a",
        flags=0x83,
    )
    assert allowed(routine) == [0, 8]
    assert landings_after(routine, 0) == landings_after(routine, 1) == landings_after(routine, 3) == [8]


def test_an_asynchronous_generators_yield() -> None:
    routine = assemble(
        "LOAD_FAST a\nCALL_INTRINSIC_1 ASYNC_GEN_WRAP\nYIELD_VALUE 0\nRESUME 1\nPOP_TOP\nLOAD_CONST\nRETURN_VALUE", "a"
    )
    assert allowed(routine) == [0, 4, 5, 6]


def test_not_on_a_handlers_entry_nor_where_it_puts_things_back() -> None:
    routine = assemble(
        """
        cover caught 0
        LOAD_CONST
        RETURN_VALUE
        uncover
        caught:
        cover back 1 lasti
        PUSH_EXC_INFO            # 2
        LOAD_GLOBAL E            # 3
        CHECK_EXC_MATCH
        POP_JUMP_IF_FALSE other
        POP_TOP                  # 6
        uncover
        POP_EXCEPT
        LOAD_CONST               # 8, what follows is taken as part of putting things back
        RETURN_VALUE
        cover back 1 lasti
        other:
        RERAISE 0
        uncover
        back:
        COPY 3
        POP_EXCEPT
        RERAISE 1
        """
    )
    assert allowed(routine) == [0, 1, 3, 4, 6, 9]


def test_not_on_any_handlers_entry() -> None:
    routine = assemble(
        """
        cover handler 0
        LOAD_CONST
        uncover
        RETURN_VALUE
        handler:
        LOAD_GLOBAL E
        POP_TOP
        RETURN_VALUE
        """
    )
    assert allowed(routine) == [0, 1, 3, 4]


def test_landings_after_branches_and_loops() -> None:
    routine = assemble(
        """
        top:
        LOAD_FAST a              # 0
        TO_BOOL                  # 1
        POP_JUMP_IF_TRUE other   # 2
        NOP                      # 3
        JUMP top
        other:
        JUMP_NO_INTERRUPT end    # 5
        end:
        LOAD_CONST               # 6
        RETURN_VALUE
        """,
        "a",
    )
    landings = compute_landings(routine)
    assert landings.after(1) == [3, 6]
    assert landings.after(3) == [0]
    assert landings.after(6) == [7]
    assert landings.after(7) == []


def test_no_landing_on_a_path_that_never_ends() -> None:
    routine = assemble("LOAD_CONST\nPOP_TOP\ntop:\nJUMP top")
    assert landings_after(routine, 1) == []


def test_functions_that_analyse_anew() -> None:
    routine = assemble("LOAD_FAST a\n~NOP\nRETURN_VALUE", "a")
    assert [may_land(routine, index) for index in range(3)] == [True, False, True]
    assert landings_after(routine, 0) == [2]


CAUGHT = """
    cover caught 0
    LOAD_GLOBAL a            # 0
    NOP                      # 1
    RETURN_VALUE
    uncover
    caught:
    cover back 1 lasti
    PUSH_EXC_INFO            # 3
    LOAD_GLOBAL E            # 4
    CHECK_EXC_MATCH
    POP_JUMP_IF_FALSE other
    POP_TOP                  # 7
    uncover
    POP_EXCEPT
    LOAD_CONST               # 9
    RETURN_VALUE
    cover back 1 lasti
    other:
    RERAISE 0                # 11
    uncover
    back:
    COPY 3                   # 12
    POP_EXCEPT
    RERAISE 1
    """


def test_landings_in_an_except_clause() -> None:
    landings = compute_landings(assemble(CAUGHT))
    assert landings.after(0) == [1] and landings.after_raising(0) == [4]
    assert landings.after_break(0) == [1, 4]
    assert landings.after_raising(4) == [] and landings.after_break(5) == [7]
    assert landings.after_raising(9) == [] and landings.after_break(8) == [10]


def test_a_handler_that_raises_again_leads_to_the_one_around_it() -> None:
    text = CAUGHT.replace("uncover\n    back:", "uncover\n    cover around 0\n    back:")
    text += """
    uncover
    around:
    PUSH_EXC_INFO            # 15
    POP_TOP                  # 16
    RERAISE 0
    """
    landings = compute_landings(assemble(text))
    assert landings.after_raising(4) == [16], "through the handler that puts back what was handled"
    assert landings.after_break(4) == [5, 16]
    assert landings.after_break(11) == [16]


def test_a_finally_is_entered_where_something_raises_for_certain() -> None:
    routine = assemble(
        """
        cover cleanup 0
        LOAD_GLOBAL a            # 0
        RAISE_VARARGS 1          # 1
        uncover
        cleanup:
        PUSH_EXC_INFO            # 2
        LOAD_GLOBAL f
        PUSH_NULL
        SWAP 2
        CALL 0                   # 6
        POP_TOP                  # 7
        RERAISE 0
        """
        if not NULL_ABOVE_CALLABLE
        else """
        cover cleanup 0
        LOAD_GLOBAL a            # 0
        RAISE_VARARGS 1          # 1
        uncover
        cleanup:
        PUSH_EXC_INFO            # 2
        LOAD_GLOBAL f
        PUSH_NULL
        NOP
        CALL 0                   # 6
        POP_TOP                  # 7
        RERAISE 0
        """
    )
    landings = compute_landings(routine)
    assert landings.after_break(0) == [1], "it may raise, but is not caught"
    assert landings.after_break(0, raises=True) == [1, 7]
    assert landings.after_break(1) == landings.after_raising(1) == [7]


def test_what_follows_an_asynchronous_loop_is_found() -> None:
    async def loop(a: AsyncIterator[object]) -> object:
        async for x in a:
            x = x
        return a

    routine = decode(loop.__code__)
    landings, instructions = compute_landings(routine), routine.instructions
    start = next(index for index, each in enumerate(instructions) if each.op is Op.GET_AITER)
    lines = {place.line - routine.first_line for place in positions(routine, landings.after_break(start))}
    assert lines == {1, 3}
    assert {place.line - routine.first_line for place in positions(routine, landings.after(start))} == {1}


def positions(routine: Routine, places: list[int]) -> list[Position]:
    return [found for place in places if (found := routine.instructions[place].position) is not None]


@settings(max_examples=200, deadline=None)
@given(sound_routines())
def test_landings_after_a_break_are_landings(routine: Routine) -> None:
    landings = compute_landings(routine)
    for index in range(len(routine.instructions)):
        plain, raising = landings.after(index), landings.after_raising(index)
        assert all(landings.may_land(place) for place in raising)
        assert set(plain) | set(raising) <= set(landings.after_break(index, raises=True))
        assert set(plain) <= set(landings.after_break(index))


@settings(max_examples=200, deadline=None)
@given(sound_routines())
def test_landings_after_agree_with_a_walk(routine: Routine) -> None:
    landings = compute_landings(routine)
    follow = reference.successors(routine)
    for index in range(len(routine.instructions)):
        found: set[int] = set()
        passed: set[int] = set()
        front = set(follow[index])
        while front:
            found |= {place for place in front if landings.may_land(place)}
            passed |= front
            front = {after for place in front if place not in found for after in follow[place]} - passed
        assert landings.after(index) == sorted(found)


@settings(max_examples=200, deadline=None)
@given(sound_routines())
def test_no_null_is_on_the_stack_of_any_landing(routine: Routine) -> None:
    landings, stack = compute_landings(routine), compute_stack(routine)
    for index in range(len(routine.instructions)):
        if landings.may_land(index):
            assert set(stack.entries(index)) <= {StackEntry.VALUE}


def test_an_anchor_in_front_of_every_landing_is_sound() -> None:
    """Groups, regions and jumps of the standard library survive an anchor at every landing point."""
    spliced_in = 0
    for code in sampled_code()[::3]:
        routine = decode(code)
        places = allowed(routine)
        splice(routine, places, len)
        verify(routine)
        spliced_in += len(places)
    assert spliced_in > 1000


# -- interrupts: an anchor that raises does no more harm than the instruction it stands in front of ------------------


class Interrupt(BaseException):
    pass


class Resource:
    """Counts how often it is entered and left."""

    def __init__(self) -> None:
        self.entered = self.left = 0

    def __enter__(self) -> Self:
        self.entered += 1
        return self

    def __exit__(self, *exception: object) -> bool:
        self.left += 1
        return False

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(self, *exception: object) -> bool:
        return self.__exit__(*exception)


class Box:
    value: object = None


def with_body(resource: Resource, box: Box) -> object:
    with resource as opened:
        box.value = opened
        try:
            box.value = 1
        except ValueError:
            box.value = 2
        box.value = 3
    return box


def with_return(resource: Resource, box: Box) -> object:
    for x in [1, 2]:
        with resource:
            if x == 2:
                return box.value
            box.value = x
    return None


def nested_with(resource: Resource, box: Box) -> object:
    with resource, resource:
        with resource:
            box.value = 1
        box.value = 2
    return box


def finally_clause(resource: Resource, box: Box) -> object:
    resource.__enter__()
    try:
        box.value = 1
        if box:
            box.value = 2
    finally:
        resource.__exit__()
    box.value = 3
    return box


def finally_return(resource: Resource, box: Box) -> object:
    resource.__enter__()
    try:
        return box.value
    finally:
        if box:
            box.value = 2
            resource.__exit__()


def long_finally(resource: Resource, box: Box) -> object:
    resource.__enter__()
    try:
        box.value = box
    finally:
        box.value = box.value is box
        box.value = box.value is box
        box.value = box.value is box
        box.value = box.value is box
        box.value = box.value is box
        box.value = box.value is box
        resource.__exit__()
    return box


def handled(resource: Resource, box: Box) -> object:
    try:
        raise ValueError
    except ValueError as error:
        box.value = error
    box.value = None
    return box


def comprehension(resource: Resource, box: Box) -> object:
    x = "outer"
    try:
        box.value = [x for x in (1, 2, 3)]
        x, box.value = x, {x: x for x in (1, 2)}
    finally:
        assert x == "outer"
    return x


SUBJECTS = [with_body, with_return, nested_with, finally_clause, finally_return, long_finally, handled, comprehension]


def interrupt(index: int) -> None:
    raise Interrupt


def run_interrupted(function: Callable[..., object], place: int) -> None:
    """Run with an interrupt in an anchor at `place` and check that what was entered was left."""
    resource, before = Resource(), sys.exc_info()
    try:
        spliced(function, [place], interrupt)(resource, Box())
    except Interrupt:
        pass
    assert sys.exc_info() == before
    assert resource.left == resource.entered


@pytest.mark.parametrize("function", SUBJECTS)
def test_an_interrupt_in_an_anchor_leaves_nothing_open(function: Callable[..., object]) -> None:
    code = function.__code__
    landings = compute_landings(decode(code), above_exits=True)
    places = [index for index, good in enumerate(landings.allowed) if good]
    assert places
    for place in places:
        if not enters_by_hand(function, landings, place):
            run_interrupted(function, place)


def enters_by_hand(function: Callable[..., object], landings: Landings, place: int) -> bool:
    """Whether `place` lies between `resource.__enter__()` and the `try`, where anything may be interrupted."""
    if function not in (finally_clause, finally_return, long_finally):
        return False
    instructions = landings.flow.routine.instructions
    entered = next(index for index, each in enumerate(instructions) if each.op is Op.CALL)
    covered = next(index for index, each in enumerate(instructions) if each.handler is not None)
    return entered < place < covered


def test_without_the_rule_interrupts_do_harm() -> None:
    """The check above sees a place that must not be used."""
    instructions = decode(with_body.__code__).instructions
    call = max(index for index, each in enumerate(instructions) if each.op is Op.CALL)
    landings = compute_landings(decode(with_body.__code__), above_exits=True)
    assert not any(landings.allowed[call - 3 : call + 1])
    with pytest.raises(AssertionError):
        run_interrupted(with_body, call - 3)


def test_every_subject_runs_with_anchors_everywhere() -> None:
    for function in SUBJECTS:
        landings = compute_landings(decode(function.__code__), above_exits=True)
        places = [index for index, good in enumerate(landings.allowed) if good]
        met: list[int] = []
        box, resource = Box(), Resource()
        copy = spliced(function, places, met.append)
        result = copy(resource, box)
        expected_box = Box()
        expected = function(Resource(), expected_box)
        assert met
        assert result is box if expected is expected_box else result == expected
        assert type(box.value) is type(expected_box.value)
        assert resource.left == resource.entered


def test_an_asynchronous_with_is_left() -> None:
    async def f(resource: Resource, box: Box) -> object:
        async with resource:
            box.value = 1
        return box

    landings = compute_landings(decode(f.__code__), above_exits=True)
    places = [index for index, good in enumerate(landings.allowed) if good]
    interrupted = 0
    for place in places:
        resource = Resource()
        coroutine = spliced(f, [place], interrupt)(resource, Box())
        assert isinstance(coroutine, Coroutine)
        try:
            coroutine.send(None)
        except Interrupt:
            interrupted += 1
        except StopIteration:
            pass
        assert resource.left == resource.entered
    assert interrupted > 3


def test_an_await_ends_what_may_not_be_interrupted() -> None:
    async def f(future: Coroutine[object, object, object], box: Box) -> object:
        try:
            box.value = 1
        finally:
            await future
            box.value = 2
        return box

    routine = decode(f.__code__)
    ends = [index for index, each in enumerate(routine.instructions) if each.op is Op.END_SEND]
    assert compute_landings(routine).may_land(ends[0] + 1)


def test_exit_functions_may_have_a_null_beside_them() -> None:
    """From 3.14 on the body of a `with` can only be landed in by whoever leaves the exit function alone."""

    def f(resource: Resource, box: Box) -> None:
        with resource:
            box.value = 1

    routine = decode(f.__code__)
    stack = compute_stack(routine)
    store = next(index for index, each in enumerate(routine.instructions) if each.op is Op.STORE_ATTR)
    assert compute_landings(routine, above_exits=True).may_land(store)
    assert compute_landings(routine).may_land(store) == (not stack.nulls(store))
