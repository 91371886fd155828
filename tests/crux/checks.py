"""The rules of emission as checks of any maker of compiled functions: `make(function, examples) -> function`.

`examples` are callables that give fresh arguments; the maker may call what it made with them until it is warm. The
checks know nothing of how the function was made: they compare it with the plain one, and put triggers in front of its
instructions.
"""

from __future__ import annotations

import _thread
import contextlib
import ctypes
import functools
import gc
import io
import operator
import signal
import sys
import threading
import traceback
import types
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from . import subjects
from .assembly import VERSION, decode, insert, may_precede

Arguments = tuple[object, ...]
Examples = Sequence[Callable[[], Arguments]]


class Make(Protocol):
    def __call__(self, function: types.FunctionType, examples: Examples, /) -> types.FunctionType: ...


MONITORING = hasattr(sys, "monitoring")
Check = Callable[[Make], None]


def large() -> object:
    """Large enough for a product to give up the interpreter lock for long."""
    size = 120 if subjects.ARRAYS == "numpy" else 4
    return subjects.full(size, size, 0.01)


def matrix() -> object:
    return subjects.array([[0.5, 0.25], [0.0, 0.5]])


def integers() -> Arguments:
    return [1, 2, 3], subjects.make_manager(), matrix()


def arrays() -> Arguments:
    return (
        [subjects.array([[1.0, 0.0], [0.0, 1.0]]), subjects.full(2, 2, 1.0), subjects.array([[1.0, 0.0], [0.0, 1.0]])],
        subjects.make_manager(),
        matrix(),
    )


def plain_data(value: object) -> object:
    """Comparable: arrays as nested tuples, containers by content, other objects by type."""
    if isinstance(value, subjects.ARRAY_TYPE):
        return str(value.dtype), value.shape, plain_data(value.tolist())
    if isinstance(value, (list, tuple)):
        return type(value).__name__, tuple(plain_data(each) for each in value)
    if isinstance(value, dict):
        return tuple((key, plain_data(each)) for key, each in value.items())
    if value is None or isinstance(value, (int, float, str)):
        return value
    return type(value).__name__


# -- triggers: a C callable reached through `~trigger`, which neither polls nor traces ----------------------------
class Trigger:
    """`pulled` is an object whose `~` does nothing `skipped` times, then calls `fire` once, then nothing: in C
    throughout.
    """

    def __init__(self, fire: Callable[[], object], skipped: int = 0) -> None:
        self.turns = iter([int] * skipped + [fire] + [int] * 500)
        self.pulled = type("Pulled", (), {"__invert__": map(operator.call, self.turns).__next__})()

    def fired(self) -> bool:
        return operator.length_hint(self.turns) <= 500


def triggered(function: types.FunctionType, number: int, trigger: Trigger, polled: bool = False) -> types.FunctionType:
    """A copy of the function that pulls the trigger whenever it is about to run its instruction `number`, and perhaps
    polls.
    """
    added = [("LOAD_CONST", trigger.pulled), ("UNARY_INVERT", 0), ("POP_TOP", 0)]
    code = insert(function.__code__, number, [*added, *(POLL if polled else ())])
    made = types.FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


POLL: list[tuple[str, object]] = {
    (3, 11): [("PUSH_NULL", 0), ("LOAD_CONST", sys.gettrace), ("PRECALL", 0), ("CALL", 0), ("POP_TOP", 0)],
    (3, 12): [("PUSH_NULL", 0), ("LOAD_CONST", sys.gettrace), ("CALL", 0), ("POP_TOP", 0)],
}.get(VERSION, [("LOAD_CONST", sys.gettrace), ("PUSH_NULL", 0), ("CALL", 0), ("POP_TOP", 0)])


def places(function: types.FunctionType) -> list[int]:
    instructions = decode(function.__code__)
    return [number for number in range(len(instructions)) if may_precede(instructions, number)]


def executed(function: types.FunctionType, run: Callable[[types.FunctionType], object]) -> list[int]:
    """The instructions that a run reaches."""
    reached = []
    for number in places(function):
        seen: list[int] = []
        run(triggered(function, number, Trigger(functools.partial(seen.append, number))))
        if seen:
            reached.append(number)
    return reached


def traced_stores(
    function: types.FunctionType, plain: types.FunctionType, run: Callable[[types.FunctionType], object]
) -> list[int]:
    """Executed `STORE_ATTR` instructions behind the original code: proof that a trace ran and committed."""
    instructions = decode(function.__code__)
    originals = sum(each.name == "STORE_ATTR" for each in decode(plain.__code__))
    stores = [number for number, each in enumerate(instructions) if each.name == "STORE_ATTR"]
    reached = set(executed(function, run))
    return [number for number in stores[originals:] if number in reached]


