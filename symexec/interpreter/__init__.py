"""The machine: runs routines on values, records graph, guards and effects."""
