"""Plain Python equivalents of C helpers of the standard library, which the machine interprets in their place.

They are written for two readers: tests run them as they are, beside the originals, and the machine runs their bytecode
on values.  So that they do the same in both, they use builtins, their own module's names and `END`, nothing else; the
machine takes these names as constants (`protocol/fixed.py`).  Nothing of them is ever seen by the user: objects made by
the classes here are of the original's type, errors are the original's, and what is not followed is left to Python.
"""
