"""Classes made inside functions: bodies, metaclasses, hooks, `type()`, decorators, errors half way."""

from __future__ import annotations

import abc

from tests.ladder.both import captured, same

NOT_YET = {
    "test_plain_class": "SX1001: LOAD_BUILD_CLASS: class bodies and module code run as written",
}

journal: list[object] = []


class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases, **options):
        journal.append(("prepare", name, options))
        return {"prepared": True}

    def __new__(mcs, name, bases, namespace, **options):
        journal.append(("new", name, [key for key in namespace if not key.startswith("__")]))
        made = super().__new__(mcs, name, bases, namespace)
        made.options = options
        return made

    def __init__(cls, name, bases, namespace, **options):
        journal.append(("init", name))
        super().__init__(name, bases, namespace)

    def __call__(cls, *args, **kwargs):
        journal.append(("call", cls.__name__, args))
        return super().__call__(*args, **kwargs)

    def __len__(cls):
        return 42

    @property
    def title(cls):
        return cls.__name__.lower()


class Hooked:
    seen: list[str] = []

    def __init_subclass__(cls, tag=None, **options):
        super().__init_subclass__(**options)
        cls.seen.append(cls.__name__)
        cls.tag = tag


@captured((1,), ("s",))
def test_plain_class(x):
    class Box:
        """Doc."""

        size = x
        doubled = size * 2

        def __init__(self, value):
            self.value = value

        def both(self):
            return self.size, self.value, x

    box = Box([x])
    return box.both(), Box.doubled, Box.__name__, Box.__doc__, isinstance(box, Box)


@same((1,), (2,))
def test_class_escapes(x):
    class Box:
        items = [x]

        def get(self):
            return x, self.items

    made = Box()
    Box.items.append("later")
    return Box, made, made.get(), Box.__qualname__, Box.__module__


@same((1,), (0,))
def test_body_is_code(x):
    log = ["before"]

    class Body:
        log.append("body")
        total = 0
        for i in range(3):
            if i == x:
                continue
            total += i
        del i
        try:
            value = 10 // x
        except ZeroDivisionError as error:
            value = error.args
        if x:
            extra = "only sometimes"
        names = sorted(name for name in locals() if not name.startswith("__"))

    return log, Body.total, Body.value, Body.names, hasattr(Body, "i"), hasattr(Body, "extra")


@same((0,), (1,))
def test_body_fails(x):
    journal.append("start")

    class Broken:
        journal.append("body")
        value = 1 // x
        journal.append("after")

    return Broken.value


@same((1,), (2,))
def test_metaclass(x):
    class Made(metaclass=Meta, option=x):
        def __init__(self, value=None):
            self.value = value

    class Derived(Made, option="derived"):
        pass

    made = Derived(x)
    return (
        made, type(Derived) is Meta, Made.options, Derived.options, Made.title, len(Made), made.prepared,
        hasattr(made, "title"), journal,
    )  # fmt: skip


@same((1,), ("t",))
def test_init_subclass(x):
    class First(Hooked, tag=x):
        pass

    class Second(First):
        pass

    try:

        class Third(Hooked, nothing=1):
            pass

    except TypeError as error:
        journal.append(error.args)
    return First.tag, Second.tag, Hooked.seen, journal


@same((1,), (2,))
def test_type_with_three_arguments(x):
    def method(self):
        return self.value, x

    made = type("Made", (Hooked,), {"method": method, "value": [x], "__module__": __name__}, tag="t")
    meta = Meta("ByHand", (), {"__module__": __name__}, k=x)
    return made().method(), made.__mro__[1], made.tag, meta.options, type(meta).__name__, made.__name__, journal


@same((1,), (2,))
def test_creation_fails(x):
    log = []
    for act in (
        lambda: type("A", (x,), {}), lambda: type("A", (int, str), {}), lambda: type("A", (bool,), {}),
        lambda: type(x, (), {}), lambda: type("A", (object, Hooked), {}), lambda: type("A", (Hooked, Hooked), {}),
        lambda: type("A", (), x), lambda: type(), lambda: type(1, 2),
    ):  # fmt: skip
        try:
            log.append(act())
        except TypeError as error:
            log.append(error.args)
    return log


