"""The `symexec` command: neutral code of a function, and what is captured of a function or in a script.

Exit codes: 2 for a command that makes no sense (nothing was run), 1 for an exception of the program's own.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.util
import inspect
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

import symexec
from symexec.api import explaining
from symexec.bytecode import features
from symexec.errors import ArgumentError, SymexecError
from symexec.report.disassembly import disassemble
from symexec.report.explanation import Explanation
from symexec.runtime.targets import Target, find_target

_KEYWORD: Final = re.compile(r"([^\W\d]\w*)=(?!=)(.*)", re.DOTALL)
_SCRIPT: Final = "__main__"


class CommandError(SymexecError):
    """The command line asks for something that is not there; the message says what."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with `arguments` (those of the process by default); gives the exit code."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "dis":
            code = _function(options.target, "disassemble").function.__code__
            _write(disassemble(code, nested=options.nested))
        elif ":" in options.target and not Path(options.target).is_file():
            if options.function:
                raise CommandError(f"--function is for scripts; {options.target} names a function already")
            _explain_function(options.target, options.arguments, options.form)
        else:
            _explain_script(options.target, options.arguments, options.function, options.form)
    except CommandError as error:
        print(f"symexec: error: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    version = f"symexec {symexec.__version__} (Python {'.'.join(map(str, features.VERSION))})"
    parser = argparse.ArgumentParser(prog="symexec", description="Looks into Python functions by their bytecode.")
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    dis = commands.add_parser(
        "dis", help="show the version-neutral code of a function, with blocks, stack and live variables"
    )
    dis.add_argument("target", metavar="MODULE:FUNCTION", help="as in json:dumps, pkg.mod:Class.method, file.py:f")
    dis.add_argument("--nested", action="store_true", help="functions and comprehensions in it as well")

    explain = commands.add_parser(
        "explain",
        help="run a function or a script once; show what is captured and what is not, and why",
        description="Runs a function or a script once and shows what symexec captures of it and what not, and why. "
        "Of a script those functions are explained that it decorates with symexec.compile, and those named by "
        "--function.",
    )
    explain.add_argument("--function", action="append", default=[], metavar="NAME",
                         help="explain this function of the script: f, Class.method (may be repeated)")  # fmt: skip
    forms = explain.add_mutually_exclusive_group()
    forms.add_argument("--brief", dest="form", action="store_const", const="brief", default="full",
                       help="leave graphs and guards out")  # fmt: skip
    forms.add_argument("--listing", dest="form", action="store_const", const="listing", default="full",
                       help="show each trace as it would be emitted, too")  # fmt: skip
    explain.add_argument("target", metavar="MODULE:FUNCTION | SCRIPT.py", help="what to run")
    explain.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT",
                         help="a function's: LITERAL or NAME=LITERAL; a script's: its sys.argv")  # fmt: skip
    return parser


# -- functions -----------------------------------------------------------------------------------------------------


def _explain_function(text: str, arguments: Sequence[str], form: str) -> None:
    target = _function(text, "explain")
    args, kwargs = _literals(arguments)
    try:
        inspect.signature(target.function).bind(*([target.owner] if target.bound else []), *args, **kwargs)
    except TypeError as error:
        raise CommandError(f"{text}: {error}") from None
    except ValueError:  # no signature: the call itself will tell
        pass
    bound = target.function.__get__(target.owner) if target.bound else target.function
    _show(symexec.explain(bound)(*args, **kwargs), form)


def _show(explanation: Explanation, form: str) -> None:
    text = explanation.brief() if form == "brief" else str(explanation)
    if form == "listing" and explanation.traces:
        text = f"{text}\n\n{explanation.listings()}"
    _write(text)


