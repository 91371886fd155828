"""Methods of str, bytes and bytearray, with wrong arguments too; many operands for each method."""

from __future__ import annotations

import pytest

from tests.ladder.both import captured, check, same

TEXTS = ["", "abc", "  Hello World ", "a,b,,c", "ÄÖß", "123", "aXbXc", "\tx\n y", "tEsT"]

STRING_METHODS = {
    "cases": lambda s: (s.upper(), s.lower(), s.title(), s.swapcase(), s.capitalize(), s.casefold()),
    "strips": lambda s: (
        s.strip(),
        s.lstrip(),
        s.rstrip(" d"),
        s.strip("ac"),
        s.removeprefix("a"),
        s.removesuffix("c"),
    ),
    "splits": lambda s: (
        s.split(),
        s.split(","),
        s.split("X", 1),
        s.rsplit(None, 1),
        s.splitlines(),
        s.rpartition("b"),
    ),
    "searches": lambda s: (
        s.find("b"),
        s.rfind("b"),
        s.count("a"),
        s.startswith(("a", "1")),
        s.endswith("c"),
        "b" in s,
    ),
    "questions": lambda s: (s.isalpha(), s.isdigit(), s.isspace(), s.isupper(), s.isidentifier(), s.isprintable()),
    "replaces": lambda s: (s.replace("b", "--"), s.replace("", "."), s.replace("b", "x", 0), s.expandtabs(4)),
    "pads": lambda s: (s.center(9, "*"), s.ljust(5), s.rjust(5, "0"), s.zfill(6)),
    "translates": lambda s: (s.translate({97: "A", 98: None}), s.translate(str.maketrans("abc", "xyz"))),
    "encodes": lambda s: (s.encode(), s.encode("ascii", "replace"), s.encode("latin-1", "ignore").decode("latin-1")),
    "order": lambda s: (sorted(s), list(reversed(s)), set(s) == set("abc"), max(s, default=""), s < "b", s == "abc"),
    "items": lambda s: (s[0], s[-1], s[1:], s[::2]),
    "index": lambda s: (s.index("b"), s.rindex("b")),
    "ascii": lambda s: s.encode("ascii"),
    "number": lambda s: int(s),
    "ord": lambda s: ord(s),
    "bad_argument": lambda s: s.split(""),
    "bad_type": lambda s: s.replace("a", 1),
    "bad_search": lambda s: s.startswith(5),
    "surplus": lambda s: s.upper(1),
    "missing": lambda s: s.nothing,
}


@pytest.mark.parametrize("name", STRING_METHODS)
def test_strings(name):
    method = STRING_METHODS[name]

    def program(text):
        log = [text]
        try:
            log.append(method(text))
        except (ValueError, TypeError, IndexError, AttributeError) as error:
            log.append(error)
        return log

    check(program, *((text,) for text in TEXTS), graph_numbers=False)


BYTES_METHODS = {
    "items": lambda b: (b[0], b[-1:], b[::-1], list(b), b + b"x", b * 2, 97 in b, b"b" in b),
    "methods": lambda b: (b.upper(), b.split(b","), b.strip(), b.find(b"b"), b.replace(b"a", b"--"), b.hex()),
    "decodes": lambda b: (b.decode(), b.decode("latin-1")),
    "formats": lambda b: (b"%s-%d" % (bytes(b), 5), repr(bytes(b)), bytes(b)),
    "joins": lambda b: b.join([b"x", b"y"]),
    "compares": lambda b: (b == b"abc", b < b"b", b == "abc", hash(bytes(b)) == hash(bytes(b))),
    "bad_join": lambda b: b.join(["x"]),
    "bad_add": lambda b: b + "x",
    "bad_index": lambda b: b["a"],
    "bad_search": lambda b: b.find("a"),
}


@pytest.mark.parametrize("name", BYTES_METHODS)
@pytest.mark.parametrize("kind", [bytes, bytearray])
def test_bytes(name, kind):
    method = BYTES_METHODS[name]

    def program(data):
        log = [data]
        try:
            log.append(method(data))
        except (ValueError, TypeError, IndexError, AttributeError) as error:
            log.append(error)
        return log

    check(program, *((kind(data),) for data in (b"", b"abc", b" a,b ", b"\xff\x00")), graph_numbers=False)


@same((b"abc", 1), (b"", 300), (b"xy", "z"))
def test_bytearray_is_changed(data, item):
    log = []
    made = bytearray(data)
    alias = made
    try:
        made.append(65)
        made += b"tail"
        made[0] = item
        made[1:2] = b"two"
        del made[-1]
        made.extend([1, 2])
        made.append(item)
    except (ValueError, TypeError) as error:
        log.append(error.args)
    return made, alias is made, log, bytes(made)


@same((bytearray(b"abc"), 5), (bytearray(b""), 5))
def test_bytearray_argument_is_changed_before_an_error(data, item):
    data.append(item)
    data.reverse()
    print(len(data))
    return data[5]


@captured(("the cat the dog the",), ("",), ("a",))
def test_word_count(text):
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


@captured(("(a[b]{c})",), ("(]",), ("((",), ("",))
def test_brackets(text):
    stack = []
    pairs = {")": "(", "]": "[", "}": "{"}
    for at, character in enumerate(text):
        if character in pairs.values():
            stack.append(character)
        elif character in pairs:
            if not stack or stack.pop() != pairs[character]:
                return f"unexpected {character} at {at}"
    return "open: " + "".join(stack) if stack else "fine"


@captured(("hello", 3), ("XyZ.", 29))
def test_caesar(text, shift):
    out = []
    for c in text:
        if c.isalpha():
            base = ord("A") if c.isupper() else ord("a")
            out.append(chr((ord(c) - base + shift) % 26 + base))
        else:
            out.append(c)
    return "".join(out)


class Text(str):
    def upper(self):
        return "mine"

    def __add__(self, other):
        return "added"


@same((Text("abc"), "x"), ("abc", Text("x")))
def test_subclass_of_str(a, b):
    return a + b, b + a, a.upper(), a.lower(), f"{a}", a == b, {a: 1}, a[0], type(a[:]), a.join([b, "y"]), "%s" % a


@same(("abc",), ("ab",))
def test_iterating_over_a_string(text):
    log = []
    iterator = iter(text)
    for character in iterator:
        log.append((character, next(iterator, None)))
    return log, list(zip(text, text[1:])), dict(enumerate(text)), [*text], {c: text.index(c) for c in text}