# -- outcomes ------------------------------------------------------------
def settle() -> None:
    """Let what is still pending be raised here."""
    for _ in range(3):
        with contextlib.suppress(KeyboardInterrupt, TimeoutError):
            for _ in range(20):
                pass


def outcome(function: types.FunctionType, fresh: Callable[[], Arguments]) -> tuple[object, ...]:
    """All that a program can see of one call of a loop subject, but the line on which an asynchronous exception hit."""
    arguments = fresh()
    manager = arguments[1]
    subjects.ENTERED.reset()
    subjects.EXITED.reset()
    printed, result, error, frame_locals = io.StringIO(), None, None, None
    try:
        with contextlib.redirect_stdout(printed):
            result = function(*arguments)
    except BaseException as raised:
        error = type(raised).__name__, str(raised), type(raised.__context__).__name__
        own = raised.__traceback__.tb_next
        if own is None:
            frame_locals = "in the caller"
        else:
            frame_locals = plain_data({name: value for name, value in own.tb_frame.f_locals.items() if name != "error"})
    settle()
    state = {name: plain_data(value) for name, value in vars(manager).items()}
    return (
        printed.getvalue(),
        plain_data(result),
        error,
        frame_locals,
        tuple(state.items()),
        subjects.ENTERED.calls(),
        subjects.EXITED.calls(),
    )


Outcomes = dict[tuple[object, ...], tuple[int, int]]


def _outcomes(
    function: types.FunctionType, fire: Callable[[], object], numbers: Iterable[int], polled: bool = False
) -> Outcomes:
    """The outcomes of the runs in which the event came in front of one of these instructions, and for which it came."""
    found: Outcomes = {}
    for number in numbers:
        for skipped in range(3):
            trigger = Trigger(fire, skipped)
            got = outcome(triggered(function, number, trigger, polled), integers)
            if trigger.fired():
                found.setdefault(got, (number, skipped))
    return found


def _inside_calls(function: types.FunctionType, fire: Callable[[], object]) -> Outcomes:
    """The outcomes of an event that comes while a call of the function is at work, too late for the callee to
    notice.
    """
    instructions = decode(function.__code__)
    after = [number for number in places(function) if instructions[number - 1].name == "CALL"]
    return _outcomes(function, fire, after, polled=True)


def _amid_stores(function: types.FunctionType, plain: types.FunctionType, number: int) -> bool:
    """Whether the instruction lies in a run of stores behind the original code, where nothing can raise of its own
    accord.
    """
    instructions = decode(function.__code__)
    for index in range(number - 1, len(decode(plain.__code__)), -1):
        name = instructions[index].name
        if "CALL" in name or "JUMP" in name:
            return False
        if name.startswith(("STORE_", "DELETE_")):
            return True
    return False


def check_pending_everywhere(
    make: Make, fire: Callable[[], object], at_once: bool = False, anywhere: bool = True
) -> None:
    """Whatever becomes pending (or is raised by a signal handler) at whatever instruction, the outcome is one that
    plain Python has for the same event at some instruction of its own: never half a commit, never a lost exception,
    `__exit__` once, the same locals. With `anywhere` plain Python may look for the event between any two of its own
    instructions (an anchor looks where it stands) unless it would then skip `__exit__`.
    An event that raises `at_once` is left out amid stores, where only a trigger
    could raise.
    """
    plain = subjects.loop
    made = make(plain, [integers])
    assert traced_stores(made, plain, lambda function: outcome(function, integers)), "the trace does not run at all"
    possible = _inside_calls(plain, fire) | _outcomes(plain, fire, places(plain))
    if anywhere:
        between = _outcomes(plain, fire, places(plain), polled=True)
        possible |= {got: at for got, at in between.items() if got[-1] == got[-2]}
    assert all(each[2] or dict(each[4])["caught"] for each in possible), "an event was lost by plain Python"
    originals = len(decode(plain.__code__))
    numbers = [number for number in places(made) if not (at_once and _amid_stores(made, plain, number))]
    for got, (number, skipped) in _outcomes(made, fire, numbers).items():
        assert got in possible, f"at {number} {decode(made.__code__)[number]}, turn {skipped}: {got}"
        if number >= originals:
            assert got[-1] == got[-2] == 1, f"at {number}: entered {got[-2]} times, left {got[-1]} times"


def check_keyboard_interrupt(make: Make) -> None:
    check_pending_everywhere(make, _thread.interrupt_main)


