"""New and changed routines run on every version: calls, loops, jumps, constants, continuations, generators."""

from __future__ import annotations

import math
from types import CellType, FunctionType

import attrs
import pytest

from symexec.bytecode import Handler, Instruction, Label, Op, Routine, decode, encode, features, verify
from symexec.bytecode.emission import is_intact
from symexec.bytecode.raw import read_units
from symexec.bytecode.running import DIALECT
from symexec.errors import EncodeError
from tests.bytecode.programs import PROGRAMS
from tests.bytecode.rewrite import rewritten, with_code


def load(value: object) -> Instruction:
    return Instruction(Op.LOAD_CONST, const=value)


def slot(op: Op, number: int) -> Instruction:
    return Instruction(op, number)


RETURN = Op.RETURN_VALUE


def made(*instructions: Instruction, names: str = "a b c", arguments: int = 1):
    """A function of new instructions alone, whose variables are `names`."""
    variables = tuple(names.split())
    routine = Routine(
        name="made",
        qualified_name="made",
        filename="made.py",
        first_line=1,
        flags=3,
        argument_count=arguments,
        positional_only_count=0,
        keyword_only_count=0,
        variables=variables,
        cellvars=(),
        freevars=(),
        slots=variables,
        cell_slots=(),
        instructions=list(instructions),
    )
    verify(routine)
    code = encode(routine)
    verify(decode(code))
    return FunctionType(code, {"glob": "a global"})


def test_a_call() -> None:
    callee = features.lay_out_callee([load(max)])
    function = made(*callee, slot(Op.LOAD_FAST, 0), load(5), Instruction(Op.CALL, 2), Instruction(RETURN))
    assert (function(3), function(9)) == (5, 9)


def test_a_call_of_what_is_on_the_stack() -> None:
    function = made(
        slot(Op.LOAD_FAST, 0), *features.turn_into_callee(), load("x"), Instruction(Op.CALL, 1), Instruction(RETURN)
    )
    assert function(str.upper) == "X"


def test_a_keyword_call() -> None:
    callee = features.lay_out_callee([load(sorted)])
    function = made(
        *callee, slot(Op.LOAD_FAST, 0), load(True), load(("reverse",)), Instruction(Op.CALL_KW, 2), Instruction(RETURN)
    )
    assert function([1, 3, 2]) == [3, 2, 1]


def test_a_method_call() -> None:
    function = made(
        slot(Op.LOAD_FAST, 0),
        Instruction(Op.LOAD_METHOD, name="split"),
        load("-"),
        Instruction(Op.CALL, 1),
        Instruction(RETURN),
    )
    assert function("a-b") == ["a", "b"]


@pytest.mark.parametrize("keywords", [False, True])
def test_a_star_call(keywords: bool) -> None:
    callee = features.lay_out_callee([load(dict)])
    last = [load("k"), load("v"), Instruction(Op.BUILD_MAP, 1)] if keywords else [Instruction(Op.PUSH_NULL)]
    function = made(
        *callee,
        slot(Op.LOAD_FAST, 0),
        Instruction(Op.BUILD_TUPLE, 1),
        *last,
        Instruction(Op.CALL_FUNCTION_EX),
        Instruction(RETURN),
    )
    assert function({"x": 1}) == ({"x": 1, "k": "v"} if keywords else {"x": 1})


def test_names() -> None:
    function = made(
        Instruction(Op.LOAD_GLOBAL, name="glob"),
        slot(Op.LOAD_FAST, 0),
        Instruction(Op.LOAD_ATTR, name="real"),
        Instruction(Op.BUILD_TUPLE, 2),
        Instruction(RETURN),
    )
    assert function(3) == ("a global", 3)
    assert function.__code__.co_names == ("glob", "real")


def loop(jump_back: Op) -> FunctionType:
    """Counts `a` down to 0 with a conditional jump that goes backward."""
    head = slot(Op.LOAD_FAST, 0)
    return made(
        load(0),
        slot(Op.STORE_FAST, 1),
        head,
        load(1),
        Instruction(Op.BINARY_OP, 10),
        slot(Op.STORE_FAST, 0),
        slot(Op.LOAD_FAST, 1),
        slot(Op.LOAD_FAST, 0),
        Instruction(Op.BINARY_OP, 0),
        slot(Op.STORE_FAST, 1),
        slot(Op.LOAD_FAST, 0),
        *([Instruction(Op.TO_BOOL)] if jump_back is Op.POP_JUMP_IF_TRUE else []),
        *([Instruction(Op.TO_BOOL), Instruction(Op.UNARY_NOT)] if jump_back is Op.POP_JUMP_IF_FALSE else []),
        Instruction(jump_back, target=Label(head)),
        slot(Op.LOAD_FAST, 1),
        Instruction(RETURN),
    )


