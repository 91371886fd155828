"""CPython's own tests, every test method compiled, compared with the same tests as written.

`python -m tests.conformance.run` goes through all modules of `modules.txt` and prints a table; `--help` tells more.
"""
