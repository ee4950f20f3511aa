#!/usr/bin/env python3
"""Makes goldens.h5, what JAX draws (needs jax, numpy and h5py; CPU):

    python3 tests/random/make_goldens.py            # writes goldens.h5 beside this script
    python3 tests/random/make_goldens.py --check tests/random/goldens.h5

Every case is a group with the result y0, with arguments x0, x1 where it has arrays of them, and with attributes, all of
them text: the key as a chain from a seed (`seed=7 fold=3 split=5:2`: key 2 of 5), the function, its type and shape, its
parameters (whole numbers, or floating-point ones in hexadecimal), options, and a tolerance, relative to the greater of 1
and the number; without one the bits are meant. Booleans are stored as u1.

JAX runs with 64-bit types enabled, and as it is otherwise by default: threefry2x32, partitionable, low-precision modes of
bernoulli and gumbel. Its functions are jitted, and its fused multiply-adds are part of what is compared: this has to run
on a processor that has them.
"""

import os
import pathlib
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import numpy as np
from jax import numpy as jnp
from jax import random

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "support"))
from golden_cases import make_or_check

jax.config.update("jax_enable_x64", True)

SHAPES = [(), (1,), (33,), (0,), (4, 5), (3, 0), (2, 3, 4), (2, 1, 3, 2)]
KEYS = ["seed=0", "seed=42", "seed=-1", "seed=1099511627779", "seed=7 fold=3", "seed=7 split=5:2",
        "seed=1 fold=4294967295 split=2:1 split=3:0 fold=0"]
TOLERANCE = {"f4": 1e-6, "c8": 1e-6, "f8": 1e-12, "c16": 1e-12}


def key_of(chain):
    key = None
    for word in chain.split():
        name, value = word.split("=")
        if name == "seed":
            key = random.key(int(value))
        elif name == "fold":
            key = random.fold_in(key, int(value))
        else:
            number, index = map(int, value.split(":"))
            key = random.split(key, number)[index]
    return key


class Cases:
    def __init__(self):
        self.all = {}
        self.turn = 0

    def key(self):
        self.turn += 1
        return KEYS[self.turn % len(KEYS)]

    def shape(self):
        return SHAPES[self.turn % len(SHAPES)]

    def add(self, function, y, key, dtype="", shape=(), parameters=(), options="", tolerance=0.0, x=()):
        y = np.asarray(y)
        text = lambda p: float(p).hex() if isinstance(p, float) else str(int(p))
        arrays = {f"x{i}": np.asarray(a) for i, a in enumerate(x)} | {"y0": y}
        name = lambda a: "bool" if a.dtype == bool else a.dtype.str[1:]
        spec = {
            "function": function,
            "key": key,
            "type": dtype,
            "shape": ",".join(map(str, shape)),
            "parameters": " ".join(map(text, parameters)),
            "options": options,
            "tolerance": repr(tolerance) if tolerance else "",
            "x_types": ",".join(name(a) for key, a in arrays.items() if key[0] == "x"),
            "y_types": name(y),
        }
        self.all[f"{len(self.all):03d}_{function}"] = (spec, arrays)


def add_keys(cases):
    for seed in (0, 1, 42, 2**31 - 1, 2**32 - 1, 2**32, -1, -2, -(2**40) - 3, 2**63 - 1, -(2**63)):
        cases.add("key", random.key_data(random.key(seed)), f"seed={seed}")
    for chain in KEYS:
        key = key_of(chain)
        cases.add("key", random.key_data(key), chain)
        for data in (0, 5, 2**32 - 1):
            cases.add("fold_in", random.key_data(random.fold_in(key, data)), chain, parameters=[data])
    for shape in [(2,), (1,), (17,), (3, 4), (2, 2, 3), (0,)]:
        chain = cases.key()
        cases.add("split", random.key_data(random.split(key_of(chain), shape)), chain, shape=shape)


