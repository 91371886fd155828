"""The tests of what the tests share."""
