"""`python -m tests.differential.run --count N --seed S`: N programs from seed S on, each in a process of its own."""

from __future__ import annotations

import argparse
import importlib
import os
import pickle
import signal
import sys
import time
import traceback

import attrs

from tests.differential.compare import Comparison, compare
from tests.differential.generate import Generated, generate
from tests.differential.shrink import shrink

SECONDS = 20
MEMORY = 4 << 30

CAN_FORK = hasattr(os, "fork") and sys.platform != "emscripten"  # there it is a name that fails


@attrs.frozen
class Verdict:
    """What became of one program: `fault` is None where both ways agree."""

    fault: str | None
    traces: int = 0
    instructions: int = 0
    raised: int = 0
    calls: int = 0


def judge(program: Generated) -> Verdict:
    """Compare both ways in a child, which may crash or hang; here, where processes cannot be forked."""
    if not CAN_FORK:
        return judge_here(program)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(SECONDS)
        limit_memory()
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(judge_here(program), pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(child, 0)
    if not data:
        return Verdict(f"crashed: status {status}")
    verdict: Verdict = pickle.loads(data)
    return verdict


def limit_memory() -> None:
    """A program that grows without end fails alone."""
    resource = importlib.import_module("resource")  # not everywhere
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def judge_here(program: Generated) -> Verdict:
    try:
        found: Comparison = compare(program)
    except BaseException:
        return Verdict("failed: " + traceback.format_exc()[-1500:])
    stats = found.stats
    return Verdict(found.difference, stats.traces, stats.instructions, found.raised, len(program.calls))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-arrays", action="store_true")
    parser.add_argument("--shrink", action="store_true")
    parser.add_argument("--seconds", type=float, default=0.0)
    options = parser.parse_args()
    begin = time.monotonic()
    verdicts = []
    for seed in range(options.seed, options.seed + options.count):
        program = generate(seed, arrays=not options.no_arrays)
        verdict = judge(program)
        verdicts.append(verdict)
        if verdict.fault is not None:
            print(f"seed {seed}: {verdict.fault}", flush=True)
            if options.shrink:
                small = shrink(program, lambda candidate: judge(candidate).fault)
                print(small.source[small.source.index("def subject") :], flush=True)
                for before, call in zip(small.before, small.calls, strict=True):
                    print(f"  {before!r}: {call}")
                print("  ", judge(small).fault, flush=True)
        if options.seconds and time.monotonic() - begin > options.seconds:
            break
    faults = sum(verdict.fault is not None for verdict in verdicts)
    print(
        f"{sys.version.split()[0]}: {len(verdicts)} programs, {faults} faults, "
        f"{sum(v.traces for v in verdicts)} traces of {sum(v.instructions for v in verdicts)} instructions, "
        f"{sum(v.raised for v in verdicts)} of {sum(v.calls for v in verdicts)} calls raised, "
        f"{time.monotonic() - begin:.0f} s"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
