"""Loads the functions to measure anew, so that nothing that an earlier measurement left behind is met again.

Besides `functions.py` a file of the same kind from outside the project can be loaded: `SHARED` if it is there.
"""

from __future__ import annotations

import marshal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType

from functions import Maker, Subject

FUNCTIONS = Path(__file__).with_name("functions.py")
SHARED = Path(__file__).resolve().parents[2] / "shared" / "corpus.py"


def make_loader(path: Path = FUNCTIONS) -> Callable[[], dict[str, Subject]]:
    """What loads the subjects of a file, by name: each time all code objects, classes and globals are new."""
    name = f"measured_{path.stem}"
    compiled = marshal.dumps(compile(path.read_text(encoding="utf-8"), str(path), "exec"))

    def load() -> dict[str, Subject]:
        module = ModuleType(name)
        sys.modules[name] = module  # dataclasses look their module up
        exec(marshal.loads(compiled), module.__dict__)
        return {subject.name: subject for subject in _subjects(module)}

    return load


def _subjects(module: ModuleType) -> Iterable[Subject]:
    if hasattr(module, "SUBJECTS"):
        return module.SUBJECTS
    return [Subject(case.name, case.fn, case.make_args, case.tags) for case in module.CASES]


def numpy_maker(size: int | None = None) -> Maker:
    """Makes float32 arrays; `size` repeats the numbers up to that many."""
    import numpy as np

    def make(values: list[float]) -> object:
        array = np.array(values, dtype=np.float32)
        return array if size is None else np.resize(array, size)

    return make
