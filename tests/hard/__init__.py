"""The hardest cases: breaks amid cells, loops, handlers and context managers; and what must not be kept alive."""
