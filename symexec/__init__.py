"""symexec: a pure-Python symbolic bytecode interpreter."""

__version__ = "0.1.0"
