"""One operation, written as a Python expression, asked of a domain and done for real.

`x.sum(axis=0)`, `np.where(x, y, 0)`, `x[1:]`, `x + y`, `-x`, `x.T`, `len(x)`: the outermost operation is the one that
is asked about; its operands are names, constants, and containers of such.
"""

from __future__ import annotations

import ast
import builtins
import operator
import warnings
from collections.abc import Mapping

import attrs

from symexec.values.domain import Answer, Declined, Domain, Request
from symexec.values.graph import Kind, Node
from symexec.values.model import Traced

BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}


@attrs.frozen(eq=False)
class Raised:
    """The operation raised when it was done for real."""

    error: BaseException


@attrs.frozen(eq=False)
class Source:
    """The parts of an expression, compiled: what is asked, and what with."""

    text: str
    kind: Kind
    target: object
    args: tuple[object, ...]
    kwargs: tuple[tuple[str, object], ...]
    whole: object

    def request(self, names: Mapping[str, object]) -> Request:
        """The operation on these traced values."""

        def operand(code: object) -> object:
            return eval(code, dict(names))

        target = operand(self.target) if not isinstance(self.target, str) and not callable(self.target) else self.target
        kwargs = tuple((name, operand(code)) for name, code in self.kwargs)
        return Request(self.kind, target, tuple(operand(code) for code in self.args), kwargs)

    def reality(self, names: Mapping[str, object]) -> object:
        """What Python gives for these concrete values."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return eval(self.whole, dict(names))
            except Exception as error:
                return Raised(error)


def parse(text: str, functions: str = "np math cmath builtins operator") -> Source:
    """The operation that `text` is; a dotted name that begins with one of `functions` is a function, not a method."""
    node = ast.parse(text, mode="eval").body

    def code(part: ast.expr) -> object:
        return compile(ast.fix_missing_locations(ast.Expression(part)), text, "eval")

    whole = compile(text, text, "eval")
    match node:
        case ast.BinOp(left=left, op=op, right=right) | ast.Compare(left=left, ops=[op], comparators=[right]):
            return Source(text, Kind.CALL, BINARY[type(op)], (code(left), code(right)), (), whole)
        case ast.UnaryOp(op=op, operand=operand):
            return Source(text, Kind.CALL, BINARY[type(op)], (code(operand),), (), whole)
        case ast.Subscript(value=value, slice=key):
            return Source(text, Kind.CALL, operator.getitem, (code(value), code(_sliced(key))), (), whole)
        case ast.Attribute(value=value, attr=name):
            return Source(text, Kind.ATTRIBUTE, name, (code(value),), (), whole)
        case ast.Call(func=function, args=args, keywords=keywords):
            given = tuple(code(arg) for arg in args)
            named = tuple((keyword.arg or "", code(keyword.value)) for keyword in keywords)
            if isinstance(function, ast.Attribute) and _root(function) not in functions.split():
                return Source(text, Kind.METHOD, function.attr, (code(function.value), *given), named, whole)
            if isinstance(function, ast.Name) and hasattr(builtins, function.id):
                return Source(text, Kind.CALL, getattr(builtins, function.id), given, named, whole)
            return Source(text, Kind.CALL, code(function), given, named, whole)
        case _:
            raise AssertionError(text)


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _sliced(key: ast.expr) -> ast.expr:
    """Slices as calls of `slice`, which can be evaluated on their own."""
    if isinstance(key, ast.Slice):
        parts = [part or ast.Constant(None) for part in (key.lower, key.upper, key.step)]
        return ast.Call(ast.Name("slice", ast.Load()), parts, [])
    if isinstance(key, ast.Tuple):
        return ast.Tuple([_sliced(item) for item in key.elts], ast.Load())
    return key


def symbol(domain: Domain, value: object) -> Traced:
    """A traced value that stands for `value`."""
    spec = domain.describe(value)
    kind = domain.type_of(spec)
    return Traced(Node(0, Kind.INPUT, "x", (), (), kind, spec), kind, spec, domain.name)


def ask(domain: Domain, source: Source, names: Mapping[str, object]) -> Answer:
    """What the domain says; a warning while it thinks is a failure."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        answer = domain.apply(source.request(names))
    assert not caught, (source.text, names, [str(warning.message) for warning in caught])
    return answer


def declined(answer: Answer) -> bool:
    """Whether the domain gave no answer."""
    return isinstance(answer, Declined)
