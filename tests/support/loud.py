"""Makes errors of symexec itself loud: the function runs as written after one, so that nothing else would tell.

They are logged, which no `except` of a tested program can swallow.
"""

from __future__ import annotations

import contextlib
import logging
import traceback
from collections.abc import Iterator


class Collector(logging.Handler):
    """Collects the text of every error that is logged."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        lines = traceback.format_exception(record.exc_info[1]) if record.exc_info else []
        self.errors.append("".join([record.getMessage(), "\n", *lines]))


@contextlib.contextmanager
def internal_errors() -> Iterator[list[str]]:
    """A list that errors of symexec itself are added to while the block runs."""
    logger, collector = logging.getLogger("symexec"), Collector()
    logger.addHandler(collector)
    try:
        yield collector.errors
    finally:
        logger.removeHandler(collector)
