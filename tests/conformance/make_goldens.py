#!/usr/bin/env python3
"""Makes goldens.h5, what JAX makes of maps and collectives (needs jax, numpy and h5py; CPU):

    python3 tests/conformance/make_goldens.py            # writes goldens.h5 beside this script
    python3 tests/conformance/make_goldens.py --check tests/conformance/goldens.h5

Every case is a group with its arguments x0, x1, … and results y0, …, and with attributes, all of them text: the kind,
the operation and its arguments, and, outermost first, what each vmap or pmap is given. Booleans are stored as u1 (the
attributes x_types and y_types say so). Values are small whole numbers, so that no sum rounds; where a quotient does,
a tolerance is given. The same file comes out each time.

Kinds: `vmap` and `pmap` are without collectives; `vmap_collective`, `pmap_collective` and `pmap_vmap` (pmap of vmap)
are with one; `mesh` cases are computed by jax.shard_map over a mesh of one device per example, since JAX takes tuples
of names there for operations that it refuses under nested vmaps.

What JAX 0.10 does, with 64-bit types enabled, that the library has to match:
- psum of bool is i4; all other types keep theirs and wrap (i1: 100 + 27 + 1 + 3 = -125).
- pmean is psum, in the operand's own type and wrapping, divided by n: bool, i1, i2, i4, u1, u2, u4 give f4; i8 and u8
  give f8.
- pmax and pmin keep the type: bool is or and and. With NaN: NaN under vmap; pmap on a CPU drops it.
- axis_index is i4; over a tuple of names it is row-major, the first name major. axis_size is i8.
- all_to_all removes the split axis, then inserts the new one at concat_axis of what is left; tiled concatenates chunk
  j of each.
- A name bound twice means the inner axis.
- An operand that does not vary counts n times in psum.
And what it does not take, or gets wrong, so that there is no golden of it:
- axis_index_groups under vmap; groups of unequal sizes for all_gather; groups that do not cover all.
- pmean over groups of unequal sizes divides by the size of the first one.
- Negative axes of all_to_all and psum_scatter (wrong results or a crash), and in_axes and out_axes of pmap (an
  error): here JAX is given the equivalent positive ones.
- ppermute and pshuffle over names in another order than the mesh's: they count in the mesh's order, unlike axis_index
  and all other collectives.
- The sum of two negative zeros is a positive one, of one alone a negative one (here both are negative, as IEEE 754 has
  it).
- Under vmap: ppermute that is not a full permutation; all_to_all of an operand that does not vary (of a wrong shape).
- Tuples of names under nested vmaps for psum_scatter, all_gather, ppermute, pshuffle, pbroadcast; psum_scatter of
  bool.
- pbroadcast under pmap on a CPU; pmap over more examples than devices; pmax and pmin of complex under pmap.
"""

import os
import pathlib
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import numpy as np
from jax import lax
from jax import numpy as jnp
from jax.sharding import Mesh, PartitionSpec

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "support"))
from golden_cases import make_or_check

jax.config.update("jax_enable_x64", True)

TYPES = ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16"]
N = None  # an axis that is not mapped


class Level:
    """One vmap ("v") or pmap ("p")."""

    def __init__(self, form, name, in_axes=(0,), out_axes=(0,), size=None):
        self.form, self.name, self.size = form, name, size
        self.in_axes, self.out_axes = tuple(in_axes), tuple(out_axes)

    def text(self):
        axes = lambda list: ",".join("none" if a is None else str(a) for a in list)
        words = [{"v": "vmap", "p": "pmap"}[self.form], self.name or "-"]
        words += [f"in={axes(self.in_axes)}", f"out={axes(self.out_axes)}"]
        return " ".join(words + ([] if self.size is None else [f"size={self.size}"]))


def values(random, dtype, shape):
    """Small whole numbers, of which sums and products are exact in every type (integers of one byte wrap)."""
    if dtype == "bool":
        return random.integers(0, 2, size=shape).astype(bool)
    if dtype.startswith("c"):
        return (random.integers(-9, 10, size=shape) + 1j * random.integers(-9, 10, size=shape)).astype(dtype)
    if dtype == "i1":
        return random.integers(-100, 101, size=shape).astype(dtype)
    if dtype == "u1":
        return random.integers(0, 256, size=shape).astype(dtype)
    low = 0 if dtype.startswith("u") else -50
    return random.integers(low, 101, size=shape).astype(dtype)


