"""The prefix (`COPY_FREE_VARS`, `MAKE_CELL`, `RETURN_GENERATOR`, `RESUME`) everywhere: accepted while it is due,
recorded, refused afterwards; and put, derived anew, ahead of every code object that is emitted.

What is expected of a code object's prefix is read and derived in `tests.support.tracing`, from `dis` and the code
object alone.
"""

from __future__ import annotations

import dis
import operator
import sys
import types
from collections.abc import Callable, Sequence

import attrs
import pytest

import symexec
from symexec.analysis.flow import compute_flow
from symexec.analysis.liveness import compute_liveness
from symexec.bytecode import (
    PREFIX_OPS,
    Instruction,
    Op,
    Operand,
    Prologue,
    SlotUse,
    decode,
    derive_prefix,
    encode,
    features,
    first_real_instruction,
    has_begun,
    verify,
)
from symexec.bytecode.prologue import STAGES
from symexec.domains.scalars import ScalarSpec
from symexec.errors import ArgumentError, BytecodeError, DecodeError, InternalError
from symexec.interpreter.dispatch import TABLE, UNSUPPORTED
from symexec.interpreter.handlers import prefix as prefix_handlers
from symexec.interpreter.translator import InstructionTranslator
from symexec.values.graph import Kind
from symexec.values.guard import TypeIs
from symexec.values.heap import Absent, CellContent
from symexec.values.model import NULL, Known, Made, Traced
from symexec.values.origin import Global
from tests.prefix.outputs import DRAWS, CountingBackend, NoiseDomain, compile_scalars, make_drawing, make_general
from tests.prefix.shapes import EIGHT, ORDINARY, SHAPES, Shape
from tests.support import arguments, assert_same
from tests.support.tracing import (
    check_prefix,
    closure_of,
    codes_in,
    instructions_of,
    prefix_due,
    prefix_in,
    translator_of,
)

Make = Callable[[], Shape]

every_shape = pytest.mark.parametrize("make", SHAPES.values(), ids=SHAPES)
every_ordinary_shape = pytest.mark.parametrize("make", ORDINARY.values(), ids=ORDINARY)


def in_words(instructions: Sequence[Instruction], slots: Sequence[str]) -> list[tuple[str, object]]:
    """Neutral prefix instructions as `prefix_due` has raw ones."""
    found: list[tuple[str, object]] = []
    for instruction in instructions:
        argument: object = instruction.arg if instruction.op in (Op.COPY_FREE_VARS, Op.RESUME) else None
        if instruction.op is Op.MAKE_CELL:
            argument = slots[instruction.arg]
        found.append((instruction.op.name, argument))
    return found


def test_there_is_a_function_of_each_of_the_eight_shapes() -> None:
    shapes = set()
    for make in EIGHT.values():
        names = [name for name, _ in prefix_due(make()[0].__code__)]
        shapes.add(tuple(dict.fromkeys(names)))
    assert len(shapes) == 8


# -- S1: the translator accepts prefix instructions until RESUME 0, and records them ----------------------------------


