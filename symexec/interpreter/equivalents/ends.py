"""What equivalents share: the mark of an iterator's end, how containers compare, leaving a case to Python."""

from __future__ import annotations

from enum import Enum
from typing import Final, NoReturn


class End(Enum):
    """The type of `END`."""

    END = "end"


END: Final = End.END
"""What `advance()` of an equivalent gives when there is no next item.  No object of the user's is it."""


def are_equal(left: object, right: object) -> bool:
    """Whether they are equal or one object, as containers see it."""
    alone = (left,)
    return right in alone


def leave_to_python(why: str) -> NoReturn:
    """In the machine: a break.  The equivalent does not cover this case."""
    raise NotImplementedError(why)
