"""Building, extending and unpacking containers; formatting."""

from __future__ import annotations

from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.interpreter.frame import Frame
from symexec.interpreter.handlers.pushing import pop_many, push
from symexec.interpreter.machine import Machine, is_static_type
from symexec.interpreter.outcomes import STOPS, Outcome
from symexec.interpreter.protocol.dicts import dict_merge, dict_update
from symexec.interpreter.protocol.formatting import build_string, convert_value, format_value
from symexec.interpreter.protocol.items import set_item
from symexec.interpreter.protocol.lists import list_append, list_extend
from symexec.interpreter.protocol.raising import is_raised
from symexec.interpreter.protocol.refusals import raise_naming
from symexec.interpreter.protocol.sets import set_add, set_update
from symexec.interpreter.protocol.special import find_on_type
from symexec.interpreter.protocol.unpacking import refuses_iteration, unpack, unpack_with_rest
from symexec.values.heap import DictContent, ListContent, SetContent, SliceContent, TupleContent
from symexec.values.model import NONE, Constant


def build_tuple(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """A tuple of the topmost entries."""
    items = pop_many(frame.state.stack, instruction.arg)
    frame.state.stack.append(machine.heap.make(TupleContent(tuple(items))) if items else Constant(()))
    return None


def build_list(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """A list of the topmost entries."""
    items = pop_many(frame.state.stack, instruction.arg)
    frame.state.stack.append(machine.heap.make(ListContent(items)))
    return None


def build_set(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """A set of the topmost entries, added in order."""
    items = pop_many(frame.state.stack, instruction.arg)
    made = machine.heap.make(SetContent(set()))
    for item in items:
        stop = set_add(machine, made, item)
        if stop is not None:
            return stop
    frame.state.stack.append(made)
    return None


def build_map(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """A dict of the topmost pairs."""
    items = pop_many(frame.state.stack, 2 * instruction.arg)
    made = machine.heap.make(DictContent({}, complete=True))
    for key, value in zip(items[::2], items[1::2], strict=True):
        stop = set_item(machine, made, key, value)
        if stop is not None:
            return stop
    frame.state.stack.append(made)
    return None


def build_const_key_map(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """A dict of a tuple of constant keys and the entries below it."""
    keys = machine.concrete(frame.state.stack.pop())
    items = pop_many(frame.state.stack, instruction.arg)
    made = machine.heap.make(DictContent({}, complete=True))
    if not isinstance(keys, tuple):
        return machine.stop("SX1001", "the keys of a dict display are not constants")
    for key, value in zip(keys, items, strict=True):
        stop = set_item(machine, made, Constant(key), value)
        if stop is not None:
            return stop
    frame.state.stack.append(made)
    return None


def build_string_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Join the pieces of an f-string."""
    return push(frame, build_string(machine, pop_many(frame.state.stack, instruction.arg)))


def build_slice(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """A slice of two or three parts."""
    parts = pop_many(frame.state.stack, instruction.arg)
    start, stop, step = parts if len(parts) == 3 else (*parts, NONE)
    frame.state.stack.append(machine.heap.make(SliceContent(start, stop, step)))
    return None


def list_append_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Append the top to the list below it."""
    value = frame.state.stack.pop()
    return list_append(machine, frame.state.stack[-instruction.arg], value)


def list_extend_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Extend the list below by the top's items."""
    value = frame.state.stack.pop()
    stop = list_extend(machine, frame.state.stack[-instruction.arg], value)
    if is_raised(machine, stop, TypeError):
        type_ = machine.type_of(value)
        if refuses_iteration(type_):
            text = "Value after * must be an iterable, not "
            return raise_naming(machine, type_, lambda name: TypeError(text + name))
    return stop


def set_add_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Add the top to the set below it."""
    value = frame.state.stack.pop()
    return set_add(machine, frame.state.stack[-instruction.arg], value)


def set_update_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Add the top's items to the set below it."""
    value = frame.state.stack.pop()
    return set_update(machine, frame.state.stack[-instruction.arg], value)


def map_add_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Add a pair to the dict below it."""
    value, key = frame.state.stack.pop(), frame.state.stack.pop()
    return set_item(machine, frame.state.stack[-instruction.arg], key, value)


def dict_update_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Update the dict below by the top."""
    value = frame.state.stack.pop()
    type_ = machine.type_of(value)
    if is_static_type(type_) and find_on_type(type_, "keys") is None:
        return raise_naming(machine, type_, lambda name: TypeError(f"'{name}' object is not a mapping"))
    return dict_update(machine, frame.state.stack[-instruction.arg], value)


def dict_merge_op(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Merge the top's keywords into the dict below; a key twice is an error."""
    value = frame.state.stack.pop()
    return dict_merge(machine, frame.state.stack[-instruction.arg], value)


def unpack_sequence(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push the items, the first on top."""
    items = unpack(machine, frame.state.stack.pop(), instruction.arg)
    if isinstance(items, STOPS):
        return items
    frame.state.stack.extend(reversed(items))
    return None


def unpack_ex(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push the items, the rest as a list, the first on top."""
    items = unpack_with_rest(machine, frame.state.stack.pop(), instruction.arg & 255, instruction.arg >> 8)
    if isinstance(items, STOPS):
        return items
    frame.state.stack.extend(reversed(items))
    return None


def convert(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """`!s`, `!r` and `!a`."""
    return push(frame, convert_value(machine, instruction.arg, frame.state.stack.pop()))


def format_simple(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """`format(it)`."""
    return push(frame, format_value(machine, frame.state.stack.pop(), None))


def format_with_spec(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """`format(it, spec)`."""
    spec = frame.state.stack.pop()
    return push(frame, format_value(machine, frame.state.stack.pop(), spec))


HANDLERS = {
    Op.BUILD_TUPLE: build_tuple,
    Op.BUILD_LIST: build_list,
    Op.BUILD_SET: build_set,
    Op.BUILD_MAP: build_map,
    Op.BUILD_CONST_KEY_MAP: build_const_key_map,
    Op.BUILD_STRING: build_string_op,
    Op.BUILD_SLICE: build_slice,
    Op.LIST_APPEND: list_append_op,
    Op.LIST_EXTEND: list_extend_op,
    Op.SET_ADD: set_add_op,
    Op.SET_UPDATE: set_update_op,
    Op.MAP_ADD: map_add_op,
    Op.DICT_UPDATE: dict_update_op,
    Op.DICT_MERGE: dict_merge_op,
    Op.UNPACK_SEQUENCE: unpack_sequence,
    Op.UNPACK_EX: unpack_ex,
    Op.CONVERT_VALUE: convert,
    Op.FORMAT_SIMPLE: format_simple,
    Op.FORMAT_WITH_SPEC: format_with_spec,
}
