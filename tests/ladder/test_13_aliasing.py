"""Several names for one object, structures that contain themselves, and changes seen through every path."""

from __future__ import annotations

import copy

from tests.ladder.both import captured, same
from tests.support import arguments

shared_list: list[object] = [1]
shared_dict: dict[str, object] = {"list": shared_list}


class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


def same_twice(value):
    return lambda: arguments(value, value) if False else arguments(*[list(value)] * 2)


@captured(same_twice([1]), ([1], [1]), same_twice([]))
def test_two_arguments_may_be_one(a, b):
    a.append("x")
    if b:
        b[0] = "y"
    return a is b, a == b, len(b), a[0]


@same(([1, 2],), ([],))
def test_list_that_contains_itself(items):
    items.append(items)
    made = []
    made.extend([made, items])
    return (
        items[-1] is items,
        items,
        made,
        made[0][0][0] is made,
        repr(made) == "[[...], " + repr(items) + "]",
        len(items),
    )


@same(({"a": 1},), ({},))
def test_dict_that_contains_itself(table):
    table["self"] = table
    table["list"] = [table, {"up": table}]
    return table, table["self"]["self"] is table, table["list"][1]["up"]["list"] is table["list"]


@same((3,), (1,))
def test_ring_of_instances(n):
    first = last = Node(0)
    for i in range(1, n):
        last.next = Node(i)
        last = last.next
    last.next = first
    here, seen = first, []
    for _ in range(2 * n):
        seen.append(here.value)
        here.value += 10
        here = here.next
    return seen, first, here is first


@same((1,), (2,))
def test_global_through_two_paths(x):
    shared_list.append(x)
    inner = shared_dict["list"]
    inner.append([x])
    shared_dict["again"] = shared_list
    shared_dict["again"][0] = "changed"
    return inner is shared_list, shared_list, shared_dict, inner[-1] is shared_list[-1]


def with_alias():
    inner = [1, 2]
    return arguments({"a": inner, "b": [inner]}, inner)


def without_alias():
    return arguments({"a": [1, 2], "b": [[1, 2]]}, [1, 2])


@same(with_alias, without_alias, with_alias)
def test_argument_inside_another(table, inner):
    inner.append(3)
    table["b"][0].append(4)
    table["a"] += [5]
    return table["a"] is inner, len(inner), table, [table["b"][0], inner]


@same(([1],), ([],))
def test_arguments_of_a_tuple(items):
    pair = (items, items)
    pair[0].append("via pair")
    nested = (pair, [pair])
    nested[1].append(items)
    return pair, nested, pair[1] is items, nested[1][0] is pair


@same(([[1], [2]],), ([[]],))
def test_shallow_and_deep_copies(rows):
    shallow, sliced, deep = list(rows), rows[:], copy.deepcopy(rows)
    shallow[0].append("s")
    rows.append(shallow)
    return rows, shallow, sliced, deep, shallow[0] is rows[0], copy.copy(rows) == rows, deep[0] is rows[0]


@same((1,), (2,))
def test_default_shared_by_closures(x):
    box = []
    read = lambda b=box: b
    write = lambda v, b=box: b.append(v)
    write(x)
    box.append("direct")
    return read(), read() is box, read, write


@same(([3, 1, 2],), ([],))
def test_iterator_shared(items):
    iterator = iter(items)
    pairs = list(zip(iterator, iterator))
    again = iter(iterator)
    return pairs, again is iterator, list(again)


@same((Node([1]),), (Node([]),))
def test_attribute_and_local_alias(node):
    value = node.value
    node.value.append(1)
    node.next = node
    node.next.value = [value]
    node.next.next.value.append(node.value)
    return value, node, node.value[0] is value


def shared_node():
    node = Node(1)
    return arguments([node, node], {"n": node})


def other_nodes():
    return arguments([Node(1), Node(1)], {"n": Node(1)})


@same(shared_node, other_nodes, shared_node)
def test_instances_shared_between_arguments(nodes, table):
    nodes[0].value += 10
    nodes[1].value *= 2
    table["n"].value = -table["n"].value
    del nodes[0].value
    nodes[0].value = nodes
    return [hasattr(n, "value") for n in nodes], nodes[0] is table["n"], nodes, table


@same(([1, 2, 3],), ([1],))
def test_list_given_to_itself(items):
    items[1:1] = items
    items.extend(items)
    items += items[:1]
    items[:] = items
    items.insert(0, items)
    return len(items), items[0] is items, items[1:]


@same((2,), (3,))
def test_rows_that_are_one(n):
    rows = [[0] * n] * n
    rows[0][0] = "x"
    table = dict.fromkeys("ab", [])
    table["a"].append(n)
    return rows, table, rows[0] is rows[-1], table["a"] is table["b"]


@same(([1],), ([2],))
def test_error_leaves_partly_changed_structure(items):
    holder = {"items": items, "copy": [items]}
    try:
        holder["copy"][0].append("one")
        holder["items"][5] = "two"
    except IndexError as error:
        error.holder = holder
        holder["error"] = error
        return holder