# ---- What is mapped: functions of one example

FUNCTIONS = {
    "identity": lambda x: x,
    "negate": lambda x: ~x if x.dtype == bool else -x,
    "square": lambda x: x * x,
    "sum": lambda x: jnp.sum(x, dtype=x.dtype),
    "transpose": lambda x: jnp.transpose(x),
    "subtract": lambda x, y: x - y,
    "second": lambda x, y: y,
    "dot": lambda x, y: jnp.sum(x * y, dtype=x.dtype),
    "sum_and_second": lambda x, y: (x + y, y),
}


def collective(op, names, axis=None, split=None, concat=None, tiled=False, groups=None, pairs=None, permutation=None,
               source=None, rank=0):
    """The operation as a function of its operand, whose rank is `rank`."""
    name = names[0] if len(names) == 1 else tuple(names)
    grouped = {} if groups is None else {"axis_index_groups": groups}

    def positive(a, ranks):
        return a + ranks if a < 0 else a

    if op in ("psum", "pmean", "pmax", "pmin"):
        return lambda x: getattr(lax, op)(x, name, **grouped)
    if op == "psum_scatter":
        return lambda x: lax.psum_scatter(x, name, scatter_dimension=positive(axis, rank), tiled=tiled, **grouped)
    if op == "all_gather":
        return lambda x: lax.all_gather(x, name, axis=axis, tiled=tiled, **grouped)
    if op == "all_to_all":
        return lambda x: lax.all_to_all(x, name, positive(split, rank), positive(concat, rank), tiled=tiled, **grouped)
    if op == "pswapaxes":
        return lambda x: lax.pswapaxes(x, name, positive(axis, rank), **grouped)
    if op == "ppermute":
        return lambda x: lax.ppermute(x, name, pairs)
    if op == "pshuffle":
        return lambda x: lax.pshuffle(x, name, permutation)
    if op == "pbroadcast":
        return lambda x: lax.pbroadcast(x, name, source)
    if op == "axis_index":
        return lambda x: lax.axis_index(name)
    if op == "axis_size":
        return lambda x: jnp.asarray(lax.axis_size(name), dtype="i8")
    raise ValueError(op)


# ---- Running a case with JAX


def run_maps(f, levels, xs):
    for level in reversed(levels):
        out = level.out_axes if len(level.out_axes) > 1 else level.out_axes[0]
        options = {"axis_name": level.name, "axis_size": level.size}
        if level.form == "v":
            f = jax.vmap(f, in_axes=level.in_axes, out_axes=out, **options)
            continue
        # pmap wants an argument that is mapped, vmap is content with the size.
        carried = (lambda g: lambda counter, *rest: g(*rest))(f)
        ins = (0,) + tuple(a if a is None else a % x.ndim for a, x in zip(level.in_axes, xs))
        sizes = [x.shape[a] for a, x in zip(level.in_axes, xs) if a is not None] or [level.size]
        xs = [np.arange(sizes[0]), *xs]
        ranks = jax.tree.map(lambda y: y.ndim, jax.eval_shape(jax.pmap(carried, in_axes=ins, **options), *xs))
        out = jax.tree.map(lambda a, rank: a if a is None else a % rank, out, ranks, is_leaf=lambda a: a is None)
        f = jax.pmap(carried, in_axes=ins, out_axes=out, **options)
    return f(*xs)


def run_mesh(f, levels, xs):
    """Every example on a device of its own; all axes are mapped at the front."""
    names = tuple(level.name for level in levels)
    shape = xs[0].shape[:len(names)]
    devices = np.array(jax.devices()[:np.prod(shape)]).reshape(shape)
    spec = PartitionSpec(*names)
    front = (0,) * len(names)

    def one(*blocks):
        return f(*(b[front] for b in blocks))[(None,) * len(names)]

    mapped = jax.shard_map(one, mesh=Mesh(devices, names), in_specs=spec, out_specs=spec, check_vma=False)
    return jax.jit(mapped)(*xs)


def short_type(array):
    return "bool" if array.dtype == bool else array.dtype.str[1:]


