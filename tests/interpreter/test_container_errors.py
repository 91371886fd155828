"""What builtin containers refuse, caught by the program itself: type, arguments, and what was done by then."""

from __future__ import annotations

import pytest

from tests.interpreter.test_container_programs import function_of
from tests.support.same import arguments, assert_same

LIST, DICT = "[3, 1, 2]", "{'x': 1}"

PROGRAMS = [
    (LIST, "a[0:1] = 5"),
    (LIST, "a[::2] = 5"),
    (LIST, "a[0:1] = None"),
    (LIST, "a[::2] = [1]"),
    (LIST, "a['x'] = 1"),
    (LIST, "a[9] = 1"),
    (LIST, "del a[9]"),
    (LIST, "del a['x']"),
    (LIST, "a[1.5]"),
    (LIST, "a[None]"),
    (LIST, "a.extend(5)"),
    (LIST, "a += 5"),
    (LIST, "a + 5"),
    (LIST, "a * 'x'"),
    (LIST, "a *= 1.5"),
    (LIST, "a.remove(9)"),
    (LIST, "a.index(9)"),
    (LIST, "a.pop(9)"),
    (LIST, "a.pop('x')"),
    (LIST, "a.insert('x', 1)"),
    (LIST, "a.append()"),
    (LIST, "a.append(1, 2)"),
    (LIST, "a.index()"),
    ("[]", "a.pop()"),
    ("()", "a.index(1)"),
    ("(1,)", "a[5]"),
    ("(1,)", "a['x']"),
    ("(1,)", "a + [1]"),
    ("(1,)", "a[0] = 1"),
    ("(1,)", "del a[0]"),
    (DICT, "a['q']"),
    (DICT, "del a['q']"),
    (DICT, "a.pop('q')"),
    ("{}", "a.popitem()"),
    (DICT, "a[[]]"),
    (DICT, "a[[]] = 1"),
    (DICT, "a.update(5)"),
    (DICT, "a.update([5])"),
    (DICT, "a.update([(1, 2, 3)])"),
    (DICT, "a | 5"),
    (DICT, "a |= 5"),
    (DICT, "a.get()"),
    (DICT, "a.pop()"),
    (DICT, "a < a"),
    (DICT, "a.setdefault()"),
    (DICT, "dict.fromkeys(5)"),
    ("{1}", "a.remove(9)"),
    ("{1}", "a.add([])"),
    ("{1}", "a | [1]"),
    ("{1}", "a.update(5)"),
    ("{1}", "[] in a"),
    ("set()", "a.pop()"),
    ("{1}", "a < 5"),
    ("{1}", "a.union(5)"),
    ("'ab'", "a.index('z')"),
    ("'ab'", "a[9]"),
    ("'ab'", "a['x']"),
    ("'ab'", "a + 1"),
    ("'ab'", "a.join(5)"),
    ("'ab'", "a.join([1])"),
    ("'ab'", "a.split('')"),
    ("'ab'", "'%d' % a"),
    ("'ab'", "'%s %s' % a"),
    ("'ab'", "'{}{}'.format(a)"),
    ("'ab'", "'{x}'.format(a)"),
    ("'ab'", "a.encode('ascii', 5)"),
    ("'ab'", "1 in a"),
    ("'ab'", "a[0] = 1"),
    ("'é'", "a.encode('ascii')"),
    ("b'ab'", "a.join([1])"),
    ("b'\\xff'", "a.decode()"),
    ("b'ab'", "a[9]"),
    ("range(3)", "a[9]"),
    ("range(3)", "a.index(9)"),
    ("range(3)", "a['x']"),
    ("5", "a[0]"),
    ("5", "len(a)"),
    ("5", "iter(a)"),
    ("5", "a()"),
    ("5", "list(a)"),
    ("None", "a[0] = 1"),
    ("5", "x, y = a"),
    ("[1, 2]", "x, y, z = a"),
    ("[1, 2, 3]", "x, y = a"),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_errors_that_are_caught(number):
    source, statement = PROGRAMS[number]
    body = f"try: {statement}\n  except Exception as e: return type(e), e.args, a"
    assert_same(function_of(body, 8000 + number), *[lambda: arguments(eval(source))] * 3)
