"""Looks into everything that is neither a plain value, a builtin container nor one of NumPy's: functions, classes,
instances, exceptions, iterators.

Only the test's own objects (`Scope`) are looked into; others show their name, and standard-library objects what they
would be pickled as.
"""

from __future__ import annotations

import copyreg
import functools
import inspect
import types
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping

from tests.support.containers import CONTAINERS, CONTENTS, items_of, numbered
from tests.support.look import (
    Look,
    Part,
    Scope,
    bases_in_order,
    class_name,
    class_namespace,
    instance_namespace,
    instance_slots,
    is_standard,
)

# What Python itself adds to a class, at its own time.
UNSTABLE_CLASS_ENTRIES = frozenset(
    {
        "__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "__annotations__", "__annotate__",
        "__annotate_func__", "__annotations_cache__", "__firstlineno__", "__static_attributes__", "__type_params__",
        "_abc_impl",
    }
)  # fmt: skip

# Those of them that the class statement itself writes, so that they are a class's own and the same in every run.
SHOWN_CLASS_ENTRIES = frozenset({"__doc__", "__static_attributes__", "__firstlineno__", "__type_params__"})

# Attributes of exceptions that are shown in a form of their own.
EXCEPTION_LINKS = frozenset({"__dict__", "__traceback__", "__cause__", "__context__", "args"})


def look_into_object(value: object, scope: Scope) -> Look:
    kind = type(value)
    if kind in CONTAINERS:
        return CONTAINERS[kind](value)
    if kind in BUILTIN_LOOKS:
        return BUILTIN_LOOKS[kind](value, scope)
    if issubclass(kind, type):
        return look_into_class(value, scope)
    if issubclass(kind, BaseException):
        return look_into_exception(value, scope)
    if issubclass(kind, weakref.ReferenceType):
        return Look("weak reference", [("()", weakref.ReferenceType.__call__(value))])
    if scope.owns_class(kind):
        return look_into_instance(value, scope)
    if is_standard(kind):
        return look_into_standard(value)
    return Look(f"instance of {class_name(kind)}, opaque{name_if_any(value)}")


def name_if_any(value: object) -> str:
    """The `__name__` that extension modules' callables carry."""
    name = getattr(value, "__name__", None)
    return f" {name}" if isinstance(name, str) else ""


def look_into_function(function: types.FunctionType, scope: Scope) -> Look:
    name = f"function {function.__module__}.{function.__qualname__}"
    if not scope.owns_function(function):
        return Look(name)
    code = function.__code__
    parts: list[Part] = [
        (".__name__", function.__name__),
        (".__doc__", function.__doc__),
        annotations_of(function),
        (".__type_params__", getattr(function, "__type_params__", ())),
        (".__defaults__", function.__defaults__),
        (".__kwdefaults__", function.__kwdefaults__),
    ]
    parts.extend(
        (f".closure[{variable!r}]", cell)
        for variable, cell in zip(code.co_freevars, function.__closure__ or (), strict=True)
    )
    parts.extend((f".{key}", entry) for key, entry in sorted(vars(function).items()))
    return Look(f"{name} of line {code.co_firstlineno}", parts)


def annotations_of(function: types.FunctionType) -> Part:
    """The annotations; where they are made when asked for, the function that makes them, which is not called here."""
    name = "__annotate__" if hasattr(types.FunctionType, "__annotate__") else "__annotations__"
    return f".{name}", getattr(function, name)


def look_into_cell(cell: types.CellType, scope: Scope) -> Look:
    try:
        return Look("cell", [(".contents", cell.cell_contents)])
    except ValueError:
        return Look("empty cell")


def look_into_method(method: types.MethodType, scope: Scope) -> Look:
    return Look("bound method", [(".__func__", method.__func__), (".__self__", method.__self__)])


def look_into_builtin(function: types.BuiltinFunctionType, scope: Scope) -> Look:
    owner = function.__self__
    if owner is None or isinstance(owner, types.ModuleType):
        return Look(f"builtin function {function.__module__}.{function.__qualname__}")
    return Look(f"builtin method {function.__qualname__}", [(".__self__", owner)])


def look_into_wrapper(wrapper: types.MethodWrapperType, scope: Scope) -> Look:
    return Look(f"method wrapper {wrapper.__name__}", [(".__self__", wrapper.__self__)])


def look_into_descriptor(descriptor: object, scope: Scope) -> Look:
    return Look(f"{type(descriptor).__name__} {descriptor.__objclass__.__qualname__}.{descriptor.__name__}")


def look_into_property(value: property, scope: Scope) -> Look:
    return Look("property", [(".fget", value.fget), (".fset", value.fset), (".fdel", value.fdel)])


def look_into_wrapped(value: classmethod | staticmethod, scope: Scope) -> Look:
    return Look(type(value).__name__, [(".__func__", value.__func__)])


def look_into_partial(value: functools.partial, scope: Scope) -> Look:
    return Look("partial", [(".func", value.func), (".args", value.args), (".keywords", value.keywords)])


def look_into_module(module: types.ModuleType, scope: Scope) -> Look:
    return Look(f"module {types.ModuleType.__getattribute__(module, '__name__')}")


def look_into_code(code: types.CodeType, scope: Scope) -> Look:
    return Look(f"code {code.co_qualname} of line {code.co_firstlineno} of {code.co_filename}")


def look_into_frame(frame: types.FrameType, scope: Scope) -> Look:
    return Look(f"frame of {frame.f_code.co_qualname} at line {frame.f_lineno}")


def look_into_generator(generator: types.GeneratorType, scope: Scope) -> Look:
    return Look(suspended(generator, inspect.getgeneratorstate(generator), generator.gi_frame))


