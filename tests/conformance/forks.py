"""Runs a function in a child process that may crash or hang, and hands its result, JSON data, back.

It does not know what is run.
"""

from __future__ import annotations

import faulthandler
import json
import math
import os
import select
import signal
import tempfile
import time
from collections.abc import Callable
from typing import IO, Final

import attrs

try:
    import resource
except ImportError:  # where there are no processes to limit
    resource = None

CAN_FORK: Final = hasattr(os, "fork") and resource is not None and os.name == "posix"
GRACE: Final = 1.0  # seconds for a child that hangs to say where
PATIENCE: Final = 5  # times its seconds of processor time that a child may take in all: others use the processor, too
CHUNK: Final = 1 << 16
DETAIL: Final = 6000  # characters kept of what a dying child says

# Bound now: tests replace functions of these modules.
write, close, kill, leave, our_id = os.write, os.close, os.kill, os._exit, os.getpid


@attrs.frozen
class Ended:
    """How a child ended: with `data`, or without: then `how` says why, and `trail` where it was."""

    data: object = None
    how: str = ""
    trail: str = ""
    timed_out: bool = False


def run_in_child(function: Callable[[], object], seconds: float, prepare: Callable[[], None]) -> Ended:
    """Fork; the child calls `prepare`, then `function`, and hands over what that gives.  Its process group dies.

    `seconds` are of processor time.
    """
    with tempfile.TemporaryFile() as trail:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.setpgid(0, 0)
                close(reading)
                prepare()
                faulthandler.enable(trail)
                faulthandler.register(signal.SIGUSR1, trail)
                limit_time(seconds, trail)
                hand_over(function, writing)
            finally:
                leave(1)
        close(writing)
        try:
            data, timed_out = receive(reading, time.monotonic() + PATIENCE * seconds)
            if timed_out:
                ask_where(child)
            status = end(child, at_once=timed_out or bool(data))
        finally:
            close(reading)
        if data.endswith(b"\n"):
            return Ended(json.loads(data))
        trail.seek(0)
        timed_out = timed_out or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU)
        how = f"no answer after {seconds:g} seconds" if timed_out else describe(status)
        return Ended(how=how, trail=trail.read().decode(errors="replace")[-DETAIL:], timed_out=timed_out)


def limit_time(seconds: float, trail: IO[bytes]) -> None:
    """In the child: die, saying where, when the processor time is used up."""
    faulthandler.register(signal.SIGXCPU, trail, chain=True)
    limit = math.ceil(time.process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + math.ceil(seconds)))


def hand_over(function: Callable[[], object], writing: int) -> None:
    """In the child: call the function, write its result.  Children of the child that come here write nothing."""
    me = our_id()
    data = (json.dumps(function()) + "\n").encode()
    if our_id() == me:
        while data:
            data = data[write(writing, data[:CHUNK]) :]
    leave(0)


def receive(reading: int, deadline: float) -> tuple[bytes, bool]:
    """One line from the pipe; less if the writers close it or, so the second result says, time is up."""
    data = b""
    while not data.endswith(b"\n"):
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([reading], [], [], left)[0]:
            return data, True
        chunk = os.read(reading, CHUNK)
        if not chunk:
            return data, False
        data += chunk
    return data, False


def ask_where(child: int) -> None:
    """Let a child that hangs write where it is."""
    kill(child, signal.SIGUSR1)
    time.sleep(GRACE)


def end(child: int, *, at_once: bool) -> int:
    """Wait for a child, killed first if it is to end at once, and kill what it left behind; gives its status."""
    if at_once:
        kill_group(child)
    _, status = os.waitpid(child, 0)
    kill_group(child)
    return status


def kill_group(child: int) -> None:
    try:
        os.killpg(child, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def describe(status: int) -> str:
    if os.WIFSIGNALED(status):
        return f"died of {signal.Signals(os.WTERMSIG(status)).name}"
    return f"exit status {os.waitstatus_to_exitcode(status)} without a result"
