"""Functions that import relative to where they are."""


def relative():
    from .. import NUMBER, inner
    from ..inner.side import VALUE as value
    from . import WORD, side

    return WORD, side.VALUE, NUMBER, inner.WORD, value


def too_far():
    from ........ import nothing

    return nothing
