"""What is said about the running Python agrees with what can be seen of it."""

from __future__ import annotations

import dis
import sys

from symexec.bytecode import Op, decode, features


def opnames(code) -> list[str]:
    return [instruction.opname for instruction in dis.get_instructions(code)]


def test_version() -> None:
    assert features.VERSION == sys.version_info[:2]


def test_where_the_null_goes() -> None:
    def source(f):
        return f()

    ops = [instruction.op for instruction in decode(source.__code__).instructions]
    null, callee = ops.index(Op.PUSH_NULL), ops.index(Op.LOAD_FAST)
    assert (null > callee) == features.NULL_ABOVE_CALLABLE
    laid_out = [i.op for i in features.lay_out_callee([decode(source.__code__).instructions[callee]])]
    assert laid_out == ops[min(null, callee) : max(null, callee) + 1]


def test_inlined_comprehensions() -> None:
    def source(xs):
        return [x for x in xs]

    inlined = not any(hasattr(constant, "co_code") for constant in source.__code__.co_consts)
    assert inlined == features.HAS_INLINED_COMPREHENSIONS
    assert inlined == ("LOAD_FAST_AND_CLEAR" in opnames(source.__code__)) == features.HAS_CLEARING_LOADS


def test_loop_ends() -> None:
    def source(xs):
        for _ in xs:
            pass

    assert ("END_FOR" in opnames(source.__code__)) == features.HAS_LOOP_ENDS


def test_exits() -> None:
    def source(manager):
        with manager:
            pass

    found = [i.arg for i in decode(source.__code__).instructions if i.op is Op.WITH_EXCEPT_START]
    assert found == [3 + features.EXIT_ENTRIES]


def test_generators_are_wrapped() -> None:
    def source():
        yield 1

    assert (decode(source.__code__).entry_handler is not None) == features.WRAPS_STOP_ITERATION


def test_annotations() -> None:
    assert features.HAS_LAZY_ANNOTATIONS == hasattr(test_annotations, "__annotate__")


def test_monitoring() -> None:
    assert features.HAS_MONITORING == hasattr(sys, "monitoring")


def test_locals() -> None:
    def source():
        first = locals()
        late = 1
        locals()
        return first, late, sys._getframe().f_locals

    first, _, current = source()
    assert ("late" not in first) == features.HAS_LOCALS_PROXY
    assert (type(current) is not dict) == features.HAS_LOCALS_PROXY
