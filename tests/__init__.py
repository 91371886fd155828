"""The tests; `tests.support` is what they share."""
