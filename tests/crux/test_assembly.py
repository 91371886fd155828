"""The crux's raw assembler gives back what it decoded, on every Python."""

from __future__ import annotations

import argparse
import contextlib
import dis
import inspect
import tokenize
import types

from . import assembly

MODULES = (argparse, contextlib, dis, inspect, tokenize, assembly)


def _functions() -> list[types.FunctionType]:
    return [value for module in MODULES for value in vars(module).values() if isinstance(value, types.FunctionType)]


def test_round_trip() -> None:
    assert len(_functions()) > 100
    for function in _functions():
        code = function.__code__
        again = assembly.assemble(code, assembly.decode(code), code.co_consts)
        assert again.co_code == code.co_code, function
        assert list(again.co_positions()) == list(code.co_positions()), function
        assert again.co_exceptiontable == code.co_exceptiontable, function
