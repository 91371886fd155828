"""Every code object of the installed standard library and site-packages, compiled from source."""

from __future__ import annotations

import random
import sys
import sysconfig
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import CodeType


def code_objects(top: CodeType) -> Iterator[CodeType]:
    """`top` and all code objects nested in it."""
    waiting = [top]
    while waiting:
        code = waiting.pop()
        yield code
        waiting.extend(constant for constant in code.co_consts if isinstance(constant, CodeType))


def roots() -> list[Path]:
    """The folders and archives that hold the standard library and the installed packages."""
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    found = [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")]
    found.append(Path(sys.base_prefix) / "lib" / version / "site-packages")
    found += [Path(entry) for entry in sys.path if entry.endswith(".zip") or entry.startswith("/site")]
    kept: list[Path] = []
    for path in found:
        path = path.resolve()
        if path.exists() and not any(path == other or other in path.parents for other in kept):
            kept.append(path)
    return kept


def sources(only: Path | None = None) -> list[tuple[Path, str]]:
    """Every Python source (those in `only`), as a file or an archive and a name in it, in an order that stays."""
    found: list[tuple[Path, str]] = []
    for root in roots() if only is None else [only]:
        if root.is_file():
            with zipfile.ZipFile(root) as archive:
                found += [(root, name) for name in archive.namelist() if name.endswith(".py")]
        else:
            found += [(path, "") for path in root.rglob("*.py") if path.is_file()]
    return sorted(set(found))


def read(path: Path, name: str) -> bytes:
    """The text of a source."""
    if not name:
        return path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        return archive.read(name)


def compiled(path: Path, name: str = "") -> CodeType | None:
    """The module's code; `None` if it is not valid Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return compile(read(path, name), name or str(path), "exec", dont_inherit=True)
        except (SyntaxError, ValueError, UnicodeError, RecursionError, MemoryError, OSError):
            return None


def sample(count: int, seed: int) -> Iterator[CodeType]:
    """The code objects of `count` sources, chosen at random by `seed`."""
    chosen = sources()
    random.Random(seed).shuffle(chosen)
    for path, name in chosen[:count]:
        module = compiled(path, name)
        if module is not None:
            yield from code_objects(module)