class Goldens:
    def __init__(self):
        self.cases = {}
        self.random = np.random.default_rng(19671)

    def add(self, kind, op, levels, xs, f, attributes):
        xs = [np.asarray(x) for x in xs]
        ys = (run_mesh if kind == "mesh" else run_maps)(f, levels, xs)
        ys = [np.asarray(y) for y in (ys if isinstance(ys, tuple) else (ys,))]
        spec = {"kind": kind, "op": op, "levels": "; ".join(level.text() for level in levels),
                "x_types": ",".join(map(short_type, xs)), "y_types": ",".join(map(short_type, ys))}
        # At most eight, which HDF5 keeps in little space.
        spec.update(attributes)
        arrays = {f"x{i}": x for i, x in enumerate(xs)} | {f"y{i}": y for i, y in enumerate(ys)}
        assert len(self.cases) < 1000
        self.cases[f"{len(self.cases):03}_{kind}_{op}"] = (spec, arrays)

    def function(self, kind, op, levels, *xs):
        self.add(kind, op, levels, xs, FUNCTIONS[op], {})

    def collective(self, kind, op, names, levels, x, **arguments):
        mapped = sum(level.in_axes[0] is not None for level in levels)
        rank = x.ndim - mapped
        texts = {}
        for key, value in arguments.items():
            if key == "groups":
                texts[key] = "/".join(",".join(map(str, group)) for group in value)
            elif key == "pairs":
                texts[key] = "/".join(f"{a},{b}" for a, b in value)
            elif key == "permutation":
                texts[key] = ",".join(map(str, value))
            else:
                texts[key] = str(int(value))
        spec = {"names": ",".join(names), "arguments": " ".join(f"{key}={text}" for key, text in texts.items())}
        # Quotients by n round where n is no power of two.
        if op == "pmean":
            spec["tolerance"] = "1e-6" if x.dtype.itemsize < 8 or x.dtype == np.complex64 else "1e-15"
        self.add(kind, op, levels, [x], collective(op, names, rank=rank, **arguments), spec)


def V(name="", in_axes=(0,), out_axes=(0,), size=None):
    return Level("v", name, in_axes if isinstance(in_axes, tuple) else (in_axes,),
                 out_axes if isinstance(out_axes, tuple) else (out_axes,), size)


def P(name="i", in_axes=(0,), out_axes=(0,), size=None):
    level = V(name, in_axes, out_axes, size)
    level.form = "p"
    return level


# ---- The cases


