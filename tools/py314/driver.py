"""The Python side of `run_py314.mjs`: runs one program inside the WebAssembly interpreter and returns its exit status.

The runner calls `main`.  This file knows nothing of the host but the folder `/project` and the import folders that it
is given.
"""

import os
import runpy
import sys
import traceback


def run_pytest(arguments: list[str]) -> int:
    import pytest  # only this program needs it

    return int(pytest.main(["-p", "no:cacheprovider", *arguments]))


def run_module(name: str, arguments: list[str]) -> None:
    sys.argv = [name, *arguments]
    runpy.run_module(name, run_name="__main__", alter_sys=True)


def run_code(source: str, arguments: list[str]) -> None:
    sys.argv = ["-c", *arguments]
    exec(compile(source, "<string>", "exec"), {"__name__": "__main__", "__builtins__": __builtins__})


def run_file(path: str, arguments: list[str]) -> None:
    sys.argv = [path, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    runpy.run_path(path, run_name="__main__")


def run_program(program: list[str]) -> int:
    match program:
        case ["pytest", *arguments]:
            return run_pytest(arguments)
        case ["-m", name, *arguments]:
            run_module(name, arguments)
        case ["-c", source, *arguments]:
            run_code(source, arguments)
        case ["-m"] | ["-c"]:
            print(f"run_py314: {program[0]} needs a value", file=sys.stderr)
            return 2
        case [path, *arguments]:
            run_file(path, arguments)
    return 0


def exit_status(exit_request: SystemExit) -> int:
    if exit_request.code is None:
        return 0
    if isinstance(exit_request.code, int):
        return exit_request.code
    print(exit_request.code, file=sys.stderr)
    return 1


def main(program: list[str], folders: list[str]) -> int:
    """Run `program` in `/project`; `folders` are imported from as well.  Returns the exit status."""
    program, folders = list(program), list(folders)  # they come as proxies
    os.chdir("/project")
    sys.path[:0] = ["/project", *folders]
    try:
        return run_program(program)
    except SystemExit as exit_request:
        return exit_status(exit_request)
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
