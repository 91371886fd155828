"""Looking at oneself: `locals()`, `exec`, `eval`, frames, `inspect`, tracebacks, `dir`, `vars`, warnings."""

from __future__ import annotations

import inspect
import sys
import traceback
import warnings

from tests.ladder.both import captured, same

NOT_YET = {
    "test_name_and_module": "SX2014: '__module__' of a new function is not known",
}

journal: list[object] = []
level = "global"


@same((1,), ("s",))
def test_locals(x):
    first = sorted(locals())
    y = [x]
    del x
    z = locals()
    w = 5
    return first, sorted(z), z["y"] is y, sorted(locals())


@same((1,), (2,))
def test_locals_is_a_copy_or_not(x):
    table = locals()
    table["x"] = "written"
    table["new"] = 1
    again = locals()
    return x, sorted(again), "new" in again


@same((1,), (2,))
def test_locals_in_inner_functions(x):
    value = [x]

    def inner(a):
        b = value
        return sorted(locals()), locals()["value"] is value

    return inner(1), (lambda q: sorted(locals()))(1), sorted(vars())


@same((1, 2), ("a", "b"), (0, 0))
def test_eval(a, b):
    log = [eval("a + b"), eval("[a, b, level]"), eval("x", {"x": a}), eval("len(y)", {}, {"y": [b]})]
    for text in ("a +", "nothing_here", "1 // (a - a)" if a != "a" else "a.b", "(c := 5)"):
        try:
            log.append(eval(text))
        except (SyntaxError, NameError, ZeroDivisionError, AttributeError) as error:
            log.append((type(error), error.args[0]))
    return log


@same((1,), ("s",))
def test_exec(x):
    space = {"x": x, "log": journal}
    exec("y = [x]\nlog.append(y)\nfor i in range(2):\n    y.append(i)", space)
    exec("global level_made\nlevel_made = 1\ndef f(a):\n    return a, x", space)
    exec("x = 'only in the frame'")
    return space["y"], space["f"](5), x, sorted(key for key in space if key != "__builtins__")


@same((1,), (0,))
def test_exec_fails(x):
    exec("value = 1\nresult = value // x", {"x": x, "journal": journal})
    journal.append("fine")
    code = compile("x / 0 if x else x", "made up", "eval")
    return eval(code)


@same((1,), (2,))
def test_frames(x):
    frame = sys._getframe()
    here = frame.f_code.co_name, frame.f_lineno - frame.f_code.co_firstlineno, frame.f_locals["x"]

    def caller():
        back = sys._getframe(1)
        return back.f_code.co_name, back.f_locals["x"], back.f_globals["level"], back is frame

    return here, caller()


@same((1,), (2,))
def test_current_line_and_stack(x):
    def where():
        return [(entry.function, entry.lineno) for entry in inspect.stack()[:2]]

    first = inspect.currentframe().f_lineno
    second = where(), (lambda: where())()
    return first, second, [entry.name for entry in traceback.extract_stack()[-1:]]


@same((1,), (2,))
def test_caller_changes_nothing(x):
    def spy(depth):
        frame = sys._getframe(depth)
        return sorted(frame.f_locals), frame.f_lineno

    a = [x]
    first = spy(1)
    b = spy(1)
    for i in range(2):
        a.append(spy(1))
    del b
    return first, a, spy(1)


@same((0,), (1,))
def test_traceback_objects(x):
    def fail(value):
        local = [value]
        return 1 // value

    try:
        return fail(x)
    except ZeroDivisionError as error:
        trace = error.__traceback__
        lines = []
        while trace is not None:
            lines.append((trace.tb_frame.f_code.co_name, trace.tb_lineno, sorted(trace.tb_frame.f_locals)))
            trace = trace.tb_next
        return lines, sys.exc_info()[0], traceback.format_exc(limit=-1).splitlines()[-1]


@same((1,), (2,))
def test_signatures_and_sources(x):
    def inner(a, b: int = 5, *c, d=x, **e) -> str:
        """Doc."""

    signature = inspect.signature(inner)
    bound = signature.bind(1, d=2, z=3)
    return (
        str(signature), bound.arguments, inspect.getdoc(inner), inspect.isfunction(inner), [*signature.parameters],
        inspect.getsource(inner).strip()[:9], inner.__code__.co_varnames, inspect.getfullargspec(inner).kwonlydefaults,
    )  # fmt: skip


@same((1,), ("a",))
def test_dir_and_vars(x):
    class Box:
        size = x

        def __init__(self):
            self.own = x

    box = Box()
    names = [name for name in dir(box) if not name.startswith("__")]
    Box.__dir__ = lambda self: ["b", "a"]
    return names, dir(box), vars(box), "x" in dir(), "box" in vars(), hasattr(dir, "__self__")


@same((1,), (2,))
def test_warnings(x):
    warnings.warn("first", stacklevel=1)
    for i in range(2):
        warnings.warn(f"in the loop {i}", DeprecationWarning, stacklevel=1)

    def deprecated():
        journal.append("called")
        warnings.warn("of the caller", UserWarning, stacklevel=2)
        return x

    deprecated()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            deprecated()
        except UserWarning as warning:
            return warning, journal


@same((1,), (2,))
def test_settrace_sees_lines_of_the_original(x):
    lines = []

    def local(frame, event, argument):
        if event == "line":
            lines.append(frame.f_lineno - frame.f_code.co_firstlineno)
        return local

    def traced(value):
        total = value
        for i in range(2):
            total += i
        return total

    old = sys.gettrace()
    sys.settrace(lambda frame, event, argument: local if frame.f_code is traced.__code__ else None)
    try:
        result = traced(x)
    finally:
        sys.settrace(old)
    return result, lines


@captured((3,), (7,))
def test_name_and_module(x):
    def inner():
        return x

    return inner.__name__, inner.__qualname__, __name__ == inner.__module__, type(x).__name__


@same((1,), (2,))
def test_globals_through_exec(x):
    global level
    exec("level = 'changed by exec'", globals())
    first = level
    level = [x]
    second = eval("level")
    globals()["level"] = "set"
    return first, second, level
