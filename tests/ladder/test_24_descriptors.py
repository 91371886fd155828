"""Descriptors: properties, class and static methods, data and non-data ones, `__set_name__`, cached properties."""

from __future__ import annotations

import functools

from tests.ladder.both import captured, same

journal: list[object] = []


class Logged:
    """A data descriptor."""

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner):
        journal.append(("get", self.name, owner.__name__))
        return self if instance is None else getattr(instance, self.name)

    def __set__(self, instance, value):
        journal.append(("set", value))
        if value == "bad":
            raise ValueError(value)
        setattr(instance, self.name, value)

    def __delete__(self, instance):
        journal.append("delete")
        delattr(instance, self.name)


class Computed:
    """A non-data descriptor."""

    def __init__(self, function):
        self.function = function

    def __get__(self, instance, owner=None):
        journal.append("computed")
        return self.function(instance)


class Model:
    field = Logged()

    def __init__(self, x):
        self.x = x

    @Computed
    def double(self):
        return self.x * 2

    @property
    def prop(self):
        """Doc of the property."""
        journal.append("prop")
        return self.x

    @prop.setter
    def prop(self, value):
        journal.append(("set prop", value))
        self.x = [value]

    @prop.deleter
    def prop(self):
        del self.x

    @property
    def read_only(self):
        return self.x // 0 if self.x == "never" else self.x

    @property
    def broken(self):
        return self.nothing

    @classmethod
    def create(cls, x):
        return cls(x)

    @staticmethod
    def twice(x):
        return x * 2

    @functools.cached_property
    def cached(self):
        journal.append("cached")
        return [self.x]


class Child(Model):
    @property
    def prop(self):
        return "child", super().prop

    @classmethod
    def create(cls, x):
        made = super().create(x)
        made.tag = cls.__name__
        return made


@same((1,), ("s",))
def test_data_descriptor(x):
    model = Model(x)
    log = []
    for act in (
        lambda: model.field,
        lambda: setattr(model, "field", x),
        lambda: model.field,
        lambda: vars(model),
        lambda: vars(model).__setitem__("field", "ignored"),
        lambda: model.field,
        lambda: setattr(model, "field", "bad"),
        lambda: delattr(model, "field"),
        lambda: model.field,
        lambda: Model.field.name,
    ):
        try:
            log.append(act())
        except (AttributeError, ValueError) as error:
            log.append(error)
    return log, journal


@captured((1,), ("s",))
def test_property(x):
    model = Model(x)
    first = model.prop
    model.prop = "new"
    model.prop += ["more"] if isinstance(model.prop, list) else 1
    return first, model.x


@same((1,), (2,))
def test_property_errors(x):
    model = Model(x)
    log = [Model.prop.__doc__, Model.prop.fget.__name__]
    for act in (
        lambda: setattr(model, "read_only", 1), lambda: delattr(model, "read_only"), lambda: model.broken,
        lambda: delattr(model, "prop"), lambda: model.prop, lambda: hasattr(model, "prop"),
        lambda: getattr(model, "broken", "default"),
    ):  # fmt: skip
        try:
            log.append(act())
        except AttributeError as error:
            log.append(error)
    return log


@same((5,), (7,))
def test_property_error_leaves(x):
    model = Model(x)
    model.prop = x
    print(model.x)
    return model.broken


@same((2,), ("ab",))
def test_non_data_descriptor_is_hidden(x):
    model = Model(x)
    first = model.double
    model.double = "hidden"
    second = model.double
    del model.double
    return first, second, model.double, journal


@captured((1,), ([2],))
def test_class_and_static_methods(x):
    made = Model.create(x)
    again = made.create([x])
    return made.x, again.x, Model.twice(x), made.twice("t"), type(again) is Model


@same((1,), ("s",))
def test_inherited(x):
    child = Child.create(x)
    bound = child.create
    return (
        child,
        child.prop,
        child.tag,
        Child.twice(x),
        bound("b"),
        bound.__self__ is Child,
        Child.create == child.create,
        journal,
    )


@same((1,), (2,))
def test_cached_property(x):
    model = Model(x)
    first = model.cached
    model.x = "changed"
    second = model.cached
    del model.cached
    third = model.cached
    return first is second, third, vars(model), journal


@same((1,), (2,))
def test_descriptors_found_on_instances_do_not_count(x):
    model = Model(x)
    model.attribute = Logged()
    model.attribute.name = "n"
    found = model.attribute
    Model.late = property(lambda self: ("late", self.x))
    log = [type(found).__name__, model.late]
    model.__dict__["late"] = "ignored"
    log.append(model.late)
    del Model.late
    log.append(model.late)
    return log, journal


@same((1,), (2,))
def test_functions_as_descriptors(x):
    def function(self, y):
        return self, y

    bound = function.__get__(x)
    log = [bound(5), bound.__self__, bound.__func__ is function, function.__get__(None, int) is function]
    log.append(classmethod(function).__get__(None, int)(1))
    log.append(staticmethod(function).__get__(x)(1, 2))
    log.append(property(lambda self: self * 2).__get__(x))
    return log


@same((1,), (2,))
def test_set_name_and_class_creation(x):
    class Named:
        def __set_name__(self, owner, name):
            journal.append((owner.__name__, name))
            self.name = name
            if x == 2 and name == "second":
                raise KeyError(name)

    try:

        class Owner:
            first = Named()
            second = Named()

        return Owner.first.name, journal
    except (KeyError, RuntimeError) as error:
        return type(error), error.__cause__, getattr(error, "__notes__", None), journal


class Validated:
    def __init__(self, check):
        self.check = check

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        return self if instance is None else instance.__dict__[self.name]

    def __set__(self, instance, value):
        if not self.check(value):
            raise TypeError(f"{self.name}: {value!r}")
        instance.__dict__[self.name] = value


class Account:
    owner = Validated(lambda value: isinstance(value, str))
    balance = Validated(lambda value: value >= 0)

    def __init__(self, owner, balance=0):
        self.owner, self.balance = owner, balance

    def withdraw(self, amount):
        journal.append(amount)
        self.balance -= amount
        return self.balance


@same(("a", 10), ("b", -1), (5, 1), ("c", 3))
def test_validation(owner, balance):
    account = Account("start")
    try:
        account.balance = balance
        account.owner = owner
        account.withdraw(2)
        account.withdraw(5)
    except TypeError as error:
        return error.args, vars(account), journal
    return account


@same(("a", 10), ("b", -1), ("c", 3))
def test_validation_leaves(owner, balance):
    account = Account(owner, balance)
    account.withdraw(2)
    print(account.balance)
    return account.withdraw(5)


class Slotted:
    __slots__ = ("value", "_cache")

    @property
    def doubled(self):
        try:
            return self._cache
        except AttributeError:
            journal.append("computing")
            self._cache = self.value * 2
            return self._cache


@captured((1,), ("ab",))
def test_lazy_slot(x):
    slotted = Slotted()
    slotted.value = x
    return slotted.doubled, slotted.doubled, slotted.value