def add_vmaps(g):
    def x(*shape, dtype="f8"):
        return values(g.random, dtype, shape)

    one = "vmap"
    # Every type, odd lengths, wrapping.
    for dtype in TYPES:
        for op in ("square", "negate", "identity"):
            g.function(one, op, [V()], x(7, dtype=dtype))
    # Axes of one level: examples of rank 0 to 3.
    g.function(one, "identity", [V(in_axes=-1)], x(1))
    for axis in (0, 1, -1, -2):
        g.function(one, "identity", [V(in_axes=axis, out_axes=-axis if axis in (0, -1) else axis)], x(3, 5))
        g.function(one, "sum", [V(in_axes=axis)], x(3, 5))
    for a, b in ((0, -3), (1, 2), (2, 0), (-1, -2), (-2, 1), (-3, -1)):
        g.function(one, "identity", [V(in_axes=a, out_axes=b)], x(3, 4, 5))
        g.function(one, "sum", [V(in_axes=a)], x(3, 4, 5))
        g.function(one, "transpose", [V(in_axes=b, out_axes=a)], x(2, 1, 7))
    for a, b in ((0, 3), (3, 0), (-4, 1), (-2, -1), (1, -3)):
        g.function(one, "square", [V(in_axes=a, out_axes=b)], x(2, 3, 1, 5))
        g.function(one, "transpose", [V(in_axes=a, out_axes=b)], x(3, 2, 3, 1))
    # Not mapped: broadcast along the new axis, or dropped.
    g.function(one, "square", [V(in_axes=N, size=3)], x())
    g.function(one, "square", [V(in_axes=N, out_axes=-1, size=4)], x(5))
    g.function(one, "square", [V(in_axes=N, out_axes=N, size=4)], x(5))
    g.function(one, "sum", [V(in_axes=N, out_axes=N, size=1)], x(5))
    # Nested: the inner axes are counted in what the outer map leaves.
    for outer, inner in (((0, 0), (0, 0)), ((0, 1), (0, 0)), ((1, 0), (0, 0)), ((1, 0), (0, 1)), ((-1, 0), (-1, 0)),
                         ((-2, -1), (0, -1))):
        levels = [V(in_axes=outer[0], out_axes=outer[1]), V(in_axes=inner[0], out_axes=inner[1] and -1)]
        g.function(one, "square", levels, x(3, 5))
    for outer, inner in (((0, 0), (0, 0)), ((2, 1), (1, 2)), ((1, 2), (0, 1)), ((-1, -3), (-1, -2)), ((0, -1), (-1, 0))):
        levels = [V(in_axes=outer[0], out_axes=outer[1]), V(in_axes=inner[0], out_axes=inner[1] if inner[1] < 2 else -1)]
        g.function(one, "identity", levels, x(3, 4, 5))
        g.function(one, "sum", [V(in_axes=outer[0], out_axes=outer[1] % 2), V(in_axes=inner[0])], x(3, 4, 5))
    for outer, inner in (((3, 0), (0, 2)), ((-2, 3), (2, -1)), ((1, -1), (-3, 1))):
        levels = [V(in_axes=outer[0], out_axes=outer[1]), V(in_axes=inner[0], out_axes=inner[1])]
        g.function(one, "transpose", levels, x(2, 3, 1, 5))
    for a, b, c in ((0, 0, 0), (2, 1, 0), (-1, 0, -1)):
        g.function(one, "square", [V(in_axes=a, out_axes=c), V(in_axes=b, out_axes=-1), V(in_axes=0)], x(3, 4, 5))
        g.function(one, "identity", [V(in_axes=a, out_axes=c), V(in_axes=b, out_axes=b), V(in_axes=c, out_axes=1)], x(3, 2, 3, 2))
    # A level that does not map it.
    g.function(one, "square", [V(in_axes=N, size=2), V()], x(5))
    g.function(one, "square", [V(), V(in_axes=N, size=2)], x(5))
    g.function(one, "square", [V(out_axes=1), V(in_axes=N, out_axes=-1, size=2)], x(5, 3))
    g.function(one, "identity", [V(in_axes=N, out_axes=-1, size=3), V(in_axes=1, out_axes=1)], x(5, 3))
    # Two arguments.
    for axes in ((0, 0), (-1, 0), (0, N), (N, 0)):
        g.function(one, "subtract", [V(in_axes=axes)], x(*[4] * (axes[0] is not N)), x(*[4] * (axes[1] is not N)))
        g.function(one, "second", [V(in_axes=axes)], x(*[4] * (axes[0] is not N)), x(*[4] * (axes[1] is not N)))
    for axes in ((0, 1), (-1, -2), (1, N), (N, -1)):
        shape = {0: (4, 3), 1: (3, 4), -1: (3, 4), -2: (4, 3), N: (3,)}
        for op in ("subtract", "dot", "second"):
            out = 0 if op == "dot" else -1
            g.function(one, op, [V(in_axes=axes, out_axes=out)], x(*shape[axes[0]]), x(*shape[axes[1]]))
    # The matrix product, and its transpose.
    g.function(one, "dot", [V(in_axes=(0, N)), V(in_axes=(N, 1))], x(4, 3), x(3, 2))
    g.function(one, "dot", [V(in_axes=(0, N), out_axes=1), V(in_axes=(N, 1))], x(4, 3), x(3, 2))
    g.function(one, "dot", [V(in_axes=(N, -1)), V(in_axes=(-2, N), out_axes=-1)], x(4, 3), x(3, 2))
    g.function(one, "subtract", [V(in_axes=(0, N)), V(in_axes=(N, 0))], x(4), x(3))
    g.function(one, "subtract", [V(in_axes=(N, 0), out_axes=-1), V(in_axes=(0, N))], x(4), x(3))
    # Two outputs, each with its own axis.
    for out in ((0, 0), (0, 1), (-1, 0), (1, -2)):
        g.function(one, "sum_and_second", [V(in_axes=(0, 1), out_axes=out)], x(4, 3), x(3, 4))
        g.function(one, "sum_and_second", [V(in_axes=(-1, N), out_axes=out)], x(3, 4), x(3))
    g.function(one, "sum_and_second", [V(in_axes=(0, N), out_axes=(0, N))], x(4, 3), x(3))
    g.function(one, "sum_and_second", [V(in_axes=(0, N), out_axes=(1, N))], x(4, 3), x(3))


def add_reductions_of_types(g, kind, make):
    for dtype in TYPES:
        for op in ("psum", "pmean") + (() if dtype.startswith("c") else ("pmax", "pmin")):
            g.collective(kind, op, ["i"], [make("i")], values(g.random, dtype, (5,)))