@contextlib.contextmanager
def alarm_handler(handler: Callable[..., object]) -> Iterable[None]:
    before = signal.signal(signal.SIGUSR1, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGUSR1, before)


def raise_timeout(number: int, frame: object) -> None:
    raise TimeoutError("time is up")


class UserTimeout(ValueError):
    """A handler's exception that looks like an operation's own error."""


def raise_value_error(number: int, frame: object) -> None:
    raise UserTimeout("time is up")


def check_signal_handler(make: Make, handler: Callable[..., object] = raise_timeout) -> None:
    """An exception from a signal handler is never swallowed: raised at the next poll, and in the middle of an
    operation.
    """
    with alarm_handler(handler):
        check_pending_everywhere(make, functools.partial(_thread.interrupt_main, signal.SIGUSR1))
        check_pending_everywhere(make, functools.partial(signal.raise_signal, signal.SIGUSR1), at_once=True)


def check_signal_handler_with_common_error(make: Make) -> None:
    """The handler's exception is of a kind that the operations raise themselves: told apart by its frames."""
    check_signal_handler(make, raise_value_error)


def check_asynchronous_exception(make: Make) -> None:
    """An exception set for this thread from outside, which comes without any frame, is not taken for an operation's
    own.
    """

    class Stop(Exception):
        pass

    set_it = ctypes.pythonapi.PyThreadState_SetAsyncExc
    identity = ctypes.c_ulong(threading.get_ident())
    check_pending_everywhere(make, functools.partial(set_it, identity, ctypes.py_object(Stop)))


def check_error_everywhere(make: Make) -> None:
    """An error raised at any instruction, even where none is expected: what plain Python can show for it, or the
    outcome of a call without it, or, once stores have begun, no effect twice and `__exit__` once.
    """
    plain = subjects.loop
    made = make(plain, [integers])
    fail = functools.partial(bytearray, sys.maxsize)
    possible = {outcome(plain, integers), *_outcomes(plain, fail, places(plain))}
    for got, (number, skipped) in _outcomes(made, fail, places(made)).items():
        where = f"at {number} {decode(made.__code__)[number]}, turn {skipped}: {got}"
        if got not in possible:
            assert got[2] is not None and got[-1] == got[-2] == 1, where
            assert dict(got[4])["total"] <= got[0].count("\n"), where


# -- exceptions of the traced operations ------------------------------------------------------------
def report(function: types.FunctionType, arguments: Arguments) -> tuple[object, ...]:
    """Type, message, context, and each traceback entry with its columns, of what the call raises or keeps as
    `caught`.
    """
    with contextlib.redirect_stdout(io.StringIO()) as printed, subjects.overflow_raises():
        try:
            function(*arguments)
            kind, message, entries = arguments[1].caught
            context: object = None
        except Exception as raised:
            kind, message, entries = type(raised).__name__, str(raised), raised.__traceback__
            context = [type(each).__name__ for each in contexts(raised)]
    frames = [entry.tb_frame for entry in _chain(entries)]
    places_ = [
        (each.name, each.lineno, each.end_lineno, each.colno, each.end_colno, each.line)
        for each in traceback.extract_tb(entries)
    ]
    own = next(index for index, frame in enumerate(frames) if frame.f_code.co_name == function.__name__)
    arguments[1].caught = None
    return (
        kind,
        message,
        context,
        tuple(places_[own:]),
        printed.getvalue(),
        arguments[1].total,
        frames[own].f_lineno if context is not None else None,
    )


def contexts(error: BaseException) -> Iterable[BaseException]:
    """The exceptions that were being handled, from the newest to the oldest."""
    while error.__context__ is not None:
        error = error.__context__
        yield error


def _chain(entry: types.TracebackType | None) -> Iterable[types.TracebackType]:
    while entry is not None:
        yield entry
        entry = entry.tb_next


def wrong_shape() -> Arguments:
    return [subjects.array([[1.0, 0.0], [0.0, 1.0]]), subjects.full(3, 5, 1.0)], subjects.make_manager(), matrix()


def overflowing() -> Arguments:
    return (
        [subjects.array([[1.0, 0.0], [0.0, 1.0]]), subjects.full(2, 2, 1.5e308)],
        subjects.make_manager(),
        subjects.array([[1e154, 0.0], [0.0, 1e154]]),
    )


def in_except_block(function: types.FunctionType, arguments: Arguments) -> tuple[object, ...]:
    try:
        try:
            raise KeyError("outer")
        except KeyError:
            {}.popitem
            1 / 0
    except ZeroDivisionError:
        return report(function, arguments)


