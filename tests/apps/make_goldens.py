#!/usr/bin/env python3
"""Makes goldens/*.h5, the expected results of the kernels in apps/ (needs numpy, scipy and h5py):

    python3 tests/apps/make_goldens.py

Nothing here uses kmap: results are NumPy's and SciPy's, or exact ones rounded once. The same files come out each time.
"""

import ctypes
import ctypes.util
import itertools
import pathlib
from fractions import Fraction
from math import isqrt

import h5py
import numpy as np
from scipy import signal

folder = pathlib.Path(__file__).resolve().parent / "goldens"
random = np.random.default_rng(20240229)
np.seterr(all="ignore")

INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]


def little(dtype):
    return np.dtype(dtype).newbyteorder("<")


def write(name, arrays):
    with h5py.File(folder / name, "w") as file:
        for path, values in arrays.items():
            values = np.asarray(values)
            file.create_dataset(path, data=values, dtype=little(values.dtype), track_times=False)


# ---- square


def integers(dtype):
    info = np.iinfo(dtype)
    if info.bits == 8:
        return np.arange(info.min, info.max + 1, dtype=dtype)
    special = [0, 1, 2, 3, info.max, info.max - 1, info.min, info.min + 1, info.max // 2, info.max // 2 + 1]
    root = isqrt(info.max)
    special += [root, root + 1]
    drawn = random.integers(info.min, info.max, size=50, dtype=dtype, endpoint=True)
    return np.concatenate([np.array(special, dtype=dtype), drawn])


def floats(dtype, largest_exponent):
    info = np.finfo(dtype)
    special = [0.0, -0.0, 1.0, -1.0, 1.5, info.max, -info.max, info.tiny, info.smallest_subnormal, info.eps,
               np.inf, -np.inf, np.nan]
    drawn = random.uniform(-1, 1, 100) * 10.0 ** random.uniform(-largest_exponent, largest_exponent, 100)
    return np.concatenate([np.array(special, dtype=dtype), drawn.astype(dtype)])


def complex_square(z):
    """By its definition, without the fused operations that NumPy's own product may use."""
    result = np.empty_like(z)
    result.real = z.real * z.real - z.imag * z.imag
    result.imag = z.real * z.imag + z.imag * z.real
    close = np.isclose(result, z * z, rtol=1e-5, atol=1e-3) | ~np.isfinite(result)
    assert close.all()
    return result


def make_square():
    arrays = {}
    for dtype in INTEGERS + ["f4", "f8"]:
        x = integers(dtype) if dtype in INTEGERS else floats(dtype, 20 if dtype == "f4" else 160)
        arrays[f"/{dtype}/x"] = x
        arrays[f"/{dtype}/y"] = x * x
    for dtype, part in (("c8", "f4"), ("c16", "f8")):
        x = np.empty(60, dtype=dtype)
        x.real = random.normal(0, 10, 60).astype(part)
        x.imag = random.normal(0, 10, 60).astype(part)
        special = np.array([0, 1, 1j, -1j, complex(np.inf, 1), complex(np.nan, 1), complex(-0.0, 0.0)], dtype=dtype)
        x = np.concatenate([special, x])
        arrays[f"/{dtype}/x"] = x
        arrays[f"/{dtype}/y"] = complex_square(x)
    write("square.h5", arrays)


# ---- heavy_task


def make_heavy_task():
    arrays = {}
    for dtype in ("f4", "f8"):
        info = np.finfo(dtype)
        special = [0.0, -0.0, info.max, -info.max, info.tiny, info.smallest_subnormal, 1e-8, 1e5, 1e10, 1e22,
                   np.inf, -np.inf, np.nan]
        multiples = np.pi / 4 * np.arange(-16, 17)
        x = np.concatenate([special, multiples, random.uniform(-1000, 1000, 300), np.arange(300)]).astype(dtype)
        arrays[f"/{dtype}/x"] = x
        arrays[f"/{dtype}/y"] = np.sin(x) ** 2 + np.cos(x) ** 2
    for dtype in INTEGERS:
        # Read as f8, which holds them all: beyond 2^53 not every i8 and u8 is.
        x = np.concatenate([np.arange(100), [np.iinfo(dtype).max if np.dtype(dtype).itemsize < 8 else 2**53]])
        x = x.astype(dtype)
        arrays[f"/{dtype}/x"] = x
        arrays[f"/{dtype}/y"] = np.sin(x.astype("f8")) ** 2 + np.cos(x.astype("f8")) ** 2
    write("heavy_task.h5", arrays)


# ---- lorenz


def fused_multiply_add(dtype):
    """The C library's fma for arrays of a type: rounded once."""
    libm = ctypes.CDLL(ctypes.util.find_library("m"))
    function, number = {"f4": (libm.fmaf, ctypes.c_float), "f8": (libm.fma, ctypes.c_double)}[np.dtype(dtype).str[1:]]
    function.argtypes, function.restype = [number] * 3, number
    return np.vectorize(function, otypes=[dtype])


def multiply_add(a, b, c):
    """Rounded twice."""
    return a * b + c


def lorenz(initial, sigma, rho, beta, step, steps, mul_add=multiply_add):
    """The classical Runge-Kutta method in the type of `initial`, operation by operation as the kernel does it."""
    real = initial.dtype.type
    sigma, rho, beta, h = real(sigma), real(rho), real(beta), real(step)

    def derivative(s):
        x, y, z = s
        return np.stack([sigma * (y - x), mul_add(x, rho - z, -y), mul_add(x, y, -(beta * z))])

    state = initial.T.copy()
    for _ in range(steps):
        k1 = derivative(state)
        k2 = derivative(mul_add(h / real(2), k1, state))
        k3 = derivative(mul_add(h / real(2), k2, state))
        k4 = derivative(mul_add(h, k3, state))
        state = mul_add(h / real(6), mul_add(real(2), k2 + k3, k1 + k4), state)
    return state.T


def make_lorenz():
    initial = np.concatenate([np.array([[1, 1, 25], [0, 0, 0], [-8, 7, 27]], dtype="f8"),
                              random.normal([1, 1, 25], 5, size=(14, 3))])
    arrays = {}
    for dtype in ("f4", "f8"):
        start = initial.astype(dtype)
        arrays[f"/{dtype}/initial"] = start
        for rounding, mul_add in (("fused", fused_multiply_add(dtype)), ("plain", multiply_add)):
            final = lorenz(start, 10.0, 28.0, 8.0 / 3.0, 0.01, 1000, mul_add)
            assert np.isfinite(final).all()
            arrays[f"/{dtype}/{rounding}/final"] = final
            # Every parameter away from its default.
            arrays[f"/{dtype}/{rounding}/other"] = lorenz(start, 9.5, 31.0, 2.5, 0.004, 77, mul_add)
    # The exact solution at t = 0.5, by a step of 5e-5 in extended precision: its error is below 1e-11.
    fine = lorenz(initial.astype(np.longdouble), 10, 28, np.longdouble(8) / 3, np.longdouble(1) / 20000, 10000)
    coarser = lorenz(initial.astype(np.longdouble), 10, 28, np.longdouble(8) / 3, np.longdouble(1) / 10000, 5000)
    assert np.abs(fine - coarser).max() < 1e-10
    arrays["/at_half/initial"] = initial
    arrays["/at_half/exact"] = fine.astype("f8")
    write("lorenz.h5", arrays)


# ---- moments


def nearest_root(square):
    """The square root of a fraction, within 2^-200 of itself, as a fraction."""
    if square == 0:
        return Fraction(0)
    shift = 400 + 2 * (square.denominator.bit_length())
    return Fraction(isqrt((square.numerator << shift) // square.denominator), 1 << (shift // 2))


def exact_moments(x):
    """Mean and population standard deviation by rational numbers, each rounded once."""
    values = [Fraction(v) for v in x.tolist()]
    mean = sum(values) / len(values)
    variance = sum((v - mean) ** 2 for v in values) / len(values)
    return mean, nearest_root(variance)


def rounded(value, dtype):
    # Rounding to f8 first is harmless: it is some 2^29 times finer than f4.
    return np.array([float(value)]).astype(dtype)


def moments_cases():
    tiny = np.finfo("f8").smallest_subnormal
    normal = random.normal(size=1023)
    signs = np.where(np.arange(1000) % 2, 1.0, -1.0)
    yield "one_value", np.array([3.25])
    yield "two_values", np.array([1.0, 2.0])
    yield "all_equal", np.full(1000, 0.1)
    yield "normal", normal
    yield "large_offset", 1e9 + normal[:500]
    yield "larger_offset", 1e15 + np.round(8 * normal[:500]) / 8
    yield "cancellation", np.array([1e16, 1.0, -1e16, 3.5, 1e16, -2.25, -1e16])
    # The rounded sum is 1 and what its roundings lost is -1 + 1e-20.
    yield "cancelling_twice", np.array([1e16, 3.0, -1e16, -3.0, 1e-20])
    yield "alternating", signs * 1e16 + 64 * np.round(normal[:1000])
    yield "near_overflow", np.array([1.7e308, 1.6e308, 1.79e308, 1.5e308, -1.2e308])
    yield "plus_minus_largest", np.array([1.0, -1.0]) * np.finfo("f8").max
    yield "near_underflow", np.array([1, 7, 100, 12, 5, 0, 3]) * tiny
    yield "small_normal", 1e-300 * (1 + normal[:100])
    yield "wide_range", np.array([1e-300, 1e-200, 1.0, 1e100, 1e150])
    yield "f4", normal.astype("f4")
    yield "f4_offset", (1e6 + normal[:300]).astype("f4")
    yield "f4_largest", np.array([3e38, 3.2e38, 3.4e38, -1e38], dtype="f4")
    yield "f4_tiny", (np.arange(9) * np.finfo("f4").smallest_subnormal).astype("f4")
    for dtype in INTEGERS:
        yield dtype, random.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, size=200, dtype=dtype, endpoint=True)
        yield f"{dtype}_extremes", np.array([np.iinfo(dtype).max, np.iinfo(dtype).min, np.iinfo(dtype).max], dtype=dtype)
    yield "i8_largest", np.iinfo("i8").max - np.arange(50, dtype="i8")
    yield "i8_smallest", np.iinfo("i8").min + np.array([0, 0, 1, 5], dtype="i8")
    yield "u8_largest", np.uint64(2**64 - 1) - np.arange(50, dtype="u8")
    # The spread is below what a double of the mean's size can tell apart.
    yield "i8_beyond_2_53", np.array([2**53 + 1, 2**53 + 2, 2**53 + 2], dtype="i8")
    yield "i8_below_2_32", np.array([3_000_000_000] * 5 + [3_000_000_001] * 2, dtype="i8")
    yield "u8_around_2_32", 2**32 + np.array([-2, -1, -1, 0, 1, 1, 5], dtype="i8").astype("u8")
    yield "i8_around_0", np.array([-1, 0, 0, 1, 1, 2, -4], dtype="i8")


def special_cases():
    """Where NumPy's answer is the reference: NaN, infinities, negative zeros."""
    nan, inf = np.nan, np.inf
    yield "nan", [1.0, nan, 2.0]
    yield "nan_first", [nan, 1.0, 2.0]
    yield "nan_last", np.append(np.arange(2047.0), nan)
    yield "nan_and_inf", [inf, nan, -inf]
    yield "all_nan", [nan, nan]
    yield "inf", [1.0, inf, 2.0]
    yield "minus_inf", [1.0, -inf, 2.0]
    yield "both_inf", [1.0, inf, -inf]
    yield "one_inf", [inf]
    yield "all_inf", [inf, inf, inf]
    yield "all_minus_inf", np.full(1025, -inf)
    yield "one_nan", [nan]
    yield "negative_zeros", [-0.0, -0.0]
    yield "zeros", [0.0, -0.0, 0.0]


def make_moments():
    arrays = {}

    def add(name, x, results):
        arrays[f"/{name}/x"] = x[np.newaxis]
        for result, value in zip(("mean", "std", "min", "max"), results):
            arrays[f"/{name}/{result}"] = value

    for name, x in moments_cases():
        real = "f4" if x.dtype == np.float32 else "f8"
        mean, deviation = exact_moments(x)
        add(f"exact/{name}", x, (rounded(mean, real), rounded(deviation, real), x.min(keepdims=True), x.max(keepdims=True)))
        if name in ("normal", "f4", "i4", "u2", "small_normal", "large_offset"):
            wide = x.astype("f8")  # NumPy agrees, where it can: integers and f4 in double precision
            assert np.isclose(wide.mean(), float(mean), rtol=1e-12) and np.isclose(wide.std(), float(deviation), rtol=1e-9)
    for dtype in ("f4", "f8"):
        for name, x in special_cases():
            x = np.array(x, dtype=dtype)
            add(f"numpy/{dtype}/{name}", x, (f(x, keepdims=True) for f in (np.mean, np.std, np.min, np.max)))
    write("moments.h5", arrays)


# ---- periodogram

TAPERS = ["boxcar", "hann", "hamming", "blackman"]
DETRENDS = ["none", "constant", "linear"]
SCALINGS = ["density", "spectrum"]
LENGTHS = [2, 3, 4, 5, 7, 16, 17, 97, 128, 255, 256, 1000, 1021, 4096]
GRID = [7, 16, 97, 128]
LARGE = 1e6


def periodogram(x, fs=1.0, taper="boxcar", detrend="constant", scaling="density"):
    return signal.periodogram(x, fs=fs, window=taper, detrend=False if detrend == "none" else detrend, scaling=scaling)


def precise_periodogram(x, detrend, taper):
    """SciPy's in extended precision: beside a large offset its own in f8 has few digits that are right."""
    wide = x.astype(np.longdouble)
    if detrend == "linear":  # not by SciPy, which computes it in f8
        time = np.arange(x.shape[-1], dtype=np.longdouble)
        time -= time.mean()
        wide = wide - wide.mean(axis=-1, keepdims=True)
        wide = wide - (wide @ time / (time @ time))[..., np.newaxis] * time
        detrend = "none"
    return periodogram(wide, taper=taper, detrend=detrend)[1]


def relative_error(power, wanted):
    return np.abs(power - wanted).max() / np.abs(wanted).max()


def make_periodogram():
    draw = np.random.default_rng(1898)  # A. Schuster's periodogram
    arrays = {}

    def samples(*shape):
        """Floats, so that one golden serves f4 and f8: noise, a line of the spectrum and a trend."""
        time = np.arange(shape[-1])
        return (draw.normal(size=shape) + 3 * np.sin(0.7 * time) + 0.01 * time + 2).astype("f4")

    for n in LENGTHS:
        x = samples(1, n)
        power = periodogram(x.astype("f8"))[1]
        arrays[f"/lengths/{n}/x"] = x
        arrays[f"/lengths/{n}/power"] = power
        assert relative_error(periodogram(x)[1], power) < 1e-5

    for n in GRID:
        x = samples(1, n)
        powers = []  # tapers, then detrends, then scalings
        for options in itertools.product(TAPERS, DETRENDS, SCALINGS):
            frequency, power = periodogram(x.astype("f8"), 12.5, *options)
            assert relative_error(periodogram(x, 12.5, *options)[1], power) < 1e-5
            powers.append(power[0])
        arrays[f"/grid/{n}/x"] = x
        arrays[f"/grid/{n}/power"] = powers
        arrays[f"/grid/{n}/frequency"] = frequency

    for dtype in ("f4", "f8"):
        for n in (1000, 1021):
            x = (LARGE + draw.normal(size=(1, n)) - 0.02 * np.arange(n)).astype(dtype)
            arrays[f"/offset/{dtype}/{n}/x"] = x
            for detrend in ("constant", "linear"):
                for taper in ("boxcar", "hann"):
                    power = precise_periodogram(x, detrend, taper).astype("f8")
                    arrays[f"/offset/{dtype}/{n}/{taper}/{detrend}"] = power
                    assert relative_error(periodogram(x.astype("f8"), taper=taper, detrend=detrend)[1], power) < 1e-8

    x = samples(3, 2, 40)
    arrays["/three/x"] = x
    arrays["/three/power"] = periodogram(x.astype("f8"), taper="hann", detrend="linear")[1]

    for dtype in ("i2", "u1", "i8"):
        x = draw.integers(0, 200, size=(2, 51)).astype(dtype)
        arrays[f"/integers/{dtype}/x"] = x
        arrays[f"/integers/{dtype}/power"] = periodogram(x.astype("f8"))[1]
    write("periodogram.h5", arrays)


if __name__ == "__main__":
    folder.mkdir(exist_ok=True)
    make_square()
    make_heavy_task()
    make_lorenz()
    make_moments()
    make_periodogram()