@pytest.mark.parametrize("jump_back", [Op.POP_JUMP_IF_TRUE, Op.POP_JUMP_IF_FALSE])
def test_conditional_jumps_go_backward(jump_back: Op) -> None:
    assert loop(jump_back)(5) == 10


def test_none_jumps_go_backward() -> None:
    head = slot(Op.LOAD_FAST, 0)
    function = made(
        head,
        Instruction(Op.LOAD_METHOD, name="pop"),
        Instruction(Op.CALL, 0),
        Instruction(Op.POP_JUMP_IF_NONE, target=Label(head)),
        slot(Op.LOAD_FAST, 0),
        Instruction(RETURN),
    )
    assert function([1, 2, None, None]) == [1]


@pytest.mark.parametrize(
    ("op", "opcode"), [(Op.JUMP, "JUMP_BACKWARD"), (Op.JUMP_NO_INTERRUPT, "JUMP_BACKWARD_NO_INTERRUPT")]
)
def test_which_jumps_poll(op: Op, opcode: str) -> None:
    end = slot(Op.LOAD_FAST, 0)
    back = Instruction(op, target=Label(end))
    function = made(Instruction(Op.JUMP, target=Label(back)), end, Instruction(RETURN), back)
    assert function(1) == 1
    found = [raw.opcode for raw in read_units(function.__code__.co_code, DIALECT).instructions]
    assert DIALECT.opcodes[opcode] in found
    assert DIALECT.opcodes["JUMP_FORWARD"] in found


def test_a_loop() -> None:
    head, end = Instruction(Op.FOR_ITER), Instruction(Op.END_FOR)
    head.target = Label(end)
    function = made(
        Instruction(Op.BUILD_LIST),
        slot(Op.LOAD_FAST, 0),
        Instruction(Op.GET_ITER),
        head,
        Instruction(Op.LIST_APPEND, 2),
        Instruction(Op.JUMP, target=Label(head)),
        end,
        Instruction(RETURN),
    )
    assert function("xyz") == ["x", "y", "z"]


CONSTANTS = [
    0,
    0.0,
    -0.0,
    False,
    (0, 0.0),
    (0, -0.0),
    (False, 0.0),
    ((0,), "a"),
    ((0.0,), "a"),
    1,
    True,
    1.0,
    1 + 0j,
    complex(1, -0.0),
    "a",
    b"a",
    None,
    ...,
    math.nan,
    (math.nan,),
    frozenset({1}),
    [],
]


def exactly(value: object) -> object:
    return (type(value), [exactly(item) for item in value] if isinstance(value, tuple) else repr(value))


def test_constants_are_told_apart() -> None:
    loads = [load(constant) for constant in CONSTANTS]
    function = made(*loads, Instruction(Op.BUILD_TUPLE, len(loads)), Instruction(RETURN))
    result = function(None)
    assert exactly(result) == exactly(tuple(CONSTANTS))
    for index in (18, 21):
        assert result[index] is CONSTANTS[index]
    assert len(function.__code__.co_consts) == len(CONSTANTS)


def test_equal_constants_share_and_originals_keep_their_place() -> None:
    def source():
        return "first", 2.5, (1, "x")

    routine = decode(source.__code__)
    before = source.__code__.co_consts
    number = float("2.5")
    for value in ("added", number, 7**20, 7**20):
        routine.instructions[0:0] = [load(value), Instruction(Op.POP_TOP)]
    code = encode(routine)
    extra = code.co_consts[len(before) :]
    assert code.co_consts[: len(before)] == before
    assert [constant for constant in extra if constant == 7**20] == [7**20]
    assert "added" in extra
    assert (2.5 in before) != (2.5 in extra)
    assert with_code(source, code)() == source()


def test_constants_without_a_value_of_their_own_go_by_identity() -> None:
    first, second = [], []
    function = made(load(first), load(second), load(first), Instruction(Op.BUILD_TUPLE, 3), Instruction(RETURN))
    one, two, three = function(0)
    assert one is three is first
    assert two is second
    assert sum(constant is first for constant in function.__code__.co_consts) == 1


