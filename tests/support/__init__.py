"""What tests share: running a function as written and transformed, side by side, and comparing all that shows."""

from tests.support.run import Conditions
from tests.support.same import arguments, assert_same

__all__ = ["Conditions", "arguments", "assert_same"]
