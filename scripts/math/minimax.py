"""Polynomials of least error, for the constants of core/include/kmap/detail/math/.

Needs mpmath. Remez' exchange algorithm in 60 digits; the coefficients are then rounded to the type.
"""

import math
import struct

import mpmath

mpmath.mp.dps = 60


def to_float(x):
    """The float nearest to x, as a Python float."""
    return struct.unpack("f", struct.pack("f", float(x)))[0]


def fit(f, low, high, count, weight):
    """Coefficients c of sum c[i] z^i, i < count, of least weighted distance from f on [low, high], and
    that distance."""
    mpf = mpmath.mpf
    low, high = mpf(low), mpf(high)
    middle, half = (low + high) / 2, (high - low) / 2
    nodes = [middle - half * mpmath.cos(mpmath.pi * (2 * i + 1) / (2 * count + 2)) for i in range(count + 1)]
    grid = [middle - half * mpmath.cos(mpmath.pi * i / (30 * count)) for i in range(30 * count + 1)]
    grid = [z for z in grid if z != 0 or low > 0] or grid
    values = [(z, f(z), weight(z)) for z in grid]
    for _ in range(12):
        rows = mpmath.matrix(count + 1, count + 1)
        right = mpmath.matrix(count + 1, 1)
        for i, z in enumerate(nodes):
            for j in range(count):
                rows[i, j] = z**j
            rows[i, count] = (-1) ** i / weight(z)
            right[i] = f(z)
        solution = mpmath.lu_solve(rows, right)
        c = [solution[j] for j in range(count)]
        error = [(z, w * (v - mpmath.polyval(c[::-1], z))) for z, v, w in values]
        # The extremes of each run of one sign.
        peaks = []
        for z, e in error:
            if peaks and (peaks[-1][1] > 0) == (e > 0):
                if abs(e) > abs(peaks[-1][1]):
                    peaks[-1] = (z, e)
            else:
                peaks.append((z, e))
        while len(peaks) > count + 1:
            peaks.pop(0 if abs(peaks[0][1]) < abs(peaks[-1][1]) else -1)
        if len(peaks) < count + 1:
            break
        nodes = [z for z, _ in peaks]
        least, most = (g(abs(e) for _, e in peaks) for g in (min, max))
        if most < least * mpf("1.001"):
            break
    return c, max(abs(e) for _, e in error)


def rounded_fit(f, low, high, count, weight, rounding=float):
    """As fit, with the coefficients rounded: the first, then the second to what fits best with that,
    and all others."""
    c = []
    for first in range(min(count, 3)):

        def rest(z):
            return (f(z) - mpmath.polyval([mpmath.mpf(x) for x in c[::-1]] or [0], z)) / z**first

        # The weight is 0 at 0, where the rest may be infinite.
        start = mpmath.mpf(low) if low > 0 or first == 0 else mpmath.mpf(high) / 10000
        others, _ = fit(rest, start, high, count - first, lambda z: weight(z) * z**first)
        c.append(rounding(others[0]))
    c += [rounding(x) for x in others[1:]]
    grid = [mpmath.mpf(low) + (mpmath.mpf(high) - low) * i / 1000 for i in range(1, 1001)]
    return c, max(abs(weight(z) * (f(z) - mpmath.polyval([mpmath.mpf(x) for x in c[::-1]], z))) for z in grid)


def show(name, coefficients, error, suffix=""):
    print(f"// {name}: error 2^{math.log2(float(error)):.1f}")
    print("  " + ", ".join(c.hex().replace("000000p", "p") + suffix for c in coefficients))


def pieces(x, bits, rounding=mpmath.nint):
    """x as a sum of numbers of so many bits each; the last is rounded to nearest."""
    rest = mpmath.mpf(x)
    parts = []
    for i, b in enumerate(bits):
        unit = mpmath.mpf(2) ** (int(mpmath.floor(mpmath.log(abs(rest), 2))) + 1 - b)
        part = (rounding if i + 1 < len(bits) else mpmath.nint)(rest / unit) * unit
        parts.append(float(part))
        rest -= part
    return parts