@pytest.mark.parametrize(
    ("op", "handler"),
    [
        (Op.MAKE_CELL, prefix_handlers.make_cell),
        (Op.COPY_FREE_VARS, prefix_handlers.copy_free_vars),
        (Op.RETURN_GENERATOR, prefix_handlers.return_generator),
        (Op.RESUME, prefix_handlers.resume),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_s1_prefix_instructions_are_entries_of_the_dispatch_table(op: Op, handler: object) -> None:
    assert op in PREFIX_OPS
    assert TABLE[op.index] is handler
    assert op not in UNSUPPORTED


@every_shape
def test_s1_the_prefix_is_accepted_and_recorded_in_order(make: Make) -> None:
    function, args = make()
    translator = translator_of(function, *args)
    assert translator.accept_prefix
    assert translator.prefix == ()
    translator.run(closure_of(function))
    assert not translator.accept_prefix
    recorded = in_words(translator.prefix, translator.routine.slots)
    assert recorded == prefix_in(function.__code__) == prefix_due(function.__code__)


@every_shape
def test_s1_each_instruction_appends_itself_and_resume_0_is_the_last(make: Make) -> None:
    function, args = make()
    translator = translator_of(function, *args)
    machine, frame = translator.machine, translator.frame
    frame.closure = closure_of(function)
    machine.frames.append(frame)
    due = [each for each in derive_prefix(translator.routine) if each.op is not Op.POP_TOP]
    for count, instruction in enumerate(due):
        assert translator.accept_prefix
        assert len(translator.prefix) == count
        assert TABLE[instruction.op.index](machine, frame, instruction) is None
        assert translator.prefix[-1] is instruction
    assert due[-1].op is Op.RESUME
    assert not translator.accept_prefix


def begun_translator(function: types.FunctionType, *args: object) -> InstructionTranslator:
    """A translator whose frame has run its prefix, and nothing else."""
    translator = translator_of(function, *args)
    translator.frame.closure = closure_of(function)
    translator.machine.frames.append(translator.frame)
    for instruction in derive_prefix(translator.routine):
        if instruction.op is not Op.POP_TOP:
            TABLE[instruction.op.index](translator.machine, translator.frame, instruction)
    translator.frame.state.position = 0
    assert not translator.accept_prefix
    return translator


@every_shape
@pytest.mark.parametrize("op", [Op.COPY_FREE_VARS, Op.RETURN_GENERATOR, Op.RESUME], ids=lambda op: op.name)
def test_s1_a_prefix_instruction_after_resume_0_is_an_internal_error(make: Make, op: Op) -> None:
    function, args = make()
    translator = begun_translator(function, *args)
    recorded = translator.prefix
    with pytest.raises(InternalError, match="after RESUME 0"):
        TABLE[op.index](translator.machine, translator.frame, Instruction(op, 0))
    assert translator.prefix == recorded


@pytest.mark.parametrize("again", [Instruction(Op.RESUME, 0), Instruction(Op.COPY_FREE_VARS, 1)], ids=["0", "free"])
def test_s1_a_routine_with_a_prefix_instruction_in_its_body_is_refused_when_it_gets_there(again: Instruction) -> None:
    function, args = EIGHT["free"]()
    routine = decode(function.__code__)
    routine.instructions.insert(0, attrs.evolve(again, position=routine.instructions[0].position))
    translator = translator_of(function, *args, routine=routine)
    with pytest.raises(InternalError, match="after RESUME 0"):
        translator.run(closure_of(function))


def test_s1_copy_free_vars_has_to_count_the_closure() -> None:
    function, args = EIGHT["free"]()
    translator = translator_of(function, *args)
    with pytest.raises(InternalError, match="COPY_FREE_VARS 2 with a closure of 1"):
        translator.run(closure_of(function)[:1])


DEPTH_FLAG = 4  # from 3.13 on: the only thing on the stack is what was sent


@pytest.mark.parametrize("argument", [1, 2, 3, 1 | DEPTH_FLAG, 2 | DEPTH_FLAG, 3 | DEPTH_FLAG])
def test_s1_a_resume_with_another_location_is_legal_only_after_resume_0(argument: int) -> None:
    function, args = EIGHT["generator"]()
    translator = translator_of(function, *args)
    elsewhere = Instruction(Op.RESUME, argument)
    with pytest.raises(InternalError, match=f"RESUME {argument} before RESUME 0"):
        TABLE[Op.RESUME.index](translator.machine, translator.frame, elsewhere)
    assert translator.accept_prefix
    translator = begun_translator(function, *args)
    recorded = translator.prefix
    assert TABLE[Op.RESUME.index](translator.machine, translator.frame, elsewhere) is None
    assert translator.prefix == recorded
    assert not translator.accept_prefix


@every_shape
def test_s1_the_resumes_of_real_bodies_have_locations(make: Make) -> None:
    function, args = make()
    body = [each for each in decode(function.__code__).instructions if each.op is Op.RESUME]
    assert all(each.arg & prefix_handlers.LOCATION_BITS for each in body)
    is_suspended = bool(function.__code__.co_flags & 0x2A0)
    assert bool(body) is is_suspended
    translator = begun_translator(function, *args)
    for each in body:
        assert TABLE[Op.RESUME.index](translator.machine, translator.frame, each) is None


def test_s1_a_make_cell_in_the_body_is_an_ordinary_instruction() -> None:
    function, args = EIGHT["cells"]()
    translator = begun_translator(function, *args)
    recorded, slots = translator.prefix, translator.frame.state.slots
    slot = translator.routine.slots.index("x")
    before = slots[slot]
    assert TABLE[Op.MAKE_CELL.index](translator.machine, translator.frame, Instruction(Op.MAKE_CELL, slot)) is None
    made = slots[slot]
    assert isinstance(made, Made)
    content = translator.machine.heap.content(made)
    assert isinstance(content, CellContent)
    assert content.value is before
    assert content.home is None
    assert translator.prefix == recorded


def call_later(x, values):
    found = [lambda: x * value for value in values]
    inner = [value() for value in found]
    return inner[0] + inner[1], len(inner)


def test_s1_an_inlined_comprehension_makes_its_cells_in_the_body() -> None:
    body = [each.op for each in decode(call_later.__code__).instructions]
    assert (Op.MAKE_CELL in body) is features.HAS_INLINED_COMPREHENSIONS
    translator = translator_of(call_later, 2.0, [3.0, 4.0])
    ending = translator.run()
    assert ending.reason is None
    assert in_words(translator.prefix, translator.routine.slots) == prefix_due(call_later.__code__)
    compiled = assert_same(
        call_later, lambda: arguments(2.0, [3.0, 4.0]), lambda: arguments(5.0, [1.5, 2.0]), transform=compile_scalars
    )
    assert symexec.stats(compiled).traces == 1
    check_prefix(compiled.__code__)


def hide_a_cell(x, values):
    value = x * 2.0

    def read():
        return value

    try:
        found = [value / other for value in values for other in values]
        found = [value + x for value in found]
    except ZeroDivisionError as error:
        return read() + value, error.args
    finally:
        x = value - read()
    return read() * x + value, found


def test_s1_a_comprehension_that_hides_a_cell_gives_it_back_even_when_it_fails() -> None:
    verify(decode(hide_a_cell.__code__))
    compiled = assert_same(
        hide_a_cell,
        *[lambda: arguments(2.0, [3.0, 4.0])] * 2,
        *[lambda: arguments(2.0, [3.0, 0.0])] * 2,
        transform=compile_scalars,
    )
    assert symexec.stats(compiled).traces


# -- the automaton that decode uses -----------------------------------------------------------------------------------


@every_shape
def test_s1_the_automaton_accepts_the_prefix_and_only_watches_what_follows(make: Make) -> None:
    routine = decode(make()[0].__code__)
    prologue = Prologue()
    due = derive_prefix(routine)
    assert all(prologue.meet(instruction) for instruction in due)
    assert not prologue.accepting
    assert not any(prologue.meet(instruction) for instruction in routine.instructions)
    assert prologue.prefix == list(due)


@pytest.mark.parametrize(
    "wrong",
    [
        [Op.RESUME, Op.RESUME],
        [Op.RESUME, Op.COPY_FREE_VARS],
        [Op.RESUME, Op.RETURN_GENERATOR],
        [Op.MAKE_CELL, Op.COPY_FREE_VARS],
        [Op.COPY_FREE_VARS, Op.COPY_FREE_VARS],
        [Op.RETURN_GENERATOR, Op.RESUME],
        [Op.RETURN_GENERATOR, Op.POP_TOP, Op.MAKE_CELL],
        [Op.POP_TOP],
        [Op.LOAD_CONST],
    ],
    ids=lambda ops: " ".join(op.name for op in ops),
)
def test_s1_the_automaton_refuses_every_other_order(wrong: list[Op]) -> None:
    prologue = Prologue()
    for op in wrong[:-1]:
        assert prologue.meet(Instruction(op))
    with pytest.raises(BytecodeError):
        prologue.meet(Instruction(wrong[-1]))


def test_every_op_of_the_prefix_has_its_stage() -> None:
    assert set(STAGES) == PREFIX_OPS | {Op.POP_TOP}


# -- S2: liveness knows what MAKE_CELL does to its slot, as it does of every op ---------------------------------------


def test_s2_every_op_that_names_a_slot_says_what_it_does_to_it() -> None:
    for op in Op:
        assert (op.effect.operand is Operand.SLOT) is (op.effect.slot is not SlotUse.NONE), op.name
    assert Op.MAKE_CELL.effect.slot is SlotUse.MAKE_CELL


@every_shape
def test_s2_liveness_takes_functions_of_every_shape(make: Make) -> None:
    function, _ = make()
    routine = decode(function.__code__)
    live = compute_liveness(routine, compute_flow(routine))
    for slot in range(routine.first_free_slot, len(routine.slots)):
        assert live.is_live(0, slot), routine.slots[slot]
    for slot in range(routine.parameter_count):
        assert live.is_live(0, slot), routine.slots[slot]


def test_s2_make_cell_keeps_what_the_slot_holds_alive_and_a_store_before_it_does_not() -> None:
    function, _ = EIGHT["plain"]()
    routine = decode(function.__code__)
    x, position = routine.slots.index("x"), routine.instructions[0].position

    def body(*instructions: Instruction) -> None:
        routine.instructions = [attrs.evolve(each, position=position) for each in instructions]
        verify(routine)

    make_cell, load = Instruction(Op.MAKE_CELL, x), Instruction(Op.LOAD_DEREF, x)
    end = Instruction(Op.RETURN_VALUE)
    body(make_cell, load, end)
    assert compute_liveness(routine).is_live(0, x)
    body(Instruction(Op.LOAD_CONST, const=1), Instruction(Op.STORE_FAST, x), make_cell, load, end)
    live = compute_liveness(routine)
    assert not live.is_live(0, x)
    assert live.is_live(2, x)


# -- S3: frames that have begun are left alone ------------------------------------------------------------------------


@every_shape
def test_s3_the_first_real_instruction_is_the_resume_in_code_units(make: Make) -> None:
    for code in codes_in(make()[0].__code__):
        resume = next(each for each in dis.get_instructions(code) if each.opname == "RESUME")
        assert first_real_instruction(code) == resume.offset // 2


def test_s3_a_code_object_without_a_resume_is_an_error() -> None:
    code = EIGHT["cells and free"]()[0].__code__
    units = bytearray(code.co_code)
    units[2 * first_real_instruction(code)] = dis.opmap["NOP"]
    with pytest.raises(DecodeError, match="RESUME"):
        first_real_instruction(code.replace(co_code=bytes(units)))


def test_s3_a_running_frame_has_begun() -> None:
    frame = sys._getframe()
    assert has_begun(frame)
    with pytest.raises(ArgumentError, match="test_s3_a_running_frame_has_begun has begun"):
        InstructionTranslator.refuse_begun(frame)


@pytest.mark.parametrize("make", [make for name, make in EIGHT.items() if name.startswith("generator")])
def test_s3_a_generator_has_begun_once_it_was_resumed(make: Make) -> None:
    function, args = make()
    generator = function(*args)
    assert not has_begun(generator.gi_frame)
    InstructionTranslator.refuse_begun(generator.gi_frame)
    next(generator)
    assert has_begun(generator.gi_frame)
    with pytest.raises(ArgumentError, match="has begun"):
        InstructionTranslator.refuse_begun(generator.gi_frame)
    generator.close()


def test_s3_a_coroutine_has_begun_once_it_was_resumed() -> None:
    @types.coroutine
    def pause():
        yield

    async def waits():
        await pause()

    coroutine = waits()
    InstructionTranslator.refuse_begun(coroutine.cr_frame)
    coroutine.send(None)
    with pytest.raises(ArgumentError, match="has begun"):
        InstructionTranslator.refuse_begun(coroutine.cr_frame)
    coroutine.close()


# -- S4: every output begins with its own prefix, once ----------------------------------------------------------------


def ops_after_prefix(code: types.CodeType) -> list[str]:
    """The body's instructions by name, without those that only lay out calls."""
    names = [each.opname for each in instructions_of(code)][len(prefix_due(code)) :]
    return [name for name in names if name not in ("PUSH_NULL", "PRECALL", "RESUME")]


@every_ordinary_shape
def test_s4_output_of_nothing_but_a_graph_call_and_a_return(make: Make) -> None:
    function, args = make()
    backend = CountingBackend()
    captured = symexec.trace(function, domains=["scalars"], backend=backend)(*args)
    output = captured.function
    check_prefix(output.__code__)
    assert output(*args) == function(*args)
    assert backend.log == ["graph"]
    assert len(backend.graphs) == 1


def test_s4_a_graph_of_symbols_alone_is_called_at_once_and_its_result_returned() -> None:
    function, args = EIGHT["plain"]()
    number = ScalarSpec(float)
    backend = CountingBackend()
    captured = symexec.trace(function, domains=["scalars"], backend=backend)(
        symexec.symbol("x", number), symexec.symbol("y", number)
    )
    assert {type(guard.check) for guard in captured.guards} == {TypeIs}
    code = captured.function.__code__
    check_prefix(code)
    body = ops_after_prefix(code)
    # The holder that gives the backend's callable is called first; the refusal of guards is never reached.
    assert body.count("RETURN_VALUE") >= 1
    assert "BINARY_OP" not in body
    assert not any(name.startswith(("STORE", "DELETE")) for name in body)
    assert captured.function(*args) == function(*args)
    assert backend.log == ["graph"]


@every_ordinary_shape
def test_s4_the_inlined_graph_has_the_prefix_as_well(make: Make) -> None:
    function, args = make()
    captured = symexec.trace(function, domains=["scalars"])(*args)
    check_prefix(captured.function.__code__)
    assert captured(*args) == function(*args)
    assert captured.effects == ()  # the frame's own cells are nobody else's


@pytest.mark.parametrize("name", ORDINARY)
def test_s4_output_of_general_stack_and_locals(name: str) -> None:
    function, args = make_general(name)
    compiled = assert_same(function, *[lambda: arguments(*args)] * 4, transform=compile_scalars)
    check_prefix(compiled.__code__)
    assert prefix_in(compiled.__code__) == prefix_in(function.__code__)
    figures = symexec.stats(compiled)
    assert figures.traces == 2
    assert ["graph_break" in reason.why for reason in figures.breaks] == [True]


@pytest.mark.parametrize("name", ORDINARY)
def test_s4_output_with_a_continuation_in_the_middle(name: str) -> None:
    function, args = make_general(name)
    before = symexec.stats(compiled := compile_scalars(function))
    assert before.traces == 0
    expected = function(*args)
    assert compiled(*args) == expected
    check_prefix(compiled.__code__)
    first = compiled.__code__
    assert compiled(*args) == expected  # the code of the first call has the anchor, this call traces from it
    figures = symexec.stats(compiled)
    assert figures.traces == 2
    assert compiled.__code__ is not first
    check_prefix(compiled.__code__)
    assert compiled(*args) == expected
    after = symexec.stats(compiled)
    assert (after.traces, after.misses) == (figures.traces, figures.misses)


@every_shape
def test_s4_output_of_a_function_that_is_handed_on_as_it_is(make: Make) -> None:
    function, args = make()
    for _ in range(2):
        compiled = compile_scalars(function)
        check_prefix(compiled.__code__)
        check_prefix(encode(decode(compiled.__code__)))
        if isinstance(result := function(*args), types.GeneratorType):
            assert list(compiled(*args)) == list(result)
        elif isinstance(result, types.CoroutineType):
            result.close()
            coroutine = compiled(*args)
            with pytest.raises(StopIteration) as stop:
                coroutine.send(None)
            assert stop.value.value == 3.0 * 2.5 + 4.0


@pytest.mark.parametrize("name", ORDINARY)
@pytest.mark.parametrize("inlined", [True, False], ids=["inlined", "called"])
def test_s4_output_with_values_drawn_at_run_time_before_the_graph(name: str, inlined: bool) -> None:
    function, args = make_drawing(name)
    backend = CountingBackend()
    DRAWS.clear()
    expected = [function(*args), function(*args)]
    DRAWS.clear()
    captured = symexec.trace(function, domains=["scalars", NoiseDomain()], backend="eager" if inlined else backend)(
        *args
    )
    assert DRAWS == []  # tracing draws nothing
    assert [node.kind for node in captured.graph.nodes].count(Kind.DRAW) == 2
    code = captured.function.__code__
    check_prefix(code)
    backend.log = DRAWS
    assert captured(*args) == expected[0]
    assert DRAWS == (["draw 0", "draw 1"] if inlined else ["draw 0", "draw 1", "graph"])
    if inlined:
        assert captured(*args) == expected[1]
        body = ops_after_prefix(code)
        assert body.index("BINARY_OP") > [index for index, op in enumerate(body) if op.startswith("CALL")][1]


# -- S5: the prefix counts its own code's free variables, and keeps its own cells' slots ------------------------------


def make_choosing() -> types.FunctionType:
    unused, other = 5.0, 6.0

    def choosing(x, wanted):
        return x * unused - other if wanted else x + 1.0

    return choosing


def test_s5_an_output_that_uses_no_free_variable_has_none() -> None:
    function = make_choosing()
    assert prefix_in(function.__code__) == [("COPY_FREE_VARS", 2), ("RESUME", 0)]
    captured = symexec.trace(function, domains=["scalars"])(2.0, False)
    output = captured.function
    assert output.__code__.co_freevars == ()
    assert prefix_in(output.__code__) == [("RESUME", 0)]
    check_prefix(output.__code__)
    assert output(2.0, False) == function(2.0, False) == 3.0


@every_shape
@pytest.mark.parametrize("count", [1, 2, 300])
def test_s5_an_output_with_more_free_variables_than_its_source_counts_its_own(make: Make, count: int) -> None:
    function, args = make()
    routine = decode(function.__code__)
    more = tuple(f"more{number}" for number in range(count))
    routine.freevars += more
    routine.slots += more
    position = routine.instructions[0].position
    handler = routine.instructions[0].handler
    new = [
        Instruction(Op.LOAD_DEREF, len(routine.slots) - 1, position=position, handler=handler),
        Instruction(Op.POP_TOP, position=position, handler=handler),
    ]
    routine.instructions = [*new, *routine.instructions]
    verify(routine)
    code = encode(routine)
    assert len(code.co_freevars) == len(function.__code__.co_freevars) + count
    assert prefix_in(code)[0] == ("COPY_FREE_VARS", len(code.co_freevars))
    check_prefix(code)
    cells = (*(function.__closure__ or ()), *(types.CellType(number) for number in range(count)))
    output = types.FunctionType(code, function.__globals__, closure=cells)
    if not routine.is_generator_like:
        assert output(*args) == function(*args)
    elif isinstance(result := output(*args), types.GeneratorType):
        assert list(result) == list(function(*args))
    elif isinstance(result, types.CoroutineType):
        result.close()
    empty = types.FunctionType(code, function.__globals__, closure=(*cells[:-1], types.CellType()))
    if not routine.is_generator_like:
        with pytest.raises(NameError, match=more[-1]):
            empty(*args)


@every_shape
def test_s5_make_cell_keeps_its_variable_when_slots_move(make: Make) -> None:
    function, args = make()
    routine = decode(function.__code__)
    place = len(routine.variables)  # a new variable behind the others: cells and free variables move up by one
    moved = {slot: slot + (slot >= place) for slot in range(len(routine.slots))}
    routine.slots = (*routine.slots[:place], "added", *routine.slots[place:])
    routine.variables = (*routine.variables, "added")
    routine.cell_slots = tuple(moved[slot] for slot in routine.cell_slots)
    routine.instructions = [
        attrs.evolve(each, arg=moved[each.arg], group=None) if each.op.effect.operand is Operand.SLOT else each
        for each in routine.instructions
    ]
    verify(routine)
    code = encode(routine)
    assert code.co_varnames[-1] == "added"
    assert prefix_in(code) == prefix_in(function.__code__)
    check_prefix(code)
    output = types.FunctionType(code, function.__globals__, closure=function.__closure__)
    if not routine.is_generator_like:
        assert output(*args) == function(*args)


# -- S8: the whole state can be marked and gone back to ---------------------------------------------------------------


def writing(x, values, owner):
    first = x * 2.0
    values.append(first)
    owner["key"] = x - 1.0
    local = [first]
    symexec.graph_break()
    return local


def test_s8_marks_and_snapshots_bring_everything_back() -> None:
    values, owner = [1.0], {"other": 2.0}
    translator = translator_of(writing, 3.0, values, owner)
    machine, state = translator.machine, translator.frame.state
    start, mark = state.snapshot(), machine.mark()
    ending = translator.run()
    assert ending.reason is not None
    assert "graph_break" in ending.reason.why
    assert (values, owner) == ([1.0], {"other": 2.0})  # tracing writes nothing
    assert len(machine.nodes) == 3
    assert len(machine.heap.effects) == 2
    assert machine.guards.guards
    assert machine.inputs
    end, end_mark = state.snapshot(), machine.mark()
    assert end_mark != mark
    machine.rollback(mark)
    state.restore(start)
    assert (machine.nodes, machine.positions, machine.inputs) == ([], [], [])
    assert (machine.guards.guards, machine.heap.effects) == ([], [])
    assert machine.heap.looked_into() == ()
    assert machine.mark() == mark
    assert state.snapshot().slots == start.slots
    assert state.position == start.position == -1
    assert end.position > 0


def test_s8_a_snapshot_is_a_value_of_its_own() -> None:
    translator = begun_translator(EIGHT["plain"]()[0], 3.0, 4.0)
    state = translator.frame.state
    state.stack.append(state.slots[0])
    snapshot = state.snapshot()
    state.stack.append(state.slots[1])
    state.slots[0] = state.slots[1]
    state.position = 7
    state.restore(snapshot)
    assert state.position == 0
    assert tuple(state.stack) == snapshot.stack
    assert tuple(state.slots) == snapshot.slots
    assert len(state.stack) == 1
    assert state.slots[0] is not state.slots[1]


def test_s8_a_break_leaves_the_state_before_the_instruction_and_back_up_goes_further_back() -> None:
    translator = translator_of(writing, 3.0, [1.0], {})
    ending = translator.run()
    assert ending.value is None
    machine, state = translator.machine, translator.frame.state
    instructions = translator.routine.instructions
    assert instructions[state.position].op is Op.CALL
    seen = []
    while True:
        seen.append((state.position, len(machine.heap.effects), len(machine.nodes), len(machine.guards.guards)))
        if not translator.back_up():
            break
    assert [entry[0] for entry in seen] == sorted((entry[0] for entry in seen), reverse=True)
    for numbers in list(zip(*seen, strict=True))[1:]:
        assert list(numbers) == sorted(numbers, reverse=True)
    assert seen[0][1] == 2
    assert seen[-1][0] == 0
    assert seen[-1][1:] == (0, 0, 0)
    assert not translator.accept_prefix  # the prefix lies behind, also after going back


def test_s8_a_break_in_an_inlined_call_goes_back_to_before_the_call() -> None:
    log = []

    def inner(x):
        log.append(x * 2.0)
        symexec.graph_break()
        return x

    def outer(x):
        y = x + 1.0
        return inner(y) + y

    translator = translator_of(outer, 3.0)
    translator.run(closure_of(outer))
    assert translator.routine.instructions[translator.frame.state.position].op is Op.CALL
    assert translator.machine.heap.effects == []
    assert [node.kind for node in translator.machine.nodes] == [Kind.INPUT, Kind.CALL]
    assert len(translator.machine.frames) == 0
    compiled = assert_same(outer, *[lambda: arguments(3.0)] * 3, transform=compile_scalars)
    assert symexec.stats(compiled).breaks


# -- S10: the call protocol, and cells whose contents change while tracing --------------------------------------------


def target(first, /, second, *rest, third=3.0, **named):
    return first * 2.0 + second - sum_of(rest) * third + named.get("extra", 0.5)


def sum_of(values):
    total = 0.0
    for value in values:
        total = total + value
    return total


class Owner:
    def method(self, x, by=2.0):
        return x * by

    @classmethod
    def of_class(cls, x, *, by=2.0):
        return x * by

    @staticmethod
    def static(x, by=2.0):
        return x * by


OWNER = Owner()


def calls_of_every_shape(x, y):
    a = target(x, y)
    b = target(x, second=y, extra=x)
    c = target(x, y, x, y, third=x)
    d = target(*(x, y), **{"third": y})
    e = OWNER.method(x) + OWNER.method(x, by=y) + OWNER.method(by=x, x=y)
    f = OWNER.of_class(x, by=y) + Owner.static(x, y) + OWNER.static(y)
    method = OWNER.method
    return a + b * c - d + e * f + method(y, by=x)


def test_s10_calls_are_neutral() -> None:
    ops = {each.op for each in decode(calls_of_every_shape.__code__).instructions}
    assert {Op.CALL, Op.CALL_KW, Op.CALL_FUNCTION_EX, Op.LOAD_METHOD, Op.PUSH_NULL} <= ops
    assert not {"KW_NAMES", "PRECALL", "CALL_METHOD", "CALL_FUNCTION"} & Op.__members__.keys()


@pytest.mark.parametrize("layout", ["null below", "null above", "self above"])
def test_s10_null_is_where_the_version_has_it_and_self_takes_its_place(layout: str) -> None:
    translator = begun_translator(EIGHT["plain"]()[0], 3.0, 4.0)
    state = translator.frame.state
    x, y = state.slots[0], state.slots[1]
    assert isinstance(x, Known) and isinstance(y, Known)
    function = Known(Owner.static, Global("static"))
    below = {"null below": [NULL, function, x, y], "null above": [function, NULL, x, y]}
    state.stack[:] = below.get(layout, [function, x, y])
    call = Instruction(Op.CALL, 1 if layout == "self above" else 2)
    assert TABLE[Op.CALL.index](translator.machine, translator.frame, call) is None
    assert len(state.stack) == 1
    result = state.stack[0]
    assert isinstance(result, Traced)
    assert result.node.target is operator.mul
    assert [translator.machine.nodes[each.index].target for each in result.node.operands()] == ["x", "y"]


def test_s10_calls_of_every_shape_are_captured_whole() -> None:
    compiled = assert_same(
        calls_of_every_shape,
        lambda: arguments(3.0, 4.0),
        lambda: arguments(5.0, 0.5),
        lambda: arguments(-1.0, 2.0),
        transform=compile_scalars,
    )
    figures = symexec.stats(compiled)
    assert figures.breaks == ()
    assert (figures.traces, figures.misses) == (1, 1)


@pytest.mark.parametrize("name", [name for name in ORDINARY if "cells" in name])
def test_s10_cells_whose_contents_change_while_tracing(name: str) -> None:
    function, args = ORDINARY[name]()
    translator = translator_of(function, *args)
    ending = translator.run(closure_of(function))
    assert ending.reason is None
    total = translator.frame.state.slots[translator.routine.slots.index("total")]
    assert isinstance(total, Made)
    content = translator.machine.heap.content(total)
    assert isinstance(content, CellContent)
    assert not isinstance(content.value, Absent)
    compiled = assert_same(function, *[lambda: arguments(*args)] * 3, transform=compile_scalars)
    assert symexec.stats(compiled).breaks == ()


def test_s10_a_free_variable_written_by_the_trace_is_written_once_a_call() -> None:
    def make():
        count, last = 0.0, 0.0

        def counting(x):
            nonlocal count, last
            count = count + 1.0
            last = x * count
            return count * 2.0

        def read():
            return count, last

        return counting, read

    plain, read_plain = make()
    written, read_written = make()
    compiled = compile_scalars(written)
    for number in range(5):
        assert compiled(float(number)) == plain(float(number))
        assert read_written() == read_plain()
    assert symexec.stats(compiled).traces == 1
    assert symexec.stats(compiled).breaks == ()


def test_s10_a_break_between_two_writes_of_a_cell_leaves_the_cell_as_it_was_then() -> None:
    seen = []

    def broken(x):
        total = x

        def add(more):
            nonlocal total
            total = total + more

        add(x * 2.0)
        seen.append(total)
        symexec.graph_break()
        add(x + total)
        return total, add

    compiled = assert_same(broken, *[lambda: arguments(3.0)] * 3, transform=compile_scalars)
    assert symexec.stats(compiled).traces >= 2
