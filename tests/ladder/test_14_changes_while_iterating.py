"""What is iterated changes meanwhile: lists, dicts, sets, strings rebound, generators' sources."""

from __future__ import annotations

import pytest

from tests.ladder.both import captured, same


@captured(([1, 2, 3],), ([],))
def test_list_grows(items):
    for item in items:
        if len(items) < 8:
            items.append(item * 10)
    return items


@captured(([1, 2, 3, 4],), ([1, 1],), ([],))
def test_list_shrinks(items):
    seen = []
    for item in items:
        seen.append(item)
        items.remove(item)
    return seen, items


@same(([1, 2, 3],), ([7],))
def test_list_is_cleared_and_refilled(items):
    seen = []
    for item in items:
        seen.append(item)
        if len(seen) == 1:
            items.clear()
        if len(seen) > 4:
            break
    items.extend([8, 9])
    iterator = iter(items)
    first = next(iterator)
    items.insert(0, "before")
    return seen, first, list(iterator), list(iterator), items


@same(([1, 2, 3],), ([],))
def test_exhausted_iterator_stays_exhausted(items):
    iterator = iter(items)
    first = list(iterator)
    items.append("late")
    return first, list(iterator), next(iterator, "end"), items


CHANGES = {
    "add": lambda d, k: d.__setitem__("new" + str(k), 1),
    "delete": lambda d, k: d.pop(k),
    "replace": lambda d, k: d.__setitem__(k, "replaced"),
    "delete_and_add": lambda d, k: (d.pop(k), d.__setitem__(k, 0)),
    "clear": lambda d, k: d.clear(),
    "clear_and_refill": lambda d, k: (items := dict(d), d.clear(), d.update(items)) and None,
    "nothing": lambda d, k: None,
}
VIEWS = {"itself": lambda d: d, "keys": dict.keys, "values": dict.values, "items": dict.items, "reversed": reversed}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("change", CHANGES)
def test_dict_changes(change, view):
    alter, look = CHANGES[change], VIEWS[view]

    @same(({"a": 1, "b": 2, "c": 3},), ({},), ({"z": 0},))
    def program(table):
        log = []
        try:
            for entry in look(table):
                log.append(entry)
                if len(log) > 5:
                    break
                alter(table, next(iter(table)))
        except RuntimeError as error:
            log.append(error.args)
        return log, table

    program()


@same(({"a": 1, "b": 2},), ({"x": 0},))
def test_dict_changes_uncaught(table):
    print("start")
    for key in table:
        print(key)
        table[key + "!"] = table.pop(key)
    return table


@same(({"a": 1},), ({},))
def test_iterator_of_dict_after_an_error(table):
    iterator = iter(table)
    table["late"] = 1
    log = []
    for _ in range(3):
        try:
            log.append(next(iterator))
        except (RuntimeError, StopIteration) as error:
            log.append(error)
    return log, list(iter(table))


@same(([1, 2, 3],), ([],))
def test_variable_rebound(items):
    seen = []
    for item in items:
        items = [item, "other"]
        seen.append(items)
    return seen, items


@same(([1, 2, 3],), ([4],))
def test_zip_and_enumerate_of_changing_lists(items):
    other, log = [], []
    for i, item in enumerate(items):
        other.append(item)
        if i < 3:
            items.append(i)
    for left, right in zip(items, other):
        log.append((left, right))
        other.append(0) if len(other) < 6 else items.pop()
    return items, other, log


@same(([1, 2, 3, 4],), ([1],))
def test_reversed_of_a_changing_list(items):
    log = []
    for item in reversed(items):
        log.append(item)
        if len(log) == 1:
            items.pop()
            items.insert(0, "new")
    backwards = reversed(items)
    items.clear()
    return log, items, list(backwards)


@same(([1, 2, 3],), ([9],))
def test_generator_sees_changes(items):
    def scaled():
        for item in items:
            yield item * 2

    made = scaled()
    first = next(made)
    items.append(100)
    items[0] = "gone"
    return first, list(made)


@same(([[1], [2, 3]],), ([[]],))
def test_inner_lists_change(rows):
    for row in rows:
        for cell in row:
            if len(rows) < 5:
                rows.append([cell] if cell != 1 else [])
            if len(row) < 4:
                row.append(cell)
    return rows


@same(([3, 1, 2],), ([],))
def test_sorting_while_iterating(items):
    seen = []
    for item in items:
        seen.append(item)
        items.sort(reverse=len(seen) % 2 == 0)
    return seen, items
