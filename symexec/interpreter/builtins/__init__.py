"""Plain Python equivalents of builtins and library functions that call back into the program."""
