"""Global names, attributes and items."""

from __future__ import annotations

import builtins
from typing import Final

from symexec.bytecode.features import NULL_ABOVE_CALLABLE
from symexec.bytecode.model import Instruction
from symexec.bytecode.ops import Op
from symexec.interpreter.frame import Frame
from symexec.interpreter.machine import Machine
from symexec.interpreter.outcomes import STOPS, Break, Outcome, Reply, Stop
from symexec.interpreter.protocol.attributes import delete_attribute, get_attribute, get_method, set_attribute
from symexec.interpreter.protocol.calls import call
from symexec.interpreter.protocol.items import delete_item, get_item, set_item
from symexec.interpreter.protocol.namespaces import delete_global, load_builtin, load_global, store_global
from symexec.interpreter.protocol.super_attributes import make_super
from symexec.values.model import Known, Null, Value
from symexec.values.origin import Fixed

_BUILD_CLASS: Final = builtins.__build_class__


def load_name(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push a global or builtin."""
    reply = load_global(machine, frame.globals, instruction.name)
    if isinstance(reply, STOPS):
        return reply
    frame.state.stack.append(reply)
    return None


def store_name(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Pop into a global."""
    return store_global(machine, frame.globals, instruction.name, frame.state.stack.pop())


def delete_name(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Unbind a global."""
    return delete_global(machine, frame.globals, instruction.name)


def load_build_class(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push the function that makes classes, from the builtins past the globals."""
    found = load_builtin(machine, frame.globals, "__build_class__")
    if isinstance(found, Break):
        return found
    if not isinstance(found, Known) or found.value is not _BUILD_CLASS or not machine.identify(found):
        return machine.stop("SX1021", "builtins.__build_class__ was replaced")
    frame.state.stack.append(Known(_BUILD_CLASS, Fixed(_BUILD_CLASS)))
    return None


def load_attr(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Replace the top by its attribute."""
    stack = frame.state.stack
    reply = get_attribute(machine, stack.pop(), instruction.name)
    if isinstance(reply, STOPS):
        return reply
    stack.append(reply)
    return None


def load_super_attr(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Replace `super`, a class and an object by an attribute of what `super` gives for them."""
    stack = frame.state.stack
    made = _super(machine, instruction, *_pop_three(stack))
    reply = made if isinstance(made, STOPS) else get_attribute(machine, made, instruction.name)
    if isinstance(reply, STOPS):
        return reply
    stack.append(reply)
    return None


def load_super_method(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """The same in the form of a method call."""
    made = _super(machine, instruction, *_pop_three(frame.state.stack))
    if isinstance(made, STOPS):
        return made
    frame.state.stack.append(made)
    return load_method(machine, frame, instruction)


def _pop_three(stack: list[Value]) -> tuple[Value, Value, Value]:
    upper, middle, lower = stack.pop(), stack.pop(), stack.pop()
    return lower, middle, upper


def _super(machine: Machine, instruction: Instruction, function: Value, class_: Value, owner: Value) -> Reply:
    """What the call of `super`, or of what stands in its place, gives."""
    if isinstance(function, Known) and function.value is super:
        machine.identify(function)
        content = make_super(machine, class_, owner)
        return content if isinstance(content, STOPS) else machine.heap.make(content)
    return call(machine, function, [class_, owner] if instruction.arg & 2 else [], ())


def load_method(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Replace the top by a function and its self, or by the attribute and NULL, in the order of the running Python."""
    stack = frame.state.stack
    reply = get_method(machine, stack.pop(), instruction.name)
    if isinstance(reply, STOPS):
        return reply
    lower, upper = reply
    if NULL_ABOVE_CALLABLE and isinstance(lower, Null):
        lower, upper = upper, lower
    stack.append(lower)
    stack.append(upper)
    return None


def store_attr(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Set an attribute of the top to the value below it."""
    stack = frame.state.stack
    owner, value = stack.pop(), stack.pop()
    return set_attribute(machine, owner, instruction.name, value)


def delete_attr(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Delete an attribute of the top."""
    return delete_attribute(machine, frame.state.stack.pop(), instruction.name)


def _pop_pair(stack: list[Value]) -> tuple[Value, Value]:
    key = stack.pop()
    return stack.pop(), key


def binary_subscr(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Push the item of a container under a key."""
    container, key = _pop_pair(frame.state.stack)
    reply = get_item(machine, container, key)
    if isinstance(reply, STOPS):
        return reply
    frame.state.stack.append(reply)
    return None


def store_subscr(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Set the item of a container under a key."""
    container, key = _pop_pair(frame.state.stack)
    return set_item(machine, container, key, frame.state.stack.pop())


def delete_subscr(machine: Machine, frame: Frame, instruction: Instruction) -> Outcome | None:
    """Delete the item of a container under a key."""
    container, key = _pop_pair(frame.state.stack)
    stop: Stop | None = delete_item(machine, container, key)
    return stop


HANDLERS = {
    Op.LOAD_GLOBAL: load_name,
    Op.STORE_GLOBAL: store_name,
    Op.DELETE_GLOBAL: delete_name,
    Op.LOAD_BUILD_CLASS: load_build_class,
    Op.LOAD_ATTR: load_attr,
    Op.LOAD_SUPER_ATTR: load_super_attr,
    Op.LOAD_SUPER_METHOD: load_super_method,
    Op.LOAD_METHOD: load_method,
    Op.STORE_ATTR: store_attr,
    Op.DELETE_ATTR: delete_attr,
    Op.BINARY_SUBSCR: binary_subscr,
    Op.STORE_SUBSCR: store_subscr,
    Op.DELETE_SUBSCR: delete_subscr,
}
