"""The full form of the sampled tests: every check on all code of the standard library and of site-packages.

    python -m tests.bytecode.sweep [--shard INDEX/COUNT] [--no-renewal] [--root FOLDER]

Prints one line of figures, and one for each failure; the exit status says whether there was any.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from types import CodeType

from symexec.bytecode import decode, verify
from symexec.bytecode.encode import assemble
from tests.bytecode.checks import check_renewed, check_round_trip
from tests.bytecode.corpus import code_objects, compiled, sources


class Figures:
    """What a sweep has counted."""

    def __init__(self, renewal: bool) -> None:
        self.renewal = renewal
        self.counts: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()
        self.failures: list[str] = []

    def add(self, code: CodeType) -> None:
        """Check `code`."""
        self.counts["code objects"] += 1
        try:
            self._time(code)
            routine = check_round_trip(code)
            if self.renewal:
                check_renewed(routine)
        except Exception as error:
            self.failures.append(f"{code.co_filename}:{code.co_firstlineno} {code.co_qualname}: {error!r:.300}")

    def _time(self, code: CodeType) -> None:
        started = time.process_time()
        routine = decode(code)
        decoded = time.process_time()
        assemble(routine)
        encoded = time.process_time()
        verify(routine)
        verified = time.process_time()
        self.seconds["decode"] += decoded - started
        self.seconds["encode"] += encoded - decoded
        self.seconds["verify"] += verified - encoded
        groups = {id(instruction.group): instruction.group for instruction in routine.instructions}
        self.counts["raw instructions"] += sum(len(group.raw) for group in groups.values() if group is not None)
        self.counts["instructions"] += len(routine.instructions)

    def report(self) -> str:
        """One line."""
        raw, neutral = self.counts["raw instructions"] or 1, self.counts["instructions"] or 1
        rates = ", ".join(f"{name} {raw / self.seconds[name]:,.0f} raw/s" for name in ("decode", "encode"))
        counts = ", ".join(f"{number:,} {name}" for name, number in self.counts.items())
        verify_cost = self.seconds["verify"] / neutral * 1e6
        version = ".".join(map(str, sys.version_info[:3]))
        return f"{version}: {counts}, {len(self.failures)} failures; {rates}, verify {verify_cost:.2f} us"


def main(arguments: list[str]) -> int:
    """Run the sweep; 1 if anything failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shard", default="0/1", help="which part of the sources to check")
    parser.add_argument("--no-renewal", action="store_true", help="do not lower everything again")
    parser.add_argument("--root", type=Path, help="a folder of sources to check instead")
    options = parser.parse_args(arguments)
    shard, shards = map(int, options.shard.split("/"))
    figures = Figures(not options.no_renewal)
    for path, name in sources(options.root)[shard::shards]:
        module = compiled(path, name)
        if module is not None:
            figures.counts["sources"] += 1
            for code in code_objects(module):
                figures.add(code)
    for failure in figures.failures[:40]:
        print(failure)
    print(figures.report(), flush=True)
    return 1 if figures.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