def check_error_in_operation(make: Make) -> None:
    """Type, message, lines, columns, context; effects before it done once. Caught by the function's own handler too."""
    for plain in (subjects.effect_first, subjects.loop_over_arrays):
        made = make(plain, [arrays])
        for arguments in (wrong_shape, overflowing):
            assert report(made, arguments()) == report(plain, arguments())
            assert in_except_block(made, arguments()) == in_except_block(plain, arguments())
    assert report(subjects.effect_first, overflowing())[0] == "FloatingPointError"


def check_error_in_library_frame(make: Make) -> None:
    """An operation that fails in a Python frame of its own library: the effect before it is done, once."""

    def run(function: types.FunctionType) -> tuple[object, ...]:
        counter = subjects.Summing()
        try:
            function(counter, matrix(), 7)
        except Exception as raised:
            return (
                type(raised).__name__,
                str(raised),
                counter.n,
                [entry.tb_lineno for entry in _chain(raised.__traceback__)][1:],
            )
        return ()

    want = run(subjects.Summing.step)
    assert want[2] == 1 and len(want[3]) > 1
    assert run(make(subjects.Summing.step, [lambda: (subjects.Summing(), matrix(), 0)])) == want


# -- what the frame shows ------------------------------------------------------------
def check_locals(make: Make) -> None:
    """`locals()` at the end and the frame's locals from a function called in between: names, order and values."""

    def run(function: types.FunctionType, *given: Arguments) -> list[object]:
        seen: list[dict[str, object]] = []
        arguments = arrays()
        result = function(*arguments, subjects.look_at_caller(seen))
        return [plain_data(each) for each in (*seen, result)]

    made = make(subjects.watched, [lambda: (*arrays(), subjects.look_at_caller([]))])
    assert traced_stores(made, subjects.watched, run)
    assert run(made) == run(subjects.watched)


# -- lifetime ------------------------------------------------------------
def check_freed(make: Make) -> None:
    """A class, its compiled method and a closure that holds both go away when dropped."""

    def build() -> list[weakref.ref]:
        class Local(subjects.Counter):
            step = subjects.fresh_step()

        Local.step = make(Local.step, [lambda: (Local(), matrix())])
        counter = Local()
        counter.step(matrix())
        assert counter.n == 1

        def closure() -> object:
            return Local, counter, closure

        Local.closure = closure
        return [weakref.ref(Local), weakref.ref(Local.step), weakref.ref(counter), weakref.ref(closure)]

    references = build()
    for _ in range(3):
        gc.collect()
    assert [each() for each in references] == [None] * 4


# -- threads ------------------------------------------------------------
def check_no_count_is_lost(make: Make, rounds: int = 300) -> None:
    """Four threads on `self.n += 1; return x @ x`."""
    made = make(subjects.Counter.step, [lambda: (subjects.Counter(), large())])
    counter, interval = subjects.Counter(), sys.getswitchinterval()
    counter.n = 1000  # no small cached integers

    def work() -> None:
        operand = large()
        for _ in range(rounds):
            made(counter, operand)

    threads = [threading.Thread(target=work) for _ in range(4)]
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert counter.n == 1000 + 4 * rounds


def check_switch_everywhere(make: Make) -> None:
    """Another thread that adds to the counter when it gets its turn, after whatever instruction that may give it one.

    A handler stands for the thread: it runs at the next poll, or at once. At once it may lose only between a read and a
    store with nothing that polls or gives up the lock between them: there no other thread can run.
    """
    plain = subjects.Counter.step
    made = make(plain, [lambda: (subjects.Counter(), matrix())])
    counters: list[subjects.Counter] = []
    handled: list[int] = []

    def other(number: int, frame: object) -> None:
        handled.append(number)
        counters[-1].n += 1000

    instructions = decode(made.__code__)
    with alarm_handler(other):
        for number in places(made):
            for send in (_thread.interrupt_main, signal.raise_signal):
                counters.append(subjects.Counter())
                triggered(made, number, Trigger(functools.partial(send, signal.SIGUSR1)))(counters[-1], matrix())
                settle()
                if len(handled) < len(counters):
                    handled.append(number)  # not on the path
                    continue
                if counters[-1].n != 1001 and send is signal.raise_signal:
                    following = instructions[number:]
                    following = following[
                        : next(index for index, each in enumerate(following) if each.name == "STORE_ATTR")
                    ]
                    assert not any(
                        "CALL" in each.name or (each.name, each.arg) == ("BINARY_OP", 4) for each in following
                    ), following
                else:
                    assert counters[-1].n == 1001, f"at {number} {instructions[number]}"


