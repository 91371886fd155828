"""Tests of `symexec.bytecode`; `python -m tests.bytecode.sweep` is their full form over all installed code."""