def permutation_pairs(g, n):
    return [(int(a), int(b)) for a, b in enumerate(g.random.permutation(n))]


def add_one_axis(g, kind, make):
    """Collectives over one axis of one map."""

    def x(*shape, dtype="f8"):
        return values(g.random, dtype, shape)

    full = lambda n: permutation_pairs(g, n)
    for op in ("psum", "pmean", "pmax", "pmin"):
        g.collective(kind, op, ["i"], [make("i", -1, 0)], x(3, 4))
        g.collective(kind, op, ["i"], [make("i", 1, -1)], x(2, 4, 3))
        g.collective(kind, op, ["i"], [make("i", -2, 1)], x(2, 1, 3, 5))
        g.collective(kind, op, ["i"], [make("i", 0, N)], x(4))
        g.collective(kind, op, ["i"], [make("i", 0, N)], x(4, 3))
        g.collective(kind, op, ["i"], [make("i", N, 0, size=4)], x())
        g.collective(kind, op, ["i"], [make("i", N, -1, size=3)], x(5))
    g.collective(kind, "psum", ["i"], [make("i")], x(1))
    # psum_scatter
    for tiled in (False, True):
        for axis in (0, -1):
            g.collective(kind, "psum_scatter", ["i"], [make("i")], x(4, 4), axis=axis, tiled=tiled)
        for axis in (0, 1, -1, -2):
            shape = (5, 4, 3) if axis in (0, -2) else (5, 3, 4)
            g.collective(kind, "psum_scatter", ["i"], [make("i", 0, 0 if tiled else -1)], x(4, *shape[1:]), axis=axis, tiled=tiled)
        g.collective(kind, "psum_scatter", ["i"], [make("i", 1, 1)], x(2, 3, 3, 5), axis=1, tiled=tiled)
        g.collective(kind, "psum_scatter", ["i"], [make("i", N, 0, size=4)], x(4), axis=0, tiled=tiled)
    g.collective(kind, "psum_scatter", ["i"], [make("i")], x(3, 12), axis=0, tiled=True)
    g.collective(kind, "psum_scatter", ["i"], [make("i", -1, -1)], x(5, 6, 3), axis=-1, tiled=True)
    # all_gather
    g.collective(kind, "all_gather", ["i"], [make("i")], x(5), axis=0)
    g.collective(kind, "all_gather", ["i"], [make("i", 0, -1)], x(5), axis=-1)
    g.collective(kind, "all_gather", ["i"], [make("i", 0, N)], x(5), axis=0)
    g.collective(kind, "all_gather", ["i"], [make("i", N, 0, size=3)], x(), axis=0)
    for axis in (0, 1, -1, -2):
        g.collective(kind, "all_gather", ["i"], [make("i", -1, 1)], x(3, 4), axis=axis)
    for axis in (0, 1, 2, -1, -2, -3):
        g.collective(kind, "all_gather", ["i"], [make("i", 1, 0)], x(2, 4, 3), axis=axis)
    for axis in (0, 1, -1, -2):
        g.collective(kind, "all_gather", ["i"], [make("i", 1, -1)], x(4, 3, 5), axis=axis, tiled=True)
    g.collective(kind, "all_gather", ["i"], [make("i")], x(4, 3), axis=0, tiled=True)
    g.collective(kind, "all_gather", ["i"], [make("i", N, 0, size=3)], x(2), axis=0, tiled=True)
    # all_to_all
    for split, concat in ((0, 0), (-1, 0), (0, -1)):
        g.collective(kind, "all_to_all", ["i"], [make("i", 1, 0)], x(4, 4), split=split, concat=concat)
        g.collective(kind, "all_to_all", ["i"], [make("i", 1, 0)], x(8, 4), split=split, concat=concat, tiled=True)
    for split in (0, 1, 2, -1, -2, -3):
        for concat in (0, 2, -2):
            shape = [2, 3, 5]
            shape[split] = 4
            g.collective(kind, "all_to_all", ["i"], [make("i")], x(4, *shape), split=split, concat=concat)
            g.collective(kind, "all_to_all", ["i"], [make("i")], x(2, *shape), split=split, concat=concat, tiled=True)
    for axis in (0, 1, -1):
        g.collective(kind, "pswapaxes", ["i"], [make("i", 1, -1)], x(3, 3, 2) if axis == 0 else x(2, 3, 3), axis=axis)
    # permutations
    g.collective(kind, "ppermute", ["i"], [make("i")], x(7), pairs=full(7))
    g.collective(kind, "ppermute", ["i"], [make("i", -1, 0)], x(3, 6), pairs=full(6))
    g.collective(kind, "ppermute", ["i"], [make("i", 1, 2)], x(2, 5, 3), pairs=full(5))
    g.collective(kind, "pshuffle", ["i"], [make("i")], x(7), permutation=[int(p) for p in g.random.permutation(7)])
    g.collective(kind, "pshuffle", ["i"], [make("i", -1, 1)], x(2, 4, 6), permutation=[int(p) for p in g.random.permutation(6)])
    g.collective(kind, "pshuffle", ["i"], [make("i", N, 0, size=4)], x(3), permutation=[3, 1, 0, 2])
    for dtype in TYPES:
        g.collective(kind, "ppermute", ["i"], [make("i")], x(6, dtype=dtype), pairs=full(6))
    # places
    g.collective(kind, "axis_index", ["i"], [make("i")], x(6))
    g.collective(kind, "axis_index", ["i"], [make("i", N, 0, size=3)], x())
    g.collective(kind, "axis_size", ["i"], [make("i")], x(6))


