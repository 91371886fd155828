"""f-strings, format specifications, %-formatting, `str.format`, conversions, template strings."""

from __future__ import annotations

import pytest

from tests.ladder.both import captured, check, same


class Shown:
    def __init__(self, log):
        self.log = log

    def __format__(self, spec):
        self.log.append(("format", spec))
        return f"<{spec}>"

    def __str__(self):
        self.log.append("str")
        return "as str"

    def __repr__(self):
        self.log.append("repr")
        return "as repr"


class Broken:
    def __init__(self, result):
        self.result = result

    def __format__(self, spec):
        return self.result

    def __str__(self):
        return self.result

    __repr__ = __str__


@captured((1, 2.5), (-3, 0.125))
def test_f_strings_of_numbers(a, b):
    width = 8
    return f"{a} {b!r} {a:>{width}} {b:{width}.2f} {a:+d} {b:e} {a + b:g} {a=} {b = :.1f} {a!s:*^5}", f"{'x'}{{}}"


@same((5,), ("text",), (None,), ([1, "a"],), ({"k": (1,)},), (1.5,), (True,), (b"b",))
def test_f_strings_of_anything(value):
    log = [f"{value}", f"{value!r:>12}", f"{value!s}", f"{value!a}", f"{value=}"]
    try:
        log.append(f"{value:>6}")
        log.append(f"{value:06.2f}")
    except (TypeError, ValueError) as error:
        log.append(error.args)
    return log


@same(("x",), ("",), ("=^9",))
def test_user_formats(spec):
    log = []
    shown = Shown(log)
    return (
        f"{shown:{spec}}",
        f"{shown}",
        f"{shown!s}",
        f"{shown!r:>9}",
        f"{shown=}",
        format(shown, spec),
        str(shown),
        log,
    )


@same((1,), (None,), ("fine",), (b"x",))
def test_user_formats_of_wrong_types(result):
    broken, log = Broken(result), []
    for show in (
        lambda: f"{broken}",
        lambda: str(broken),
        lambda: repr(broken),
        lambda: f"{broken!s}",
        lambda: "%s" % broken,
    ):
        try:
            log.append(show())
        except TypeError as error:
            log.append(error.args)
    return log


@same((1,), (0,))
def test_parts_are_evaluated_in_order(x):
    log = []

    def see(value):
        log.append(value)
        return value

    try:
        text = f"{see('a')}{see('b'):{see('<3')}}{1 // x}{see('c')}"
    except ZeroDivisionError:
        return log
    return text, log


@pytest.mark.parametrize(
    "spec",
    [
        "d",
        "5d",
        "<5",
        "^+7",
        "05",
        ",",
        "_",
        "x",
        "#x",
        "b",
        "#o",
        "c",
        "e",
        ".3f",
        "%",
        "n",
        "s",
        "z",
        "=+6",
        "10.3",
        "\u20ac>6",
    ],
)
def test_specifications(spec):
    def program(value):
        try:
            return format(value, spec), f"{value:{spec}}", ("{:" + spec + "}").format(value)
        except (ValueError, TypeError, OverflowError) as error:
            return error

    check(program, (65,), (-1234567.891,), ("text",), (True,), graph_numbers=False)


@pytest.mark.parametrize(
    "template",
    [
        "%s",
        "%r",
        "%d",
        "%5.2f",
        "%-6s|",
        "%05d",
        "%x",
        "%c",
        "%%",
        "%(k)s",
        "%s %s",
        "%*d",
        "%q",
        "%",
        "no",
        "%i%%",
        "%a",
        "%.3s",
    ],
)
def test_percent(template):
    def program(values):
        log = ["start"]
        try:
            log.append(template % values)
        except (TypeError, ValueError, KeyError, OverflowError) as error:
            log.append(error)
        return log

    check(program, (5,), ((7,),), ("txt",), ((1, 2),), ({"k": [1]},), ([1],), graph_numbers=False)


@same((1, "b"), ([1], 2.5))
def test_str_format(a, b):
    log = ["{} {}".format(a, b), "{1} {0!r}".format(a, b), "{x} {x!s:>4}".format(x=b), "{0}{y}".format(a, y=b)]
    for bad in ("{} {} {}", "{z}", "{0} {}", "{", "{0.nothing}", "{0[5]}"):
        try:
            log.append(bad.format(a, b))
        except (IndexError, KeyError, ValueError, AttributeError, TypeError) as error:
            log.append(error.args)
    return log


@same(({"k": 1, "l": [2]},), ({"k": None, "l": {}},))
def test_format_reaches_into_values(table):
    class Box:
        pass

    box = Box()
    box.inner = table
    return "{0.inner[k]} {0.inner[l]}".format(box), "{k}-{l}".format(**table), "{k}".format_map(table)


@same((3,), (0,))
def test_f_string_with_nested_expressions(n):
    return f"{[i for i in range(n)]} {(lambda: n)()} {'yes' if n else 'no'} {n:{'>' if n else '<'}{n + 4}} {f'{n}' * 2}"


@captured((["a", "b"], "-"), ([], ", "), (["only"], ""))
def test_join_and_split(words, separator):
    text = separator.join(words)
    return (
        text,
        text.split(),
        separator.join(word + "!" for word in words),
        "".join(reversed(text)),
        text.partition("b"),
    )


@same((["a", 1],), ([None],), (5,), (["a", b"b"],), ("xy",))
def test_join_of_wrong_things(items):
    log = []
    try:
        log.append("+".join(items))
    except TypeError as error:
        log.append(error.args)
    return log


@same((1, 2), ("a", "b"))
def test_concatenation_and_in_place(a, b):
    text = ""
    for value in (a, b, a):
        text += str(value)
        alias = text
        text += ";"
    return text, alias, text * 2, text[::-1], text + alias == alias + text


@same(("café\n\t'\"\\",), ("\U0001f600\x00",), ("'",), ("\ud800",))
def test_repr_and_ascii(text):
    return repr(text), ascii(text), f"{text!r}", f"{text!a}", str(text) is text, len(text), "%r %a" % (text, text)


@same((10**25, 1e-7), (0, float("inf")), (-5, float("nan")))
def test_numbers_as_text(a, b):
    return str(a), repr(b), hex(a), bin(a), oct(a), f"{a:,}", f"{b:.3g}", f"{b!r:>10}", int(str(a)), float(repr(b)) == b


TEMPLATE_PROGRAM = """
def program(a, b):
    log = []
    def see(x):
        log.append(x)
        return x
    template = t"sum {see(a)!r:>{see(5)}} and {b = } end"
    parts = [(i.value, i.expression, i.conversion, i.format_spec) for i in template.interpolations]
    return template.strings, parts, log
"""


def test_template_strings():
    namespace: dict[str, object] = {"__name__": __name__}
    try:
        exec(TEMPLATE_PROGRAM, namespace)
    except SyntaxError:
        pytest.skip("this Python has no template strings")
    check(namespace["program"], (1, 2), ("x", []))
