"""Functions as people write them with NumPy: each is captured whole, as one graph."""

from __future__ import annotations

import numpy as np

RNG = np.random.default_rng(0)
X = RNG.normal(size=(6, 4)).astype(np.float32)
Y = RNG.normal(size=(4, 3))
V = RNG.normal(size=5)
S = np.eye(4) * 3 + RNG.normal(size=(4, 4)) * 0.1
IMAGE = RNG.random((8, 8))
LABELS = np.array([0, 2, 1, 1, 0, 2])
EPSILON = np.float32(1e-5)


def softmax(x):
    shifted = x - x.max(axis=-1, keepdims=True)
    e = np.exp(shifted)
    return e / e.sum(axis=-1, keepdims=True)


def layer_norm(x, weight=1.0, bias=0.0):
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.var(x, axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + EPSILON) * weight + bias


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def relu_network(x, y):
    hidden = np.maximum(x @ y, 0)
    return hidden.mean(axis=0), np.where(hidden > 0.5, hidden, 0.0)


def cross_entropy(x, labels):
    logits = x - x.max(axis=1, keepdims=True)
    logp = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    n = x.shape[0]
    return -logp[np.arange(n), labels].mean()


def distances(x, y):
    return np.sqrt(((x[:, None, :] - y.T[None, :, :]) ** 2).sum(-1))


def standardise(x):
    x = np.asarray(x, dtype=np.float64)
    mu, sigma = x.mean(0), x.std(0, ddof=1)
    return (x - mu) / sigma


def blur(image):
    padded = np.pad(image, 1, mode="edge")
    rows, columns = image.shape
    total = np.zeros_like(image)
    for i in range(3):
        for j in range(3):
            total = total + padded[i : i + rows, j : j + columns]
    return total / 9


def finite_difference(v, h=0.1):
    inner = (v[2:] - 2 * v[1:-1] + v[:-2]) / h**2
    return np.concatenate([[0.0], inner, [0.0]])


def least_squares(x, y):
    gram = x.T @ x + 0.1 * np.eye(x.shape[1])
    return np.linalg.solve(gram, y)


def rotation(angle):
    c, s = np.cos(angle[0]), np.sin(angle[0])
    return np.array([[c, -s], [s, c]]) @ angle[:2]


def power_iteration(s):
    v = np.ones(s.shape[0])
    for _ in range(5):
        v = s @ v
        v = v / np.linalg.norm(v)
    return v @ s @ v


def attention(x):
    q, k = x[..., :2], x[..., 2:]
    scores = np.einsum("id,jd->ij", q, k) / np.sqrt(q.shape[-1])
    return softmax(scores) @ x


def one_hot(labels, x):
    classes = np.eye(3, dtype=x.dtype)
    return classes[labels].T @ x


def moving_average(v, width=3):
    total = np.cumsum(np.insert(v, 0, 0.0)) if width > 100 else np.cumsum(v)
    return np.hstack([total[width - 1 : width], total[width:] - total[:-width]]) / width


def black_scholes(v):
    s, k, t = np.abs(v) + 1, 1.5, 0.5
    d1 = (np.log(s / k) + (0.03 + 0.2**2 / 2) * t) / (0.2 * np.sqrt(t))
    return s / (1 + np.exp(-1.702 * d1)) - k * np.exp(-0.03 * t)


def mandelbrot(v):
    c = v + 1j * v[::-1]
    z = np.zeros_like(c)
    for _ in range(4):
        z = z * z + c
    return np.abs(z) < 2


def reshaping(x):
    blocks = x.reshape(3, 2, -1).transpose(0, 2, 1)
    return np.stack([blocks.min((1, 2)), blocks.max((1, 2))], axis=1).ravel().astype(np.float64)


def mixed_types(x, labels):
    mask = (labels == 1) & (x[:, 0] > 0) | ~(labels > 0)
    return np.where(mask[:, np.newaxis], x, np.float32(0)).sum(), mask.sum(), labels // 2 + True


def statistics(v):
    q1, q3 = np.quantile(v, 0.25), np.quantile(v, 0.75)
    return np.clip(v, q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)), np.median(v)


def by_rows(x):
    total = 0.0
    for row in x:
        total = total + row.dot(row)
    return total, [row.sum() for row in x], len(x)


def kind_aware(x):
    if np.issubdtype(x.dtype, np.floating):
        return x + np.ones(x.shape, x.dtype)
    return x


def quotient_and_rest(labels):
    q, r = divmod(labels, 2)
    return q - r


def eigen(s):
    values, vectors = np.linalg.eigh(s + s.T)
    return vectors * values


def running(v):
    out = []
    state = np.float64(0)
    for item in v:
        state = 0.9 * state + 0.1 * item
        out.append(state)
    return np.array(out)


WHOLE = [
    *((softmax, (X,)), (layer_norm, (X,)), (gelu, (X,)), (relu_network, (X, Y)), (cross_entropy, (X, LABELS))),
    *((distances, (X, Y)), (standardise, (X,)), (blur, (IMAGE,)), (finite_difference, (V,)), (least_squares, (S, Y))),
    *((rotation, (V,)), (power_iteration, (S,)), (attention, (X,)), (one_hot, (LABELS, X)), (moving_average, (V,))),
    *((black_scholes, (V,)), (mandelbrot, (V,)), (reshaping, (X,)), (mixed_types, (X, LABELS)), (statistics, (V,))),
    *((by_rows, (X,)), (kind_aware, (X,)), (quotient_and_rest, (LABELS,)), (eigen, (S,)), (running, (V,))),
]
