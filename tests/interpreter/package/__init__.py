"""A package to import from."""

NUMBER = 1
