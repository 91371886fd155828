"""Programs with a break in each place: the function as written, a `print` added before or behind one statement."""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
import warnings
from types import FunctionType

_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_DECLARATIONS = (ast.Global, ast.Nonlocal)


def broken_variants(function, limit=12):
    """At most `limit` of the variants of a module's function without closure, spread evenly over its places."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    ast.increment_lineno(tree, function.__code__.co_firstlineno - 1)
    places = [place for place in _places(tree.body[0]) if _is_reached(_suites(tree.body[0]), *place)]
    step = max(1, -(-len(places) // limit))
    return [_variant(function, tree, *place) for place in places[::step]]


def _suites(definition):
    found = []
    for node in ast.walk(definition):
        for field in ("body", "orelse", "finalbody"):
            suite = getattr(node, field, None)
            if isinstance(suite, list) and suite and isinstance(suite[0], ast.stmt):
                found.append(suite)
    return found


def _places(definition):
    return [(at, before) for at, suite in enumerate(_suites(definition)) for before in range(len(suite) + 1)]


def _is_reached(suites, at, before):
    suite = suites[at]
    if before == 0:
        return not isinstance(suite[0], _DECLARATIONS)
    return not isinstance(suite[before - 1], _ENDS)


def _variant(function, tree, at, before):
    changed = copy.deepcopy(tree)
    suite = _suites(changed.body[0])[at]
    added = ast.parse("print('here')").body[0]
    line = suite[min(before, len(suite) - 1)].lineno
    for node in ast.walk(added):
        node.lineno = node.end_lineno = line
    suite.insert(before, added)
    ast.fix_missing_locations(changed)
    made = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        exec(compile(changed, function.__code__.co_filename, "exec", dont_inherit=True), function.__globals__, made)
    variant = made[function.__name__]
    assert isinstance(variant, FunctionType)
    return variant