def instrumented(routine: Routine) -> Routine:
    """A call before every group that something can stand before, jumps included: they land on the call."""
    instructions: list[Instruction] = []
    fixed = (Op.END_FOR, Op.END_SEND, Op.RESUME)
    index = 0
    heads: dict[int, Instruction] = {}
    while index < len(routine.instructions):
        here = routine.instructions[index]
        length = len(here.group.neutral) if here.group is not None and is_intact(routine.instructions, index) else 1
        run = routine.instructions[index : index + length]
        if here.op not in fixed and not any(i.op is Op.CALL_FUNCTION_EX for i in run):
            place = {"position": here.position, "handler": here.handler}
            callee = features.lay_out_callee([Instruction(Op.LOAD_CONST, const=NOTES.append, **place)], **place)
            call = [Instruction(Op.LOAD_CONST, const=here.op.name, **place), Instruction(Op.CALL, 1, **place)]
            heads[id(here)] = callee[0]
            instructions += [*callee, *call, Instruction(Op.POP_TOP, **place)]
        instructions += run
        index += length
    labels = {id(i.target): i.target for i in routine.instructions if i.target is not None}
    handlers = [i.handler for i in routine.instructions if i.handler is not None]
    if routine.entry_handler is not None:
        handlers.append(routine.entry_handler)
    labels |= {id(handler.label): handler.label for handler in handlers}
    for label in labels.values():
        label.instruction = heads.get(id(label.instruction), label.instruction)
    return attrs.evolve(routine, instructions=instructions)


NOTES: list[object] = []


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_a_call_before_everything(program) -> None:
    NOTES.clear()
    code = rewritten(program.__code__, instrumented)
    assert with_code(program, code)() == program()
    assert len(NOTES) > 30


def test_a_jump_that_lands_elsewhere() -> None:
    def source(x):
        if x:
            result = "yes"
        else:
            result = "no"
        return result

    routine = decode(source.__code__)
    jump = next(i for i in routine.instructions if i.op in (Op.POP_JUMP_IF_FALSE, Op.POP_JUMP_IF_TRUE))
    other = [load("elsewhere"), Instruction(RETURN)]
    routine.instructions += other
    assert jump.target is not None
    jump.target.instruction = other[0]
    verify(routine)
    changed = with_code(source, encode(routine))
    assert [changed(1), changed(0)] == ["yes", "elsewhere"]


def test_an_original_jump_turned_round() -> None:
    """Its target now lies before it."""

    def source(x):
        if x:
            return "yes"
        return "no"

    routine = decode(source.__code__)
    start = Label(routine.instructions[0])
    other = [load("early"), Instruction(RETURN)]
    jumps = [i for i in routine.instructions if i.op is Op.POP_JUMP_IF_FALSE and i.target is not None]
    assert len(jumps) == 1
    for jump in jumps:
        jump.target.instruction = other[0]
    routine.instructions = [Instruction(Op.JUMP, target=start), *other, *routine.instructions]
    verify(routine)
    changed = with_code(source, encode(routine))
    assert [changed(0), changed(3)] == ["early", "yes"]


def test_going_on_in_the_middle() -> None:
    """A continuation: the state arrives in one more free variable, and control jumps to where it left off."""

    def source(a, b):
        later = a * 2

        def peek():
            return later

        total = later + b
        return total, peek()

    routine = decode(source.__code__)
    add = next(i for i, instruction in enumerate(routine.instructions) if instruction.op is Op.BINARY_OP)
    add = next(i for i in range(add + 1, len(routine.instructions)) if routine.instructions[i].op is Op.BINARY_OP)
    anchor = routine.instructions[add]
    state_slot = len(routine.slots)
    names = ("peek", "later")
    entry = [
        Instruction(Op.LOAD_DEREF, state_slot),
        Instruction(Op.DELETE_DEREF, state_slot),
        Instruction(Op.UNPACK_SEQUENCE, 2 + len(names)),
        *[Instruction(Op.STORE_FAST, routine.slots.index(name)) for name in names],
        Instruction(Op.JUMP_NO_INTERRUPT, target=Label(anchor)),
    ]
    resumed = attrs.evolve(
        routine,
        freevars=(*routine.freevars, "the state"),
        slots=(*routine.slots, "the state"),
        instructions=[*entry, *routine.instructions],
    )
    verify(resumed)
    code = encode(resumed)
    assert code.co_freevars == ("the state",)
    assert code.co_argcount == 2
    state = CellType(("peek's place", CellType(20), 20, 3))
    function = FunctionType(code, {}, "source", (None, None), (*(source.__closure__ or ()), state))
    # `peek` is what the state says; its call is the one thing after the anchor that needs it
    with pytest.raises(TypeError, match="not callable"):
        function()
    state.cell_contents = (lambda: "peeked", CellType(20), 20, 3)
    assert function() == (23, "peeked")


