"""A small array in plain Python, for Pythons without NumPy, and for polls and frames inside every operation."""

from __future__ import annotations

import math


class Grid:
    """Two-dimensional, of floats; operations make new grids and raise as NumPy with overflow errors on would."""

    __slots__ = ("rows", "shape")
    dtype = float

    def __init__(self, rows: list[list[float]]) -> None:
        self.rows, self.shape = rows, (len(rows), len(rows[0]))

    def __repr__(self) -> str:
        return f"Grid({self.rows})"

    def tolist(self) -> list[list[float]]:
        return [list(row) for row in self.rows]

    def __matmul__(self, other: Grid) -> Grid:
        if self.shape[1] != other.shape[0]:
            raise ValueError(f"shapes {self.shape} and {other.shape} do not fit")
        columns = list(zip(*other.rows, strict=True))
        return Grid([[sum(map(float.__mul__, row, column)) for column in columns] for row in self.rows])

    def __add__(self, other: Grid | float) -> Grid:
        if isinstance(other, (int, float)):
            other = Grid([[float(other)] * self.shape[1]] * self.shape[0])
        if self.shape != other.shape:
            raise ValueError(f"shapes {self.shape} and {other.shape} do not fit")
        made = [list(map(float.__add__, *pair)) for pair in zip(self.rows, other.rows, strict=True)]
        if not all(math.isfinite(value) for row in made for value in row):
            raise FloatingPointError("overflow")
        return Grid(made)

    def sum(self, axis: int) -> list[float]:
        if axis not in (0, 1):
            raise ValueError(f"axis {axis} is out of bounds")
        return [math.fsum(row) for row in (zip(*self.rows, strict=True) if axis == 0 else self.rows)]
