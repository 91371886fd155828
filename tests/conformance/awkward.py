"""Stand-ins for CPython's tests that behave otherwise when they are compiled: they test the runner itself."""

from __future__ import annotations

import doctest
import logging
import os
import time
import unittest


def is_compiled(test: unittest.TestCase) -> bool:
    """Whether the method that runs has other code than the source."""
    name = test._testMethodName
    return getattr(type(test), name).__code__ is not CODES[name]


class Awkward(unittest.TestCase):
    """Each test is named after what it should be found to have done."""

    def test_passes(self):
        assert [n * n for n in range(4)] == [0, 1, 4, 9]

    def test_fails(self):
        assert not is_compiled(self), "it is compiled"

    def test_fails_the_second_time(self):
        calls = vars(type(self)).get("calls", 0) + 1
        type(self).calls = calls
        if calls == 2:
            assert not is_compiled(self), "it is compiled"

    def test_crashes(self):
        if is_compiled(self):
            os.abort()

    def test_leaves(self):
        if is_compiled(self):
            os._exit(0)

    def test_hangs(self):
        while is_compiled(self):
            time.sleep(0.01)

    def test_spins(self):
        while is_compiled(self):
            pass

    def test_swallows(self):
        if is_compiled(self):
            logging.getLogger("symexec").error("an error that nothing else tells of")

    def test_raises_more_than_an_exception(self):
        if is_compiled(self):
            raise SystemExit

    def test_skips(self):
        self.skipTest("always")

    def test_never_passes(self):
        self.fail("always")

    def test_forks(self):
        if os.fork() == 0:
            return
        os.wait()


def counted(n):
    """
    >>> for item in range(2):
    ...     counted(item)
    '0'
    '1'
    >>> print("a"); "b"
    a
    'b'
    >>> counted()    # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    TypeError: counted() missing ...
    >>> none = None
    >>> none
    """
    return str(n)


def misdescribed():
    """
    >>> 1 + 1
    3
    """


CODES = {name: value.__code__ for name, value in vars(Awkward).items() if name.startswith("test")}


def load_tests(loader, tests, pattern):
    tests.addTest(doctest.DocTestSuite())
    return tests
