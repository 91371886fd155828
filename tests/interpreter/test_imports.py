"""Import statements inside functions: captured where they only look up, the same as written everywhere."""

from __future__ import annotations

import builtins
import importlib
import json.decoder
import sys
import types

import pytest

import symexec
from tests.interpreter.captures import ALWAYS, assert_captured, compiled
from tests.interpreter.package.inner import deep, side
from tests.support import assert_same
from tests.support.same import arguments


def plain(x):
    import math

    return math.floor(x)


def dotted():
    import json.decoder

    return json.decoder.JSONDecoder, json.dumps is json.decoder


def renamed():
    import json.decoder as d

    return d.JSONDecoder


def names(x):
    from json import JSONDecoder
    from json.decoder import JSONDecodeError as error
    from math import ceil, floor

    return ceil(x), floor(x), JSONDecoder, error


def nested(x):
    def inner():
        from math import sqrt

        return sqrt

    return inner()(x)


def unused():
    from tests.interpreter.package.inner.side import VALUE  # noqa: F401

    return 1


def changes():
    from tests.interpreter.package.inner.side import VALUE

    VALUE.append(len(VALUE))
    VALUE[0] = 1
    return VALUE.pop(), VALUE


@pytest.mark.parametrize(
    ("function", "args"),
    [(plain, (2.5,)), (dotted, ()), (renamed, ()), (names, (1.5,)), (nested, (4.0,)), (unused, ())],
)
def test_modules_that_are_loaded(function, args):
    assert_captured(function, lambda: arguments(*args))


def test_relative_imports():
    assert_captured(deep.relative)
    assert_same(deep.too_far, transform=compiled)


def test_effects_on_what_was_imported():
    assert_captured(changes)


def missing():
    import tests.interpreter.package.nowhere

    return tests


def missing_name():
    from math import nothing

    return nothing


def missing_in_package():
    from tests.interpreter.package import nothing

    return nothing


def dotted_below_a_module():
    import math.nothing

    return math


@pytest.mark.parametrize("function", [missing, missing_name, missing_in_package, dotted_below_a_module])
def test_errors_are_pythons(function):
    assert_same(function, transform=compiled)


def put(monkeypatch, name="tests_made_module", **attributes):
    module = types.ModuleType(name)
    vars(module).update(attributes)
    monkeypatch.setitem(sys.modules, name, module)
    return module


def value():
    import tests_made_module

    return tests_made_module.value


def from_value():
    from tests_made_module import value

    return value


def not_used():
    from tests_made_module import value  # noqa: F401

    return 1


@pytest.mark.parametrize("function", [value, from_value])
def test_another_module_or_value(monkeypatch, function):
    module = put(monkeypatch, value=1)
    found = symexec.compile(function, config=ALWAYS)
    assert [found(), found()] == [1, 1]
    assert symexec.stats(found).breaks == ()
    module.value = 2
    assert [found(), found()] == [2, 2]
    put(monkeypatch, value=3)
    assert [found(), found()] == [3, 3]
    del sys.modules["tests_made_module"].value
    with pytest.raises((ImportError, AttributeError)):
        found()
    monkeypatch.delitem(sys.modules, "tests_made_module")
    with pytest.raises(ModuleNotFoundError):
        found()


def test_a_name_that_is_not_used_has_to_be_there(monkeypatch):
    module = put(monkeypatch, value=1)
    found = symexec.compile(not_used, config=ALWAYS)
    assert [found(), found()] == [1, 1]
    assert symexec.stats(found).breaks == ()
    del module.value
    with pytest.raises(ImportError, match="value"):
        found()


def test_modules_that_look_up_names_themselves(monkeypatch):
    asked = []

    def look_up(name):
        asked.append(name)
        raise AttributeError(name)

    module = put(monkeypatch, value=1)
    found = symexec.compile(from_value, config=ALWAYS)
    assert [found(), found()] == [1, 1]
    del module.value
    module.__getattr__ = look_up
    for _ in range(2):
        asked.clear()
        with pytest.raises(ImportError):
            from_value()
        expected = [*asked]
        asked.clear()
        with pytest.raises(ImportError):
            found()
        assert asked == expected


def test_objects_that_are_no_modules(monkeypatch):
    monkeypatch.setitem(sys.modules, "tests_made_module", types.SimpleNamespace(value=5))
    for function in (value, from_value):
        assert_same(function, transform=compiled)


def test_another_import_function(monkeypatch):
    original, names = builtins.__import__, []

    def spy(name, *rest):
        names.append(name)
        return original(name, *rest)

    found = symexec.compile(plain, config=ALWAYS)
    assert [found(1.5), found(1.5)] == [1, 1]
    with monkeypatch.context() as patch:
        patch.setattr(builtins, "__import__", spy)
        assert found(1.5) == 1
        found_names = [*names]
    assert "math" in found_names
    assert found(1.5) == 1


def test_modules_that_are_being_loaded(monkeypatch):
    module = put(monkeypatch, value=1)
    module.__spec__ = importlib.machinery.ModuleSpec("tests_made_module", None)
    module.__spec__._initializing = 1
    found = symexec.compile(value, config=ALWAYS)
    assert [found(), found()] == [1, 1]
    assert {reason.code for reason in symexec.stats(found).breaks} == {"SX1011"}


def test_the_first_call_imports(monkeypatch):
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)

    def function():
        import colorsys

        return colorsys.rgb_to_hsv(0, 0, 0)

    found = symexec.compile(function, config=ALWAYS)
    assert [found(), found(), found()] == [(0.0, 0.0, 0)] * 3
    assert "colorsys" in sys.modules


def test_packages_may_change(monkeypatch):
    found = symexec.compile(deep.relative, config=ALWAYS)
    assert found() == found() == deep.relative()
    monkeypatch.setitem(vars(deep), "__package__", "tests.interpreter.package")
    monkeypatch.setattr(deep.__spec__, "name", "tests.interpreter.package.deep")
    with pytest.raises(ImportError):
        deep.relative()
    with pytest.raises(ImportError):
        found()
    assert side.VALUE


def test_the_name_modules_of_sys_means_nothing(monkeypatch):
    found = symexec.compile(plain, config=ALWAYS)
    assert found(1.5) == 1
    monkeypatch.setattr(sys, "modules", {**sys.modules, "math": None})
    assert plain(1.5) == found(1.5) == 1


def test_taking_a_module_out_in_between(monkeypatch):
    put(monkeypatch, value=1)

    def function():
        import tests_made_module

        first = tests_made_module.value
        del sys.modules["tests_made_module"]
        import tests_made_module as again

        return first, again

    for each in (function, symexec.compile(function, config=ALWAYS)):
        put(monkeypatch, value=1)
        with pytest.raises(ModuleNotFoundError):
            each()


assert json.decoder
