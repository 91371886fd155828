"""A tour of symexec on NumPy code as people write it: `python -m examples.tour`.

A helper class, a gradient step, a training loop that prints: traced to a graph, compiled, explained.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable

import symexec

try:
    import numpy as np
except ImportError as error:
    raise SystemExit("The tour runs NumPy functions: install numpy (or symexec[numpy]) and start it again.") from error


class Standardizer:
    """Brings features to mean 0 and deviation 1."""

    def __init__(self, features):
        self.mean = features.mean(axis=0)
        self.scale = features.std(axis=0) + 1e-9

    def __call__(self, features):
        return (features - self.mean) / self.scale


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def predict(weights, features, prepare):
    return sigmoid(prepare(features) @ weights)


def gradient_step(weights, features, labels, prepare, rate=0.5):
    p = predict(weights, features, prepare)
    loss = -np.mean(labels * np.log(p) + (1 - labels) * np.log(1 - p))
    return weights - rate * (prepare(features).T @ (p - labels)) / len(labels), loss


def train(features, labels, prepare, rounds, history):
    weights = np.zeros(features.shape[1])
    for _ in range(rounds):
        weights, loss = gradient_step(weights, features, labels, prepare)
        history.append(loss)
        print("loss", loss.round(4))
    return weights


def remember(x, totals, key):
    totals[key] = totals[key] + x.sum()
    return x / totals[key]


def make_data():
    random = np.random.default_rng(7)
    features = random.normal(2.0, 3.0, size=(200, 4))
    labels = (features @ np.array([1.0, -2.0, 0.5, 0.0]) + random.normal(size=200) > 0).astype(float)
    return features, labels


def show(title: str, *texts: object) -> None:
    """Print one station of the tour."""
    print(f"\n=== {title}\n")
    print("\n\n".join(textwrap.indent(str(text), "    ") for text in texts))


def source(*functions: Callable[..., object]) -> str:
    """The functions as they are written."""
    return "\n\n".join(inspect.getsource(function).rstrip() for function in functions)


def main() -> None:
    features, labels = make_data()
    prepare = Standardizer(features)
    weights = np.array([0.5, -0.5, 0.25, 0.0])

    captured = symexec.trace(predict)(weights, features, prepare)
    show("trace: one call as one graph, calls inlined, with the guards it relies on", source(predict), captured)
    same = np.array_equal(captured(weights, features, prepare), predict(weights, features, prepare))
    show("The captured graph, called, gives what the function gives", same)

    compiled = symexec.compile(gradient_step)
    expected, expected_loss = gradient_step(weights, features, labels, prepare)
    results = [compiled(weights, features, labels, prepare) for _ in range(3)]
    same = all(np.array_equal(found, expected) and loss == expected_loss for found, loss in results)
    show("compile: a function like the original; three calls, the same results", source(gradient_step), same)
    show("stats: what it has come to", symexec.stats(compiled))

    show("explain: run once; what was captured, what breaks and why", source(train))
    print()
    explanation = symexec.explain(train)(features, labels, prepare, 3, [])
    print()
    print(textwrap.indent(explanation.brief(), "    "))

    explanation = symexec.explain(remember)(features[0], {"all": np.float64(1.0)}, "all")
    show("A trace as it is emitted, in the form of source", source(remember), explanation.listings())


if __name__ == "__main__":
    main()
