"""The shared programs, plain and compiled, in one process."""
