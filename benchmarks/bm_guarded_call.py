"""Warm calls: a compiled function beside the function as written, in one run; and what each kind of guard costs.

`call/NAME/plain` and `call/NAME/compiled` are to be compared with each other; `guard/KIND` is a call of a function that
does one operation and relies on `FACTS_EACH` facts of that kind, `guard/no_facts` the same without.  The table at the
end has the ratios.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyperf
from clock import time_calls
from programs import FACTS
from subjects import make_loader, numpy_maker

import symexec

ALWAYS = symexec.Config(install="always", strict=True)
CALLED = (
    "five_operations",
    "loop_of_10",
    "python_loop_of_1000",
    "closures",
    "arguments_of_every_kind",
    "packing_and_unpacking",
    "methods",
    "construction",
    "network_of_50",
    "pipeline_from_settings",
    "writes_to_a_list",
    "writes_to_a_dict",
    "writes_to_an_object",
)
FACTS_EACH = 16
WARM_CALLS = 100


def compile_warm(function: Callable[..., object], arguments: tuple[object, ...]) -> Callable[..., object]:
    """The compiled function, with its traces made, and specialised by Python."""
    compiled = symexec.compile(function, config=ALWAYS)
    time_calls(WARM_CALLS, compiled, *arguments)
    return compiled


def time_subject(loops: int, name: str, compiled: bool) -> float:
    """Seconds for `loops` calls of a subject."""
    subject = make_loader()()[name]
    arguments = subject.arguments(numpy_maker())
    function = compile_warm(subject.function, arguments) if compiled else subject.function
    time_calls(WARM_CALLS, function, *arguments)
    return time_calls(loops, function, *arguments)


def time_facts(loops: int, kind: str) -> float:
    """Seconds for `loops` compiled calls of a function that relies on many facts of a kind."""
    function, arguments = FACTS[kind](FACTS_EACH, np.ones(4, dtype=np.float32))
    compiled = compile_warm(function, arguments)
    if symexec.stats(compiled).breaks:
        raise AssertionError(f"{kind} is not captured whole")
    return time_calls(loops, compiled, *arguments)


def main() -> None:
    runner = pyperf.Runner()
    runner.metadata["clock"] = "CPU time"
    rows = []
    for name in CALLED:
        plain = runner.bench_time_func(f"call/{name}/plain", time_subject, name, False)
        compiled = runner.bench_time_func(f"call/{name}/compiled", time_subject, name, True)
        if plain and compiled:
            added = (compiled.mean() - plain.mean()) * 1e6
            rows.append(f"{name:26} {compiled.mean() / plain.mean():8.2f} x {added:+9.2f} us a call")
    bare = None
    for kind in FACTS:
        guarded = runner.bench_time_func(f"guard/{kind}", time_facts, kind)
        bare = bare or guarded
        if guarded and bare and guarded is not bare:
            rows.append(f"{kind:26} {(guarded.mean() - bare.mean()) / FACTS_EACH * 1e9:+9.1f} ns each")
    if rows and not runner.args.quiet:
        print("\n" + "\n".join(rows))


if __name__ == "__main__":
    main()
