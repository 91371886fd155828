"""What `import symexec` costs: CPU time and memory of a process that does it, beside a bare one.

The compiled files that an installed package comes with are made first, in a folder that is deleted at the end.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pyperf

ROOT = Path(__file__).resolve().parents[1]
STATEMENTS = {"bare": "pass", "attrs": "import attrs", "symexec": "import symexec", "numpy": "import numpy"}
MEGABYTE = 2**20
# What a process has of its own: the most that `wait4` reports counts the parent's memory from before the `exec`.
PRINT_SIZE = """
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""


def spawn(code: str, cache: str, **options: int) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return subprocess.Popen([sys.executable, "-c", code], env=environment, **options)


def seconds_of(statement: str, cache: str) -> float:
    """CPU seconds of a Python that runs `statement`."""
    process = spawn(statement, cache)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{statement!r} failed with status {process.returncode}")
    return used.ru_utime + used.ru_stime


def bytes_of(statement: str, cache: str) -> float:
    """The most memory, in bytes, that a Python that runs `statement` has."""
    output, _ = spawn(statement + PRINT_SIZE, cache, stdout=subprocess.PIPE).communicate()
    return int(output) * 1024.0


def measure(loops: int, statement: str, what: Callable[[str, str], float]) -> float:
    """The sum over `loops` processes."""
    with tempfile.TemporaryDirectory(prefix="symexec-benchmark-") as cache:
        seconds_of(statement, cache)
        return sum(what(statement, cache) for _ in range(loops))


def main() -> None:
    runner = pyperf.Runner(loops=1)
    runner.metadata["clock"] = "CPU time of the child"
    rows = []
    for name, statement in STATEMENTS.items():
        seconds = runner.bench_time_func(f"import/{name}/time", measure, statement, seconds_of)
        size = None
        if sys.platform == "linux":
            size = runner.bench_time_func(
                f"import/{name}/memory", measure, statement, bytes_of, metadata={"unit": "byte"}
            )
        if seconds:
            least_size = min(size.get_values()) / MEGABYTE if size else float("nan")
            rows.append((name, min(seconds.get_values()) * 1e3, least_size))
    if rows and not runner.args.quiet:
        _, bare_time, bare_size = rows[0]
        print()
        for name, time, size in rows[1:]:
            print(f"import {name:10} {time - bare_time:7.1f} ms {size - bare_size:6.1f} MB above bare Python (least)")


if __name__ == "__main__":
    main()
