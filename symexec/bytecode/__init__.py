"""A version-neutral, typed instruction set for CPython 3.11 to 3.14: decode, encode, verify."""