def add_pmaps(g):
    def x(*shape, dtype="f8"):
        return values(g.random, dtype, shape)

    # No collective: axes alone.
    for a, b in ((0, 0), (1, 2), (2, 0), (-1, -2), (-2, 1)):
        g.function("pmap", "identity", [P("i", a, b)], x(3, 4, 5))
        g.function("pmap", "sum", [P("i", a)], x(3, 4, 5))
    g.function("pmap", "square", [P("i", 0, 1), V("", 1, -1)], x(3, 2, 4))
    g.function("pmap", "identity", [P("i", -1, 0), V("", 0, 1)], x(3, 2, 4))
    g.function("pmap", "subtract", [P("i", (0, N))], x(4), x())
    g.function("pmap", "dot", [P("i", (0, N)), V("", (N, 1))], x(4, 3), x(3, 2))
    g.function("pmap", "sum_and_second", [P("i", (0, 1), (1, 0))], x(4, 3), x(3, 4))
    g.function("pmap", "sum_and_second", [P("i", (1, N), (1, N))], x(3, 4), x(3))

    # axis_index_groups: order within a group, unequal groups, groups of one.
    kind = "pmap_collective"
    by_two = [[0, 3], [2, 1]]
    for op in ("psum", "pmean", "pmax", "pmin"):
        g.collective(kind, op, ["i"], [P()], x(4), groups=by_two)
        g.collective(kind, op, ["i"], [P("i", 1, 0)], x(3, 6), groups=[[5, 0, 3], [2, 4, 1]])
        g.collective(kind, op, ["i"], [P()], x(4, 3, dtype="f8"), groups=[[3], [1], [0], [2]])
    for op in ("psum", "pmax", "pmin"):
        g.collective(kind, op, ["i"], [P()], x(4), groups=[[0], [1, 2, 3]])
        g.collective(kind, op, ["i"], [P("i", -1, -1)], x(2, 7), groups=[[6, 1], [0, 5, 2], [3, 4]])
    for tiled in (False, True):
        g.collective(kind, "psum_scatter", ["i"], [P()], x(4, 4 if tiled else 2), axis=0, tiled=tiled, groups=by_two)
        g.collective(kind, "psum_scatter", ["i"], [P("i", 1, 0)], x(5, 6, 3), axis=-1, tiled=tiled, groups=[[5, 0, 3], [2, 4, 1]])
        g.collective(kind, "all_gather", ["i"], [P()], x(4, 2), axis=0, tiled=tiled, groups=by_two)
        g.collective(kind, "all_gather", ["i"], [P("i", -1, 1)], x(2, 3, 6), axis=-1, tiled=tiled, groups=[[5, 0, 3], [2, 4, 1]])
        g.collective(kind, "all_to_all", ["i"], [P()], x(4, 4 if tiled else 2, 3), split=0, concat=1, tiled=tiled, groups=by_two)
        g.collective(kind, "all_to_all", ["i"], [P()], x(6, 2, 3), split=1, concat=0, tiled=tiled, groups=[[5, 0, 3], [2, 4, 1]])
    g.collective(kind, "all_gather", ["i"], [P()], x(4), axis=0, groups=by_two)
    g.collective(kind, "pswapaxes", ["i"], [P()], x(4, 3, 2), axis=-1, groups=by_two)
    # Nobody's destination gets zeros.
    g.collective(kind, "ppermute", ["i"], [P()], x(5), pairs=[(0, 1), (3, 0)])
    g.collective(kind, "ppermute", ["i"], [P("i", 1, 1)], x(2, 5), pairs=[(4, 4), (0, 2)])
    g.collective(kind, "ppermute", ["i"], [P()], x(5, 2, 3), pairs=[])
    g.collective(kind, "ppermute", ["i"], [P("i", N, 0, size=4)], x(3), pairs=[(0, 1), (2, 3)])
    g.collective(kind, "ppermute", ["i"], [P()], x(8), pairs=[(i, (i + 1) % 8) for i in range(8)])
    g.collective(kind, "all_to_all", ["i"], [P("i", N, 0, size=4)], x(4), split=0, concat=0)
    g.collective(kind, "all_to_all", ["i"], [P("i", N, 0, size=4)], x(8), split=0, concat=0, tiled=True)


