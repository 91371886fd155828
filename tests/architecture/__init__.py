"""The rules that the whole source obeys, as checks that run over it, and the tests of those checks themselves."""
