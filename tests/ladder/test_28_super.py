"""`super()` in every kind of method, with and without arguments, in closures and comprehensions, and its errors."""

from __future__ import annotations

from tests.ladder.both import captured, same

journal: list[object] = []


class Base:
    value = "base value"

    def __init__(self, x):
        journal.append(("base init", x))
        self.x = x

    def method(self, *args, **kwargs):
        return ["base", self.x, args, kwargs]

    @classmethod
    def of_class(cls, x):
        return ("base", cls.__name__, x)

    @staticmethod
    def of_nothing(x):
        return ("base static", x)

    @property
    def prop(self):
        return ("base prop", self.x)

    def __getitem__(self, key):
        return ("base item", key)

    def __eq__(self, other):
        return "base eq"

    __hash__ = None


class Left(Base):
    value = "left value"

    def __init__(self, x, extra=None):
        super().__init__(x)
        journal.append(("left init", extra))
        self.extra = extra

    def method(self, *args, **kwargs):
        return ["left", *super().method(*args, more=1, **kwargs)]

    @classmethod
    def of_class(cls, x):
        return ("left", super().of_class(x))

    @staticmethod
    def of_nothing(x):
        return super(Left, Left).of_nothing(x)

    @property
    def prop(self):
        return ("left", super().prop, super().value, self.value)

    def __getitem__(self, key):
        return [super().__getitem__(key)]


class Right(Base):
    def method(self, *args, **kwargs):
        return ["right", *super().method(*args, **kwargs)]

    @classmethod
    def of_class(cls, x):
        return ("right", super().of_class(x))


class Bottom(Left, Right):
    def __init__(self, x):
        super().__init__(x, extra=[x])

    def method(self, *args):
        inner = lambda: super(Bottom, self).method("lambda")
        return [super().method(*args), inner(), [super(Left, self).method(i) for i in range(1)]]


@captured((1,), ("s",))
def test_single_inheritance(x):
    left = Left(x, 5)
    return (
        left.method(1, k=2),
        left.prop,
        left[x],
        Left.of_class(x),
        left.of_class(x),
        Left.of_nothing(x),
        left.x,
        left.extra,
    )


@captured((1,), ([2],))
def test_diamond(x):
    bottom = Bottom(x)
    return bottom.method(9), bottom.of_class(x), bottom.prop


@same((1,), (2,))
def test_explicit_super_objects(x):
    bottom = Bottom(x)
    first = super(Left, bottom)
    of_class = super(Left, Bottom)
    return (
        first.method(x),
        of_class.of_class(x),
        first.value,
        super(Base, bottom).__init__.__name__,
        first.__self__ is bottom,
        first.__thisclass__,
        super(Bottom, bottom).prop,
        first.of_nothing(x),
    )


@same((1,), (2,))
def test_errors(x):
    class Other:
        def wrong(self):
            return super().nothing

        def deleted(self):
            del self
            return super().wrong

        def none():
            return super()

        def plain(self):
            return super(Left, self).method()

        def number(self):
            return super(x, self)

        def set(self):
            super().attribute = x

    other, log = Other(), []
    for act in (other.wrong, other.deleted, Other.none, other.plain, other.number, other.set, super, lambda: super().x):
        try:
            log.append(act())
        except (AttributeError, TypeError, RuntimeError) as error:
            log.append(error)
    return log


@same((1,), (0,))
def test_error_in_the_base_leaves(x):
    class Checked(Left):
        def __init__(self, value):
            journal.append("checked")
            super().__init__(1 // value)

    made = Checked(x)
    print(made.x)
    return Checked(0)


@same((1,), (2,))
def test_class_cell(x):
    class Box:
        def me(self):
            return __class__

        @classmethod
        def name(cls):
            return __class__.__name__, cls is __class__

        def inner(self):
            class Inner:
                def outer_and_inner(self):
                    return __class__.__name__

            return Inner().outer_and_inner(), __class__.__name__

    class Sub(Box):
        pass

    return Sub().me() is Box, Sub.name(), Sub().inner(), Box.name()


@same((1,), (2,))
def test_first_argument_rebound(x):
    class Rebound(Base):
        def method(self):
            kept = self
            self = Left(x)
            try:
                return super().method()
            except TypeError as error:
                return error.args, kept.x

    return Rebound(x).method()


@same((1,), (2,))
def test_super_changes_with_the_bases(x):
    class Changing(Left):
        def method(self):
            return ["changing", *super().method()]

    made = Changing(x)
    first = made.method()
    Left.method = lambda self: ["replaced"]
    second = made.method()
    Changing.__bases__ = (Right,)
    return first, second, made.method(), Changing.__mro__[1].__name__


@same((3,), (1,))
def test_cooperative_keywords(x):
    class Root:
        def __init__(self, **rest):
            journal.append(rest)

    class Named(Root):
        def __init__(self, name, **rest):
            super().__init__(**rest)
            self.name = name

    class Sized(Root):
        def __init__(self, size, **rest):
            super().__init__(**rest)
            self.size = size

    class Both(Named, Sized):
        pass

    made = Both(name="n", size=x)
    try:
        Both(name="n", size=x, surplus=1)
        Both(name="n")
    except TypeError as error:
        return vars(made), error.args, journal
    return made


@same((1,), (2,))
def test_new_and_super(x):
    class Single:
        made = None

        def __new__(cls, *args):
            if cls.made is None:
                cls.made = super().__new__(cls)
                journal.append("made")
            return cls.made

        def __init__(self, value):
            self.value = value

    first, second = Single(x), Single(-x)
    return first is second, first.value, journal


@same((1,), (2,))
def test_super_of_builtin_bases(x):
    class Counter(dict):
        def __missing__(self, key):
            return 0

        def __setitem__(self, key, value):
            super().__setitem__(key, value * 10)

    class Growing(list):
        def append(self, item):
            super().append(item)
            super().extend([item, item])

    counter, growing = Counter(), Growing([0])
    counter[x] += 1
    growing.append(x)
    return counter, growing, counter["none"], super(Counter, counter).get(x), super(Growing, growing).__len__()


@same((2,), (3,))
def test_generators_and_comprehensions(n):
    class Base:
        def items(self):
            return [1, 2, 3][:n]

    class Derived(Base):
        def items(self):
            for item in super().items():
                yield item * 10

        def listed(self):
            return [super(Derived, self).items() for _ in range(1)]

    return list(Derived().items()), Derived().listed()
