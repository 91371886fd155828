"""A package in a package."""

WORD = "inner"
