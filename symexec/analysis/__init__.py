"""Pure functions of a routine: control flow, liveness, stack depth, blocks.  They know nothing of values."""
