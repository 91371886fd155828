"""The ladder: the language, rung by rung, as users write it.

Each file is a topic, in rising order; each test is a program, or a table of programs, that is run as written and
compiled, side by side, over several calls, twice over (`both.same`, `both.check`): results, identity relations,
exceptions with notes, chains and traceback lines, mutations, output and the order of effects must be the same, with
numbers as constants under guards and with numbers as values of the graph.  The programs try to find wrong answers: they
change what was relied on from call to call, have effects before what may fail, and fail half way.

`both.captured` asserts in addition that every call runs in one trace, without a break.  A file may have two lists at
its top, read by `conftest`, name of a test to the reason: `NOT_YET`, for programs that break so far, and `FAULTS`, for
programs that behave differently so far.  Both are strict: what works is taken off.
"""
