"""Template strings, where Python has them: as written and compiled, and captured."""

from __future__ import annotations

import pytest

from symexec.bytecode import features
from tests.interpreter.captures import assert_captured, compiled
from tests.support.same import arguments, assert_same

pytestmark = pytest.mark.skipif(not features.HAS_TEMPLATES, reason="no template strings")

SOURCE = '''
from string.templatelib import Interpolation, Template

def whole(a, b):
    return t"x{a}y{b!r:>{a}}{a * b=}", t"", t"plain", t"{a}{b!s}{a!a:}"

def parts(a, b):
    it = t"x{a}y{b!r:>{a}}"
    first, second = it.interpolations
    return it.strings, it.values, first.value, second.conversion, second.format_spec, first.expression, it.values

def loop(a, b):
    found = []
    for part in t"{a}-{b!r:>4}!{a}":
        match part:
            case str():
                found.append(part)
            case Interpolation(value, expression, conversion, spec):
                found.append((value, expression, conversion, spec))
    return found

def rendered(template):
    out = []
    for part in template:
        if isinstance(part, Interpolation):
            value = repr(part.value) if part.conversion == "r" else part.value
            out.append(f"<{value:{part.format_spec}}>")
        else:
            out.append(part)
    return "".join(out)

def render(a, b):
    return rendered(t"a: {a:04} b: {b!r:>6} {{}}"), type(t"{a}") is Template

def nested(a, b):
    inner = t"in {a}"
    return t"out {inner} {[a, b]}", inner

def unfinished(a, b):
    it = iter(t"{a}-{b}")
    next(it)
    return it, list(it)

def left(a, b):
    it = iter(t"{a}-{b}")
    next(it)
    return type(it).__name__

def wrong(a, b):
    return t"{a}".nothing

def added(a, b):
    return t"{a}" + t"{b}", t"{a}" + "more"

def existing(template, b):
    return template.strings, template.values, list(template), template.interpolations[0].value

def make(a):
    return t"{a}-{a!r}"
'''


@pytest.fixture(scope="module")
def functions():
    namespace = {"__name__": "templates"}
    exec(compile(SOURCE, "<templates>", "exec", dont_inherit=True), namespace)
    return namespace


@pytest.mark.parametrize("name", ["whole", "parts", "loop", "render", "nested", "left"])
def test_templates_are_captured(functions, name):
    assert_captured(functions[name], lambda: arguments(3, "b"))


@pytest.mark.parametrize("name", ["unfinished", "wrong", "added"])
def test_others(functions, name):
    assert_same(functions[name], lambda: arguments(3, "b"), transform=compiled)


def test_templates_that_were_there_before(functions):
    assert_same(functions["existing"], lambda: arguments(functions["make"](4), 1), transform=compiled)
