"""CPython's own algorithms on the machine's values: attributes, calls, operators, iteration, one topic a file."""