def look_into_coroutine(coroutine: types.CoroutineType, scope: Scope) -> Look:
    return Look(suspended(coroutine, inspect.getcoroutinestate(coroutine), coroutine.cr_frame))


def look_into_async_generator(generator: types.AsyncGeneratorType, scope: Scope) -> Look:
    return Look(suspended(generator, "", generator.ag_frame))


def suspended(value: object, state: str, frame: types.FrameType | None) -> str:
    line = "" if frame is None else f" at line {frame.f_lineno}"
    return f"{type(value).__name__} {value.__qualname__} {state}{line}"


BUILTIN_LOOKS: Mapping[type, Callable[..., Look]] = {
    types.FunctionType: look_into_function,
    types.CellType: look_into_cell,
    types.MethodType: look_into_method,
    types.BuiltinFunctionType: look_into_builtin,
    types.MethodWrapperType: look_into_wrapper,
    types.WrapperDescriptorType: look_into_descriptor,
    types.MethodDescriptorType: look_into_descriptor,
    types.ClassMethodDescriptorType: look_into_descriptor,
    types.GetSetDescriptorType: look_into_descriptor,
    types.MemberDescriptorType: look_into_descriptor,
    property: look_into_property,
    classmethod: look_into_wrapped,
    staticmethod: look_into_wrapped,
    functools.partial: look_into_partial,
    types.ModuleType: look_into_module,
    types.CodeType: look_into_code,
    types.FrameType: look_into_frame,
    types.GeneratorType: look_into_generator,
    types.CoroutineType: look_into_coroutine,
    types.AsyncGeneratorType: look_into_async_generator,
}


def look_into_class(cls: type, scope: Scope) -> Look:
    if not scope.owns_class(cls):
        return Look(f"class {class_name(cls)}")
    namespace = class_namespace(cls)
    hidden = UNSTABLE_CLASS_ENTRIES - SHOWN_CLASS_ENTRIES
    entries = {key: entry for key, entry in namespace.items() if key not in hidden}
    if namespace.get("__annotations__"):  # an empty one may come of being asked for
        entries["__annotations__"] = namespace["__annotations__"]
    parts: list[Part] = [(f".{key}", entry) for key, entry in sorted(entries.items())]
    bases = ", ".join(class_name(base) for base in bases_in_order(cls)[1:])
    return Look(f"class {class_name(cls)} ({bases})", [*parts, *class_of(cls, scope)])


def class_of(value: object, scope: Scope) -> list[Part]:
    """The class as one more part, where it is the test's own: its identity and its attributes count."""
    return [(".__class__", type(value))] if scope.owns_class(type(value)) else []


def look_into_instance(value: object, scope: Scope) -> Look:
    parts: list[Part] = []
    for base in bases_in_order(type(value)):
        if base in CONTENTS:
            parts.append((".contents", CONTENTS[base](value)))
            break
    parts.extend((f".{name}", entry) for name, entry in (instance_namespace(value) or {}).items())
    parts.extend((f".{name}", entry) for _, name, entry in instance_slots(value, scope))
    return Look(f"instance of {class_name(type(value))}", [*parts, *class_of(value, scope)])


def look_into_standard(value: object) -> Look:
    """A standard-library object: what it would be pickled as, if it can be."""
    text = f"instance of {class_name(type(value))}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # itertools deprecates being pickled
            registered = copyreg.dispatch_table.get(type(value))
            reduced = value.__reduce_ex__(4) if registered is None else registered(value)
    except Exception:
        return Look(f"{text}, opaque")
    if isinstance(reduced, str):
        return Look(f"{text} {reduced}")
    parts: list[Part] = [("!make", reduced[0]), ("!arguments", reduced[1])]
    if len(reduced) > 2 and reduced[2] is not None:
        parts.append(("!state", reduced[2]))
    if len(reduced) > 3 and reduced[3] is not None:
        parts.extend(numbered(reduced[3]))
    if len(reduced) > 4 and reduced[4] is not None:
        parts.extend(items_of(reduced[4]))
    return Look(text, parts)


def look_into_exception(error: BaseException, scope: Scope) -> Look:
    parts: list[Part] = [(".args", BaseException.args.__get__(error))]
    for cls in bases_in_order(type(error)):
        for name, descriptor in class_namespace(cls).items():
            is_field = type(descriptor) in (types.MemberDescriptorType, types.GetSetDescriptorType)
            if is_field and name not in EXCEPTION_LINKS and not name.startswith("__weakref"):
                try:
                    parts.append((f".{name}", descriptor.__get__(error)))
                except AttributeError:
                    continue  # an unbound slot
    parts.extend((f".{name}", entry) for name, entry in (instance_namespace(error) or {}).items())
    parts.append((".__cause__", BaseException.__cause__.__get__(error)))
    parts.append((".__context__", BaseException.__context__.__get__(error)))
    parts.extend((f".traceback[{index}]", text) for index, text in enumerate(traceback_texts(error, scope)))
    return Look(f"exception {class_name(type(error))}", [*parts, *class_of(error, scope)])


def traceback_texts(error: BaseException, scope: Scope) -> Iterator[str]:
    """File, function, line and caret positions of each frame that `error` passed through, outermost first."""
    entry = BaseException.__traceback__.__get__(error)
    while entry is not None:
        code = entry.tb_frame.f_code
        if not scope.hides_file(code.co_filename):
            positions = list(code.co_positions())[entry.tb_lasti // 2]
            yield f"{code.co_filename}, {code.co_qualname}, line {entry.tb_lineno}, {positions}"
        entry = entry.tb_next