# -- tools ------------------------------------------------------------
def events(function: types.FunctionType, arguments: Arguments) -> list[object]:
    """What a debugger sees: each event with its line, the frame's locals and the state of the manager."""
    seen: list[object] = []

    def tracer(frame: types.FrameType, event: str, argument: object) -> object:
        if frame.f_code.co_name != function.__name__:
            return None
        seen.append((event, frame.f_lineno, plain_data(dict(frame.f_locals)), plain_data(vars(arguments[1]))))
        return tracer

    before = sys.gettrace()
    with contextlib.redirect_stdout(io.StringIO()):
        sys.settrace(tracer)
        try:
            function(*arguments)
        finally:
            sys.settrace(before)
    return seen


def check_settrace(make: Make) -> None:
    for plain, fresh in (
        (subjects.loop, integers),
        (subjects.effect_first, arrays),
        (subjects.middle_of_a_line, integers),
    ):
        made = make(plain, [fresh])
        assert traced_stores(made, plain, lambda function, fresh=fresh: outcome(function, fresh))
        assert events(made, fresh()) == events(plain, fresh())


def check_setprofile(make: Make) -> None:
    """Calls and returns of Python functions are those of the plain function; the trace runs under a profiler."""

    def run(function: types.FunctionType) -> list[tuple[str, str]]:
        seen: list[tuple[str, str]] = []

        def profiler(frame: types.FrameType, event: str, argument: object) -> None:
            if not event.startswith("c_"):
                seen.append((event, frame.f_code.co_name))

        sys.setprofile(profiler)
        try:
            outcome(function, integers)
        finally:
            sys.setprofile(None)
        return seen

    assert run(make(subjects.loop, [integers])) == run(subjects.loop)


def check_monitoring(make: Make) -> None:
    """With `sys.monitoring` (3.12+), which no stub can notice: the same lines in the same order.
    So within a trace no instruction may carry an earlier line than one before it."""
    if not MONITORING:
        return
    monitoring = sys.monitoring

    def run(function: types.FunctionType, fresh: Callable[[], Arguments]) -> list[int]:
        lines: list[int] = []
        monitoring.use_tool_id(4, "crux")
        monitoring.register_callback(4, monitoring.events.LINE, lambda code, line: lines.append(line))
        monitoring.set_local_events(4, function.__code__, monitoring.events.LINE)
        try:
            outcome(function, fresh)
        finally:
            monitoring.set_local_events(4, function.__code__, 0)
            monitoring.free_tool_id(4)
        return lines

    for plain, fresh in ((subjects.loop, integers), (subjects.effect_first, arrays)):
        assert run(make(plain, [fresh]), fresh) == run(plain, fresh)


def check_line_of_interrupt(make: Make) -> None:
    """An exception that hits a guard is reported on a line of the source, never on none; the frame's own line
    agrees.
    """
    plain = subjects.effect_first
    made = make(plain, [arrays])
    with alarm_handler(raise_timeout):
        for number in places(made):
            for send in (_thread.interrupt_main, signal.raise_signal):
                try:
                    with contextlib.redirect_stdout(io.StringIO()):
                        triggered(made, number, Trigger(functools.partial(send, signal.SIGUSR1)))(*arrays())
                    settle()
                except TimeoutError as raised:
                    for entry in [
                        each for each in _chain(raised.__traceback__) if each.tb_frame.f_code.co_name == plain.__name__
                    ]:
                        where = (
                            f"at {number} {decode(made.__code__)[number]}: {entry.tb_lineno}, {entry.tb_frame.f_lineno}"
                        )
                        assert entry.tb_lineno is not None and entry.tb_lineno > plain.__code__.co_firstlineno, where
                        assert entry.tb_frame.f_lineno == entry.tb_lineno, where


def check_results(make: Make) -> None:
    """Three calls of each subject, beside plain Python, misses included."""
    for plain, fresh in (
        (subjects.loop, integers),
        (subjects.loop_over_arrays, arrays),
        (subjects.effect_first, arrays),
        (subjects.middle_of_a_line, integers),
    ):
        made = make(plain, [fresh])
        assert traced_stores(made, plain, lambda function, fresh=fresh: outcome(function, fresh)), plain.__name__
        for arguments in (fresh, integers, arrays, fresh):
            assert outcome(made, arguments) == outcome(plain, arguments)


CHECKS: list[Check] = [
    value
    for name, value in sorted(globals().items())
    if name.startswith("check_") and name != "check_pending_everywhere"
]