@same((1,), (2,))
def test_metaclass_conflict_leaves(x):
    class Other(type):
        pass

    class A(metaclass=Other):
        pass

    class B(metaclass=Meta):
        pass

    print("both made")

    class C(A, B):
        pass


@same((1,), (2,))
def test_class_decorators(x):
    def register(name):
        journal.append(("make", name))

        def decorate(cls):
            journal.append(("decorate", cls.__name__))
            cls.registered = name
            return cls

        return decorate

    def replaced(cls):
        return [cls.__name__, cls.registered]

    @replaced
    @register("inner")
    class Decorated:
        journal.append("body")

    @register(x)
    class Kept:
        pass

    return Decorated, Kept.registered, journal


@same((1,), (2,))
def test_function_as_metaclass_and_mro_entries(x):
    def factory(name, bases, namespace, **options):
        return name, bases, sorted(key for key in namespace if not key.startswith("__")), options

    class Entries:
        def __mro_entries__(self, bases):
            journal.append(len(bases))
            return (Hooked,)

    class Function(metaclass=factory, k=x):
        a = 1

    entries = Entries()

    class Replaced(entries, tag="r"):
        pass

    return Function, Replaced.__mro__[1], Replaced.__orig_bases__[0] is entries, Replaced.tag


@same((1,), (2,))
def test_abstract_classes(x):
    class Shape(abc.ABC):
        @abc.abstractmethod
        def area(self): ...

        def describe(self):
            return f"area {self.area()}"

    class Square(Shape):
        def area(self):
            return x * x

    log = [Square().describe(), isinstance(Square(), Shape), Shape.__abstractmethods__]
    try:
        Shape()
    except TypeError as error:
        log.append(error.args)
    Shape.register(int)
    log.append(isinstance(5, Shape))
    return log


@same((3,), (1,))
def test_classes_in_a_loop(n):
    made = []
    for i in range(n):

        class Item:
            number = i

            def late(self):
                return i

        made.append(Item)
    return [cls.number for cls in made], [cls().late() for cls in made], len(set(made)), made[0] is made[-1]


@same((1,), (2,))
def test_nested_classes_and_names(x):
    class Outer:
        y = x

        class Inner:
            try:
                z = y
            except NameError as error:
                z = error.args
            w = x

        def make(self):
            return self.Inner()

    return Outer().make().z, Outer.Inner.__qualname__, Outer.Inner.w


@same((1,), (2,))
def test_instance_and_subclass_checks(x):
    class Checked(type):
        def __instancecheck__(cls, instance):
            journal.append(("instance", instance))
            return instance == x

        def __subclasscheck__(cls, other):
            journal.append(("subclass", other.__name__))
            return other is int

    class Thing(metaclass=Checked):
        pass

    return (
        isinstance(1, Thing),
        isinstance(2, (str, Thing)),
        issubclass(int, Thing),
        isinstance(Thing(), Thing),
        journal,
    )


@same((1,), (2,))
def test_annotations_of_a_class(x):
    class Annotated:
        a: int = x
        b: "str"
        c: journal.append("evaluated") = 5

    return Annotated.a, Annotated.c, hasattr(Annotated, "b"), sorted(Annotated.__annotations__), len(journal)


@same((1,), (2,))
def test_new_returns_something_else(x):
    class Odd:
        def __new__(cls, value):
            journal.append("new")
            return value if value == 1 else super().__new__(cls)

        def __init__(self, value):
            journal.append("init")

    class BadInit:
        def __init__(self):
            return x

    log = [Odd(1), type(Odd(x)).__name__, journal]
    try:
        BadInit()
    except TypeError as error:
        log.append(error.args)
    return log
