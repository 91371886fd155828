"""Code objects of the standard library, to analyse."""

from __future__ import annotations

import functools
import importlib.util
import random
import sys
import types
from collections.abc import Iterator

from symexec.bytecode.decode import decode
from symexec.bytecode.model import Routine

MODULES = """
    abc argparse ast asyncio.base_events asyncio.queues asyncio.streams asyncio.tasks base64 bdb bisect calendar cmd
    codecs collections concurrent.futures._base configparser contextlib copy csv dataclasses datetime decimal difflib
    dis email.message email.utils enum fileinput fnmatch fractions functools gettext glob gzip heapq html.parser
    http.client http.server inspect ipaddress json.decoder json.encoder logging mailbox operator optparse os pathlib
    pdb pickle pkgutil platform plistlib pprint pstats pyclbr queue random reprlib sched selectors shlex shutil smtplib
    socket socketserver ssl statistics string subprocess tarfile tempfile textwrap threading timeit tokenize traceback
    types typing unittest.case unittest.mock urllib.parse urllib.request uuid warnings weakref xml.dom.minidom
    xml.etree.ElementTree zipfile
""".split()


def nested_code(code: types.CodeType) -> Iterator[types.CodeType]:
    """`code` and all code objects in its constants."""
    waiting = [code]
    while waiting:
        code = waiting.pop()
        yield code
        waiting.extend(constant for constant in code.co_consts if isinstance(constant, types.CodeType))


def module_code(name: str) -> types.CodeType | None:
    """The code of a module's body, `None` if this Python has no source for it."""
    try:
        spec = importlib.util.find_spec(name)
    except ImportError:
        return None
    loader = None if spec is None else spec.loader
    get_source = getattr(loader, "get_source", None)
    source = None if get_source is None else get_source(name)
    return None if source is None else compile(source, f"<{name}>", "exec", dont_inherit=True)


@functools.cache
def sampled_code() -> tuple[types.CodeType, ...]:
    """Some thousand code objects, the same in each run."""
    found = [code for name in MODULES if (body := module_code(name)) is not None for code in nested_code(body)]
    count = 400 if sys.platform == "emscripten" else 1500
    return tuple(random.Random(20).sample(found, min(count, len(found))))


def sampled_routines() -> Iterator[Routine]:
    """The same, decoded."""
    for code in sampled_code():
        yield decode(code)