def _write(text: str) -> None:
    """Print; end quietly if nobody reads on, as in `symexec dis ... | head`."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is flushed at exit
        sys.exit(1)


def _function(text: str, verb: str) -> Target:
    """The function that `MODULE:NAME` names, as it was written."""
    module_name, colon, path = text.rpartition(":")
    if not colon or not module_name or not path:
        raise CommandError(f"{text!r} names no function: write MODULE:FUNCTION, as in json:dumps")
    found: object = _module(module_name)
    for count, name in enumerate(path.split(".")):
        try:
            found = getattr(found, name)
        except AttributeError:
            owner = ".".join([module_name, *path.split(".")[:count]])
            raise CommandError(f"{owner} has no {name!r}") from None
    try:
        target = find_target(found, verb)
    except ArgumentError as error:
        raise CommandError(str(error)) from None
    return Target(find_target(symexec.original(target.function), verb).function, target.owner, target.bound)


def _module(name: str) -> ModuleType:
    """Import a module, from the current directory too, or run a file as one."""
    if name.endswith(".py"):
        spec = importlib.util.spec_from_file_location(Path(name).stem, _existing(name))
        if spec is None or spec.loader is None:
            raise CommandError(f"{name} cannot be imported")
        module = importlib.util.module_from_spec(spec)
        sys.modules.setdefault(spec.name, module)
        spec.loader.exec_module(module)
        return module
    here = os.getcwd()
    if here not in sys.path and "" not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not (name == error.name or name.startswith(f"{error.name}.")):
            raise
        raise CommandError(f"there is no module {error.name!r}") from None
    except (TypeError, ValueError):
        raise CommandError(f"{name!r} is no name of a module") from None


def _existing(name: str) -> Path:
    path = Path(name)
    if not path.is_file():
        raise CommandError(f"there is no file {name!r}; for a function write MODULE:FUNCTION")
    return path


def _literals(arguments: Sequence[str]) -> tuple[list[object], dict[str, object]]:
    args, kwargs = list[object](), dict[str, object]()
    for argument in arguments:
        keyword = _KEYWORD.fullmatch(argument)
        if keyword is not None:
            kwargs[keyword[1]] = _literal(keyword[2])
        else:
            args.append(_literal(argument))
    return args, kwargs


def _literal(text: str) -> object:
    try:
        value: object = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        remedy = "options come before the function" if text.startswith("--") else "strings need quotes of their own"
        raise CommandError(f"{text!r} is no Python literal ({remedy})") from None
    return value


# -- scripts -------------------------------------------------------------------------------------------------------


def _explain_script(name: str, arguments: Sequence[str], functions: Sequence[str], form: str) -> None:
    path = _existing(name)
    try:
        tree = ast.parse(path.read_bytes(), str(path))
    except (SyntaxError, ValueError) as error:
        raise CommandError(f"{name} is no Python script: {error}") from None
    missing = set(functions) - set(_decorate(tree, frozenset(functions)))
    if missing:
        raise CommandError(f"{name} defines no function {', '.join(sorted(missing))}")
    with explaining() as explanations:
        try:
            _run(compile(tree, str(path), "exec"), path, arguments)
        finally:
            seen = [each for each in explanations() if each.captured or each.left or each.notes]
            for explanation in seen:
                _write("")
                _show(explanation, form)
    if not seen:
        raise CommandError(
            "no function was explained: decorate one that is called with symexec.compile, or name it with --function"
        )


def _decorate(tree: ast.Module, names: frozenset[str]) -> Iterator[str]:
    """Have the functions of these qualified names compiled where they are defined; gives the names that were found."""
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, prefix = waiting.pop()
        for child in ast.iter_child_nodes(node):
            inner = prefix
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                inner = f"{prefix}{child.name}."
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if prefix + child.name in names:
                    decorator = ast.parse("__import__('symexec').compile", mode="eval").body
                    for part in ast.walk(decorator):
                        ast.copy_location(part, child)
                    child.decorator_list.append(decorator)
                    yield prefix + child.name
                inner += "<locals>."
            waiting.append((child, inner))


def _run(code: CodeType, path: Path, arguments: Sequence[str]) -> None:
    """Run a script as `python SCRIPT ARGUMENT...` does."""
    module = ModuleType(_SCRIPT)
    vars(module).update(__file__=str(path), __builtins__=sys.modules["builtins"])
    before = sys.argv, sys.path[:], sys.modules.get(_SCRIPT)
    sys.argv = [str(path), *arguments]
    sys.path.insert(0, str(path.resolve().parent))
    sys.modules[_SCRIPT] = module
    try:
        exec(code, vars(module))
    finally:
        sys.argv, sys.path[:] = before[0], before[1]
        if before[2] is not None:
            sys.modules[_SCRIPT] = before[2]


if __name__ == "__main__":
    sys.exit(main())
