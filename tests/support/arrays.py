"""Looks into NumPy's objects, without importing NumPy: where it is not loaded there are none.

Two arrays are the same only if type, dtype, shape, strides, flags, bytes and base are.
"""

from __future__ import annotations

import hashlib
import sys

from tests.support.look import Look, class_name

SHOWN_ELEMENTS = 64


def look_into_numpy(value: object) -> Look | None:
    """A look into an array, array scalar, dtype or random generator; `None` for everything else."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return None
    kind = type(value)
    if issubclass(kind, numpy.ndarray):
        return look_into_array(numpy, value)
    if issubclass(kind, numpy.generic):
        return Look(f"{class_name(kind)} {value.dtype!r} {value!r} ({value.tobytes().hex()})")
    if issubclass(kind, numpy.dtype):
        return Look(f"dtype {value!r}")
    random = sys.modules.get("numpy.random")
    if random is not None and issubclass(kind, (random.Generator, random.RandomState)):
        state = value.bit_generator.state if issubclass(kind, random.Generator) else value.get_state(legacy=False)
        return Look(f"{class_name(kind)} {digest(repr(state).encode())}")
    return None


def look_into_array(numpy: object, value: object) -> Look:
    array = numpy.ndarray.view(value, numpy.ndarray)
    layout = f"dtype={array.dtype!r} shape={array.shape} strides={array.strides} writeable={array.flags.writeable}"
    parts = []
    if array.dtype.hasobject:
        content = "of objects"
        parts.extend((f"[{index}]", element) for index, element in enumerate(array.ravel().tolist()))
    else:
        data = array.tobytes()
        shown = array.tolist() if array.size <= SHOWN_ELEMENTS else "..."
        content = f"{shown} ({digest(data)})"
    base = numpy.ndarray.base.__get__(value)
    if base is not None:
        parts.append((".base", base))
        if isinstance(base, numpy.ndarray):
            content += f" at byte {address(array) - address(base)} of its base"
    return Look(f"{class_name(type(value))} {layout} {content}", parts)


def address(array: object) -> int:
    return array.__array_interface__["data"][0]


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