def test_a_generator_changed() -> None:
    def source(n):
        try:
            for i in range(n):
                got = yield i
                if got:
                    yield got
        finally:
            NOTES.append("done")

    NOTES.clear()
    code = rewritten(source.__code__, instrumented)
    changed = with_code(source, code)
    generator = changed(3)
    assert [next(generator), generator.send("x"), next(generator)] == [0, "x", 1]
    generator.close()
    assert NOTES[-1] != "done" and "done" in NOTES
    assert list(changed(2)) == [0, 1]


def test_what_this_version_cannot_say() -> None:
    for op, reason in DIALECT.absent.items():
        assert features.cannot_emit(op) == reason
        routine = decode(test_names.__code__)
        routine.instructions.insert(0, Instruction(op, 1, name="x"))
        with pytest.raises(EncodeError):
            encode(routine)
    assert features.cannot_emit(Op.NOP) is None


def raising(*_: object) -> object:
    raise ValueError


def raising_generator():
    raise ValueError
    yield


class Raising:
    @property
    def attribute(self) -> object:
        raise ValueError

    def __getitem__(self, index: object) -> object:
        raise ValueError


def covered_alone(kind: str, handler: Handler) -> list[Instruction]:
    """An instruction that enters a frame, the only one that `handler` covers, after all that it needs."""
    end = Instruction(Op.END_FOR)
    leave = [Instruction(Op.RETURN_VALUE)]
    argument = slot(Op.LOAD_FAST, 0)
    if kind == "call":
        call = Instruction(Op.CALL, 1, handler=handler)
        return [*features.lay_out_callee([argument]), load(1), call, *leave]
    if kind == "star call":
        call = Instruction(Op.CALL_FUNCTION_EX, handler=handler)
        null = Instruction(Op.PUSH_NULL, handler=handler)
        return [*features.lay_out_callee([argument]), Instruction(Op.BUILD_TUPLE), null, call, *leave]
    if kind == "loop":
        head = Instruction(Op.FOR_ITER, target=Label(end), handler=handler)
        drop = [Instruction(Op.SWAP, 2), Instruction(Op.POP_TOP)]
        return [argument, Instruction(Op.GET_ITER), head, *drop, *leave, end, load("end"), *leave_again()]
    if kind == "attribute":
        return [argument, Instruction(Op.LOAD_ATTR, name="attribute", handler=handler), *leave]
    return [argument, load(1), Instruction(Op.BINARY_SUBSCR, handler=handler), *leave]


def leave_again() -> list[Instruction]:
    return [Instruction(Op.RETURN_VALUE)]


@pytest.mark.parametrize(
    ("kind", "argument"),
    [
        ("call", lambda: raising),
        ("star call", lambda: raising),
        ("loop", raising_generator),
        ("attribute", Raising),
        ("item", Raising),
    ],
)
def test_a_handler_that_covers_only_what_enters_a_frame(kind: str, argument) -> None:
    """From 3.13 on the interpreter looks one unit too far back for it, once the instruction is specialised."""
    catch = [Instruction(Op.POP_TOP), load("caught"), Instruction(Op.RETURN_VALUE)]
    function = made(*covered_alone(kind, Handler(Label(catch[0]), 0, False)), *catch)
    assert [function(argument()) for _ in range(20)] == ["caught"] * 20


@pytest.mark.parametrize("kind", ["call", "star call", "loop", "attribute", "item"])
def test_what_enters_a_frame_after_code_that_another_handler_covers(kind: str) -> None:
    catch = [Instruction(Op.POP_TOP), load("wrong"), Instruction(Op.RETURN_VALUE)]
    handler = Handler(Label(catch[0]), 0, False)
    run = covered_alone(kind, handler)
    for instruction in run:
        instruction.handler = None if instruction.handler is handler else handler
        if instruction.op is Op.PUSH_NULL and kind == "star call":
            instruction.handler = None
    function = made(*run, *catch)
    argument = {"loop": raising_generator, "attribute": Raising, "item": Raising}.get(kind, lambda: raising)
    for _ in range(20):
        with pytest.raises(ValueError):
            function(argument())


def test_a_header_that_cannot_be() -> None:
    routine = decode(test_names.__code__)
    with pytest.raises(EncodeError):
        encode(attrs.evolve(routine, argument_count=20))
