"""The `symexec` command: what it prints and how it ends, run in this process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import symexec
from symexec.cli import main

SCRIPT = '''\
import sys
import symexec

@symexec.compile(domains=["scalars"])
def area(width, height):
    """Decorated."""
    return width * height + 1

class Box:
    def __init__(self, side):
        self.side = side

    @staticmethod
    def doubled(x):
        return x + x

    def volume(self):
        def cube(x):
            return x ** 3
        return cube(self.side)

def plain(x):
    print("in plain", x)
    return x + 1

if __name__ == "__main__":
    print("argv", sys.argv[1:])
    print(area(2.0, 3.0), area(2.0, 4.0), plain(1), Box(2).volume(), Box.doubled(4))
'''


@pytest.fixture(autouse=True)
def _unchanged(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The command leaves the process as it was, but for the search path and new modules."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    argv, main_module = list(sys.argv), sys.modules["__main__"]
    before = set(sys.modules)
    yield
    assert sys.argv == argv and sys.modules["__main__"] is main_module
    for name in set(sys.modules) - before:
        if name.startswith("cli_subject"):
            del sys.modules[name]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(capsys, *arguments: str) -> str:
    """The message of a command that is refused."""
    assert main(list(arguments)) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith("symexec: error: ")
    return captured.err.removeprefix("symexec: error: ").strip()


# -- dis -----------------------------------------------------------------------------------------------------------


def test_dis(capsys) -> None:
    assert main(["dis", "colorsys:rgb_to_hls"]) == 0
    out = capsys.readouterr().out
    assert re.match(r"rgb_to_hls  \(.*colorsys\.py:\d+\)\nslots:  0 r \(parameter\), ", out)
    assert "\nprefix: RESUME 0\n\nblock 0  depth 0  to " in out
    assert "RETURN_VALUE" in out and "columns: source line, index" in out


def test_dis_of_a_method_and_of_nested_code(folder: Path, capsys) -> None:
    assert main(["dis", "script.py:Box.volume"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Box.volume  (") and "cube  (" not in out
    assert main(["dis", "--nested", "script.py:Box.volume"]) == 0
    assert "\n\nBox.volume.<locals>.cube  (" in capsys.readouterr().out


def test_dis_of_a_compiled_function_shows_it_as_written(folder: Path, capsys) -> None:
    assert main(["dis", "script.py:area"]) == 0
    out = capsys.readouterr().out
    assert "BINARY_OP *" in out and "AskHook" not in out and "JUMP_NO_INTERRUPT" not in out


def test_modules_of_the_current_directory_are_found(folder: Path, capsys) -> None:
    (folder / "cli_subject_a.py").write_text("def f(x):\n    return x\n", encoding="utf-8")
    assert main(["dis", "cli_subject_a:f"]) == 0
    assert capsys.readouterr().out.startswith("f  (")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("builtins:len", "cannot disassemble the builtin len: it has no bytecode"),
        ("builtins:dict", "cannot disassemble the class dict: disassemble its methods one by one"),
        ("math:pi", "cannot disassemble 3.14"),
        ("json:nope", "json has no 'nope'"),
        ("json:JSONDecoder.nope.more", "json.JSONDecoder has no 'nope'"),
        ("json.nope:f", "there is no module 'json.nope'"),
        ("no_such_module:f", "there is no module 'no_such_module'"),
        ("json", "'json' names no function: write MODULE:FUNCTION, as in json:dumps"),
        ("json:", "'json:' names no function"),
        (":dumps", "':dumps' names no function"),
        ("no_such_file.py:f", "there is no file 'no_such_file.py'"),
        (".json:f", "'.json' is no name of a module"),
    ],
)
def test_dis_of_what_is_not_there(target: str, message: str, capsys) -> None:
    assert refused(capsys, "dis", target).startswith(message)


def test_a_module_that_cannot_import_another_is_the_modules_own_error(folder: Path) -> None:
    (folder / "cli_subject_b.py").write_text("import no_such_module\n", encoding="utf-8")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        main(["dis", "cli_subject_b:f"])


# -- explain a function --------------------------------------------------------------------------------------------


def test_explain_a_function_with_literals(capsys) -> None:
    assert main(["explain", "colorsys:rgb_to_hls", "0.5", "0.25", "b=0.125"]) == 0
    out = capsys.readouterr().out
    assert re.match(r"rgb_to_hls \(.*colorsys\.py:\d+\)\n\ntrace 1 from the entry ", out)
    assert "another value of: r (now 0.5), g (now 0.25), b (now 0.125)" in out
    assert re.search(r"\ncaptured \d+ of \d+ instructions \(100%\), 1 trace, 0 breaks\n$", out)


def test_explain_shows_the_listing_on_demand(capsys) -> None:
    assert main(["explain", "--listing", "colorsys:rgb_to_hls", "0.5", "0.25", "0.125"]) == 0
    out = capsys.readouterr().out
    assert "trace 1 of rgb_to_hls at its entry (" in out and "goto the next trace" in out
    assert out.index("captured ") < out.index("trace 1 of ")


def test_explain_a_method_of_an_object(folder: Path, capsys) -> None:
    (folder / "cli_subject_c.py").write_text(
        "class Scale:\n"
        "    def __init__(self, k):\n        self.k = k\n"
        "    def by(self, x):\n        return x * self.k\n"
        "scale = Scale(3)\n",
        encoding="utf-8",
    )
    assert main(["explain", "cli_subject_c:scale.by", "2"]) == 0
    assert capsys.readouterr().out.startswith("Scale.by (")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["0.5"], "colorsys:rgb_to_hls: missing a required argument: 'g'"),
        (["1", "2", "3", "4"], "colorsys:rgb_to_hls: too many positional arguments"),
        (["1", "2", "c=3"], "colorsys:rgb_to_hls: "),
        (["red", "2", "3"], "'red' is no Python literal (strings need quotes of their own)"),
        (["1", "2", "b=x+"], "'x+' is no Python literal"),
        (["1", "2", "3", "--brief"], "'--brief' is no Python literal (options come before the function)"),
        (["(", "2", "3"], "'(' is no Python literal"),
    ],
)
def test_arguments_that_do_not_fit(arguments: list[str], message: str, capsys) -> None:
    assert refused(capsys, "explain", "colorsys:rgb_to_hls", *arguments).startswith(message)


def test_a_string_that_looks_like_a_keyword_is_quoted(capsys) -> None:
    assert main(["explain", "posixpath:basename", "'a=b/c'"]) == 0
    assert "basename (" in capsys.readouterr().out


def test_the_option_of_scripts_is_refused_with_a_function(capsys) -> None:
    message = refused(capsys, "explain", "--function", "f", "colorsys:rgb_to_hls", "1", "2", "3")
    assert message == "--function is for scripts; colorsys:rgb_to_hls names a function already"


def test_what_the_function_raises_is_raised() -> None:
    with pytest.raises(TypeError):
        main(["explain", "colorsys:rgb_to_hls", "0.5", "'a'", "0.5"])


def test_explain_what_has_no_bytecode(capsys) -> None:
    assert refused(capsys, "explain", "math:sin", "1").startswith("cannot explain the builtin sin")


# -- explain a script ----------------------------------------------------------------------------------------------


def test_explain_a_script(folder: Path, capsys) -> None:
    assert main(["explain", "script.py", "a", "--b"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("argv ['a', '--b']\nin plain 1\n7.0 9.0 2 8 8\n\narea (script.py:4)\n")
    assert out.count("\ncaptured ") == 1 and "plain (" not in out
    assert "    v2: float = width * height" in out


def test_explain_functions_of_a_script_by_name(folder: Path, capsys) -> None:
    names = ["plain", "Box.doubled", "Box.volume"]
    options = [option for name in names for option in ("--function", name)]
    assert main(["explain", *options, "script.py"]) == 0
    out = capsys.readouterr().out
    heads = re.findall(r"^([\w.]+) \(script\.py:\d+\)$", out, re.MULTILINE)
    assert sorted(heads) == sorted([*names, "area"])
    assert out.count("in plain 1\n") == 1


def test_a_function_inside_a_function_is_named_as_python_does(folder: Path, capsys) -> None:
    assert main(["explain", "--function", "Box.volume.<locals>.cube", "script.py"]) == 0
    assert "Box.volume.<locals>.cube (script.py:" in capsys.readouterr().out


def test_a_function_that_the_script_does_not_define(folder: Path, capsys) -> None:
    message = refused(capsys, "explain", "--function", "nope", "--function", "plain", "script.py")
    assert message == "script.py defines no function nope"


def test_nothing_to_explain(folder: Path, capsys) -> None:
    (folder / "idle.py").write_text("def f():\n    return 1\nprint('ran')\n", encoding="utf-8")
    for options in ([], ["--function", "f"]):
        assert main(["explain", *options, "idle.py"]) == 2
        captured = capsys.readouterr()
        assert captured.out == "ran\n"
        assert captured.err.startswith("symexec: error: no function was explained: decorate one that is called")


def test_what_a_script_raises_is_raised_after_what_was_seen(folder: Path, capsys) -> None:
    (folder / "fails.py").write_text(
        "import symexec\n@symexec.compile\ndef f(x):\n    return x\nf(1)\nraise KeyError('at the end')\n",
        encoding="utf-8",
    )
    with pytest.raises(KeyError, match="at the end"):
        main(["explain", "fails.py"])
    assert "f (fails.py:2)" in capsys.readouterr().out


def test_a_script_that_exits(folder: Path, capsys) -> None:
    (folder / "exits.py").write_text(
        "import symexec, sys\n@symexec.compile\ndef f(x):\n    return x\nf(1)\nsys.exit(7)\n", encoding="utf-8"
    )
    with pytest.raises(SystemExit, match="7"):
        main(["explain", "exits.py"])
    assert "f (exits.py:2)" in capsys.readouterr().out


def test_what_is_no_script(folder: Path, capsys) -> None:
    (folder / "broken.py").write_text("def f(:\n", encoding="utf-8")
    assert refused(capsys, "explain", "broken.py").startswith("broken.py is no Python script: ")
    missing = refused(capsys, "explain", "missing.py")
    assert missing == "there is no file 'missing.py'; for a function write MODULE:FUNCTION"


def test_afterwards_functions_are_compiled_again(folder: Path, capsys) -> None:
    assert main(["explain", "script.py"]) == 0
    compiled = symexec.compile(lambda x: x * 2 + 1, domains=["scalars"])
    assert compiled(2) == 5 == compiled(2)
    assert symexec.stats(compiled).traces == 1 and symexec.stats(compiled).code_size > 100


# -- the command itself --------------------------------------------------------------------------------------------


def test_version(capsys) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    version = ".".join(map(str, sys.version_info[:2]))
    assert capsys.readouterr().out == f"symexec {symexec.__version__} (Python {version})\n"


@pytest.mark.parametrize("arguments", [[], ["nope"], ["dis"], ["explain"], ["dis", "json:dumps", "more"]])
def test_commands_that_make_no_sense(arguments: list[str], capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert "usage: symexec" in capsys.readouterr().err


def test_brief(folder: Path, capsys) -> None:
    assert main(["explain", "--brief", "script.py"]) == 0
    out = capsys.readouterr().out
    line = r"\ntrace 1 from the entry \(script\.py:7\): 2 graph operations, \d+ instructions; returns v3\n"
    assert re.search(line, out)
    assert "guards:" not in out and "v2: float" not in out


@pytest.mark.skipif(sys.platform == "emscripten", reason="there are no processes")
def test_a_reader_that_goes_away() -> None:
    root = Path(symexec.__file__).parents[1]
    command = [sys.executable, "-m", "symexec.cli", "dis", "--nested", "json.decoder:py_scanstring"]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=root)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.wait(60) == 1
    assert process.stderr.read() == b""
    process.stderr.close()
