"""The hand-made splice passes every check; with any one rule left out it fails the checks that are for that rule."""

from __future__ import annotations

import sys

import pytest

from . import checks
from .splice import Fault, maker

NOTICED = {
    Fault.NO_TRACER_TEST: [checks.check_settrace],
    Fault.NO_VALIDATION: [checks.check_switch_everywhere],
    Fault.POLL_IN_VALIDATION: [checks.check_switch_everywhere],
    Fault.CALL_IN_COMMIT: [checks.check_keyboard_interrupt, checks.check_asynchronous_exception],
    Fault.NO_OUTER_REGIONS: [checks.check_keyboard_interrupt, checks.check_error_everywhere],
    Fault.PUSHED_EXCEPTION: [checks.check_error_in_operation, checks.check_keyboard_interrupt],
    Fault.FOREIGN_SWALLOWED: [checks.check_signal_handler, checks.check_signal_handler_with_common_error],
    Fault.ANY_EXCEPTION_OWN: [checks.check_asynchronous_exception],
    Fault.LIBRARY_FRAMES_FOREIGN: [checks.check_error_in_library_frame],
    Fault.NO_FALL_BACK: [checks.check_error_in_operation, checks.check_error_in_library_frame],
    Fault.COMMIT_IN_REGION: [checks.check_error_everywhere],
    Fault.STRONG_CONSTANTS: [checks.check_freed],
    Fault.TEMPORARY_SLOT: [checks.check_locals],
    Fault.LOCAL_NOT_SET: [checks.check_locals],
    Fault.NO_POSITIONS: [checks.check_line_of_interrupt],
    Fault.STUB_WITHOUT_LINE: [checks.check_settrace, checks.check_line_of_interrupt],
    Fault.LINES_GO_BACK: [checks.check_monitoring],
    Fault.LASTI_OFF: [checks.check_line_of_interrupt],
}


def require(check: checks.Check) -> None:
    """Skip where the platform lacks what the check is about."""
    if check is checks.check_monitoring and not checks.MONITORING:
        pytest.skip("no sys.monitoring before 3.12")
    if sys.platform == "emscripten" and check in (checks.check_no_count_is_lost, checks.check_asynchronous_exception):
        pytest.skip("no threads here")


@pytest.mark.parametrize("check", checks.CHECKS, ids=lambda check: check.__name__)
def test_hand_made_splice(check: checks.Check) -> None:
    require(check)
    check(maker())


def test_every_fault_has_a_check() -> None:
    assert set(NOTICED) == set(Fault)


@pytest.mark.parametrize(("fault", "check"), [(fault, check) for fault, found in NOTICED.items() for check in found])
def test_rule_left_out_is_noticed(fault: Fault, check: checks.Check) -> None:
    require(check)
    with pytest.raises(AssertionError):
        check(maker(fault))