def add_vmap_only(g):
    def x(*shape, dtype="f8"):
        return values(g.random, dtype, shape)

    kind = "vmap_collective"
    g.collective(kind, "pbroadcast", ["i"], [V("i")], x(5), source=3)
    g.collective(kind, "pbroadcast", ["i"], [V("i", 1, -1)], x(3, 4), source=0)
    g.collective(kind, "pbroadcast", ["i"], [V("i", -1, 1)], x(2, 3, 6), source=5)
    g.collective(kind, "pbroadcast", ["i"], [V("i", N, 0, size=3)], x(3), source=1)
    # Longer axes than there are devices.
    for op in ("psum", "pmean", "pmax", "pmin"):
        g.collective(kind, op, ["i"], [V("i")], x(101))
        g.collective(kind, op, ["i"], [V("i", 1, -1)], x(3, 37))
    g.collective(kind, "all_gather", ["i"], [V("i", 0, N)], x(37), axis=0)


def add_two_axes(g, kind, first):
    """A collective over one or both names of a map of a vmap; `first` makes the outer level."""

    def x(*shape, dtype="f8"):
        return values(g.random, dtype, shape)

    def size(names):
        return {"i": 2, "j": 3}[names[0]] if len(names) == 1 else 6

    for names in (["i"], ["j"], ["i", "j"], ["j", "i"]):
        n = size(names)
        for op in ("psum", "pmean", "pmax", "pmin"):
            g.collective(kind, op, names, [first("i"), V("j")], x(2, 3))
        g.collective(kind, "psum", names, [first("i", 1, -1), V("j", -1, 0)], x(4, 2, 3))
        g.collective(kind, "pmax", names, [first("i", -1, 0), V("j", 0, -1)], x(3, 5, 2))
        g.collective(kind, "psum", names, [first("i", 2, 1), V("j", 1, 1)], x(2, 3, 2, 3))
        g.collective(kind, "all_to_all", names, [first("i"), V("j")], x(2, 3, n), split=0, concat=0)
        g.collective(kind, "all_to_all", names, [first("i"), V("j")], x(2, 3, n, 2), split=0, concat=-1)
        g.collective(kind, "all_to_all", names, [first("i"), V("j")], x(2, 3, 2, n), split=-1, concat=0)
        g.collective(kind, "all_to_all", names, [first("i"), V("j")], x(2, 3, 2 * n, 2), split=0, concat=1, tiled=True)
        g.collective(kind, "pswapaxes", names, [first("i"), V("j")], x(2, 3, n), axis=0)
        g.collective(kind, "axis_index", names, [first("i"), V("j")], x(2, 3))
        g.collective(kind, "axis_size", names, [first("i", 0, 1), V("j")], x(2, 3))
        if len(names) == 1:
            g.collective(kind, "psum_scatter", names, [first("i"), V("j")], x(2, 3, n), axis=0)
            g.collective(kind, "psum_scatter", names, [first("i", 0, -1), V("j", 0, 0)], x(2, 3, 5, 2 * n), axis=-1, tiled=True)
            g.collective(kind, "all_gather", names, [first("i"), V("j")], x(2, 3), axis=0)
            g.collective(kind, "all_gather", names, [first("i", 1, 2), V("j", 1, 0)], x(5, 2, 3), axis=-1)
            g.collective(kind, "all_gather", names, [first("i"), V("j")], x(2, 3, 2), axis=0, tiled=True)
            g.collective(kind, "ppermute", names, [first("i"), V("j")], x(2, 3), pairs=permutation_pairs(g, n))
            g.collective(kind, "pshuffle", names, [first("i"), V("j")], x(2, 3, 2), permutation=list(range(n))[::-1])
        # An operand that varies along one of the axes only.
        g.collective(kind, "psum", names, [first("i", N, 0, size=2), V("j", 0, 0)], x(3, 2))
        g.collective(kind, "psum", names, [first("i", 0, 0), V("j", N, 0, size=3)], x(2, 2))