def add_draws(cases):
    def add(function, dtype, parameters=(), tolerance=0.0, draw=None, shape=None):
        chain = cases.key()
        shape = cases.shape() if shape is None else shape
        cases.add(function, draw(key_of(chain), shape), chain, dtype, shape, parameters, tolerance=tolerance)

    for dtype in ("u1", "u2", "u4", "u8"):
        for shape in SHAPES + [(1000,)]:
            add("bits", dtype, draw=lambda key, s: random.bits(key, s, dtype), shape=shape)

    for dtype in ("f4", "f8"):
        for shape in SHAPES + [(1000,)]:
            add("uniform", dtype, draw=lambda key, s: random.uniform(key, s, dtype), shape=shape)
        for low, high in [(-1.0, 1.0), (-0.3, 7.1), (3.0, 3.0), (2.0, -2.0), (1e-30, 1e-20), (-1e30, 3e30),
                          (0.1, 0.1000001), (1e6, 1e6 + 1), (-5.5, 0.0)]:
            for shape in [(100,), (2, 3)]:
                add("uniform", dtype, [low, high], draw=lambda key, s: random.uniform(key, s, dtype, low, high),
                    shape=shape)
        for shape in SHAPES + [(1000,)]:
            add("normal", dtype, tolerance=TOLERANCE[dtype], draw=lambda key, s: random.normal(key, s, dtype), shape=shape)
            add("exponential", dtype, tolerance=TOLERANCE[dtype],
                draw=lambda key, s: random.exponential(key, s, dtype), shape=shape)
            add("gumbel", dtype, tolerance=TOLERANCE[dtype], draw=lambda key, s: random.gumbel(key, s, dtype), shape=shape)
        for low, high in [(-2.0, 2.0), (-1.0, 3.0), (0.0, 0.5), (-3.0, -1.0), (-10.0, 10.0), (-float("inf"), 0.25), (1.5, 2.5)]:
            for shape in [(), (200,), (3, 4)]:
                add("truncated_normal", dtype, [low, high], TOLERANCE[dtype],
                    lambda key, s: random.truncated_normal(key, low, high, s, dtype), shape)
        for a in (0.05, 0.3, 1.0, 2.5, 30.0):
            for shape in [(), (100,), (2, 3, 2)]:
                add("gamma", dtype, [a], TOLERANCE[dtype], lambda key, s: random.gamma(key, a, s, dtype), shape)
                add("loggamma", dtype, [a], TOLERANCE[dtype], lambda key, s: random.loggamma(key, a, s, dtype), shape)
        for a, b in [(0.5, 0.5), (2.0, 3.0), (0.1, 4.0), (20.0, 1.0)]:
            for shape in [(), (100,), (3, 2)]:
                add("beta", dtype, [a, b], TOLERANCE[dtype], lambda key, s: random.beta(key, a, b, s, dtype), shape)
        for p in (0.0, 0.001, 0.3, 0.5, 0.999, 1.0):
            number = np.dtype(dtype).type(p)
            add("bernoulli", dtype, [float(number)], draw=lambda key, s: random.bernoulli(key, number, s), shape=(200,))
            add("bernoulli", dtype, [float(number)], draw=lambda key, s: random.bernoulli(key, number, s))
    for dtype in ("c8", "c16"):
        for shape in [(), (50,), (2, 3)]:
            add("normal", dtype, tolerance=TOLERANCE[dtype], draw=lambda key, s: random.normal(key, s, dtype), shape=shape)

    for dtype in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
        info = np.iinfo(dtype)
        least, most = int(info.min), int(info.max)
        bounds = [(0, 10), (3, 100), (0, 1), (5, 5), (9, 2), (least, most), (most - 3, most)]
        if dtype != "u8":
            bounds += [(least, most + 1), (0, most + 1), (0, 2**40)]
        if info.min < 0:
            bounds += [(-5, 7), (least, 0)]
        else:
            bounds += [(-5, 7)]
        for low, high in bounds:
            typed = lambda n: np.uint64(n) if n > np.iinfo("i8").max else np.int64(n)
            add("randint", dtype, [low, high],
                draw=lambda key, s: random.randint(key, s, typed(low), typed(high), dtype),
                shape=(60,) if cases.turn % 2 else None)


def add_choices(cases):
    for n in (0, 1, 2, 10, 1625, 1626, 5000):
        chain = cases.key()
        cases.add("permutation", random.permutation(key_of(chain), n), chain, parameters=[n])
    numbers = np.random.default_rng(3)
    for shape in [(7,), (5, 4), (3, 4, 5), (0, 3), (2500,)]:
        x = np.arange(np.prod(shape), dtype="f8").reshape(shape)
        for axis in range(-1, len(shape)):
            for independent in (False, True):
                chain = cases.key()
                y = random.permutation(key_of(chain), x, axis, independent)
                cases.add("permutation", y, chain, x=[x],
                          options=f"axis={axis}" + (" independent" if independent else ""))

    weights = [np.array([0.1, 0.2, 0.3, 0.4]), np.array([1, 0, 2, 0, 5, 1], "f4"), numbers.random(37), np.array([3, 1, 2])]
    for shape in [(), (6,), (2, 3), (0,)]:
        chain = cases.key()
        cases.add("choice", random.choice(key_of(chain), 10, shape), chain, shape=shape, parameters=[10])
        chain = cases.key()
        cases.add("choice", random.choice(key_of(chain), 10, shape, replace=False), chain, shape=shape, parameters=[10],
                  options="without_replacement")
        x = np.arange(24, dtype="f8").reshape(4, 6) / 8
        for axis in (0, 1, -1):
            for replace in (True, False):
                for p in (None, weights[0] if axis == 0 else np.array([1, 2, 3, 4, 5, 6], "f4")):
                    # Of no draws JAX gives an array without x's other axes.
                    if np.prod(shape) == 0 or not replace and np.prod(shape) > x.shape[axis]:
                        continue
                    chain = cases.key()
                    y = random.choice(key_of(chain), x, shape, replace, p, axis)
                    cases.add("choice", y, chain, shape=shape, x=[x] if p is None else [x, p],
                              options=f"axis={axis}" + ("" if replace else " without_replacement"))
    for p in weights:
        for shape in [(), (300,), (4, 5)]:
            chain = cases.key()
            cases.add("choice", random.choice(key_of(chain), len(p), shape, p=p), chain, shape=shape, parameters=[len(p)],
                      options="weighted", x=[p])
    for p in (weights[0], weights[2]):
        chain = cases.key()
        cases.add("choice", random.choice(key_of(chain), len(p), (4,), False, p), chain, shape=(4,), parameters=[len(p)],
                  options="weighted without_replacement", x=[p])

    for dtype in ("f4", "f8"):
        for rows, shape in [((5,), ()), ((5,), (40,)), ((3, 4), (3,)), ((3, 4), (20, 3)), ((2, 3, 6), (2, 3)),
                            ((1,), (4,))]:
            logits = np.log(numbers.random(rows)).astype(dtype)
            chain = cases.key()
            y = random.categorical(key_of(chain), jnp.asarray(logits), shape=shape)
            cases.add("categorical", y, chain, dtype, shape, x=[logits])


def make():
    cases = Cases()
    add_keys(cases)
    add_draws(cases)
    add_choices(cases)
    return cases.all


if __name__ == "__main__":
    print(f"JAX {jax.__version__}")
    sys.exit(make_or_check(make, "function", FOLDER / "goldens.h5"))