def add_empty(g):
    """An axis without examples."""
    x = lambda *shape: np.zeros(shape)
    g.function("vmap", "identity", [V()], x(0, 3))
    g.function("vmap", "sum", [V(in_axes=1)], x(3, 0))
    g.function("vmap", "subtract", [V(in_axes=(0, N))], x(0), x())
    for op in ("psum", "pmean", "pmax"):
        g.collective("vmap_collective", op, ["i"], [V("i")], x(0))
        g.collective("vmap_collective", op, ["i"], [V("i", 1, -1)], x(3, 0))
    g.collective("vmap_collective", "all_gather", ["i"], [V("i")], x(0, 2), axis=0)
    g.collective("vmap_collective", "psum", ["i"], [V("i"), V("j")], x(0, 3))
    g.collective("vmap_collective", "psum", ["i"], [V("i"), V("j")], x(3, 0))


def add_shadowed(g):
    for op in ("psum", "axis_index"):
        g.collective("vmap_collective", op, ["i"], [V("i"), V("i")], values(g.random, "f8", (2, 3)))


def add_mesh(g):
    def x(*shape, dtype="f8"):
        return values(g.random, dtype, shape)

    levels = [P("i"), V("j")]
    for names in (["i", "j"], ["j", "i"], ["i"], ["j"]):
        n = 6 if len(names) == 2 else {"i": 2, "j": 3}[names[0]]
        add = lambda op, x, **arguments: g.collective("mesh", op, names, levels, x, **arguments)
        for tiled in (False, True):
            add("psum_scatter", x(2, 3, n), axis=0, tiled=tiled)
            add("psum_scatter", x(2, 3, 2, n), axis=1, tiled=tiled)
            add("all_gather", x(2, 3, 2), axis=0, tiled=tiled)
            add("all_gather", x(2, 3, 2), axis=-1, tiled=tiled)
            add("all_to_all", x(2, 3, 5, n), split=1, concat=0, tiled=tiled)
        add("all_gather", x(2, 3), axis=0)
        if names != ["j", "i"]:
            add("ppermute", x(2, 3), pairs=permutation_pairs(g, n))
            add("ppermute", x(2, 3, 2), pairs=[(0, n - 1), (n - 1, 1)] if n > 2 else [(1, 0)])
            add("pshuffle", x(2, 3), permutation=[int(p) for p in g.random.permutation(n)])
        add("axis_index", x(2, 3))
        if n % 3 == 0:
            groups = [[5, 0, 3], [2, 4, 1]] if n == 6 else [[2, 0, 1]]
            for op in ("psum", "pmean", "pmax"):
                add(op, x(2, 3), groups=groups)
            add("psum", x(2, 3, 4), groups=[[5, 0], [2, 4, 1, 3]] if n == 6 else [[0, 2], [1]])
            add("psum_scatter", x(2, 3, 3), axis=0, groups=groups)
            add("all_gather", x(2, 3, 2), axis=1, groups=groups)
            add("all_to_all", x(2, 3, 3, 2), split=0, concat=1, groups=groups)


def make():
    g = Goldens()
    add_vmaps(g)
    add_reductions_of_types(g, "vmap_collective", V)
    add_one_axis(g, "vmap_collective", V)
    add_vmap_only(g)
    add_two_axes(g, "vmap_collective", V)
    add_shadowed(g)
    add_empty(g)
    add_pmaps(g)
    add_reductions_of_types(g, "pmap_collective", P)
    add_one_axis(g, "pmap_collective", P)
    add_two_axes(g, "pmap_vmap", P)
    add_mesh(g)
    return g.cases


if __name__ == "__main__":
    print(f"JAX {jax.__version__}")
    sys.exit(make_or_check(make, "kind", FOLDER / "goldens.h5"))
