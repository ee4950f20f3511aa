#!/usr/bin/env python3
"""Prints the constants of core/include/kmap/detail/math/{exp,log,pow,hyperbolic,erf}.hpp. Needs mpmath."""

from mpmath import mp, mpf

import minimax

HALF_LN2 = mp.log(2) / 2 * mpf("1.0001")
TINY = mpf(10) ** -10


def cosh_terms(z):
    return (mp.cosh(mp.sqrt(z)) - 1) / z


def sinh_terms(z):
    return (mp.sinh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z


def exp2_terms(r):
    return mp.expm1(r * mp.log(2)) / r


def log_terms(z):
    s = mp.sqrt(z)
    return (2 * mp.atanh(s) / s - 2) / z


def log2_terms(z):
    s = mp.sqrt(z)
    return 2 / mp.log(2) * (mp.atanh(s) / s - 1 - z / 3) / z**2


def tanh_terms(z):
    return (mp.tanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z


def erf_terms(z):
    return mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1


def log2_erfc(t):
    return mp.log(mp.erfc(1 + t), 2)


def scaled_erfc(t):
    x = (mpf("2.5") * t + mpf("1.75")) / (1 - t)
    return (1 + 2 * x) * mp.erfc(x) * mp.exp(x * x)


def print_constants(f4):
    bits = 24 if f4 else 53
    rounding = minimax.to_float if f4 else float
    suffix = "f" if f4 else ""

    def polynomial(name, f, low, high, count, weight):
        coefficients, error = minimax.fit(f, low, high, count, weight)
        minimax.show(name, [rounding(c) for c in coefficients], error, suffix)

    def pieces(name, x, first):
        print(f"// {name}")
        print("  " + ", ".join(p.hex() + suffix for p in (rounding(p) for p in minimax.pieces(x, (first, bits)))))

    square = HALF_LN2**2
    greatest = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)) ** 2 * mpf("1.001")
    # So few bits that a product with an exponent is exact.
    short = 15 if f4 else 41
    pieces("ln 2", mp.log(2), short)
    pieces("log10 2", mp.log10(2), short)
    pieces("log2 e", 1 / mp.log(2), bits)
    pieces("log10 e", 1 / mp.log(10), bits)
    pieces("2 log2 e", 2 / mp.log(2), bits)
    pieces("2/3 log2 e", 2 / mp.log(2) / 3, bits)
    polynomial("cosh_terms", cosh_terms, TINY, square, 3 if f4 else 5, mp.sqrt)
    polynomial("sinh_terms", sinh_terms, TINY, square, 2 if f4 else 5, lambda z: z)
    polynomial("exp2_terms", exp2_terms, mpf("-.5001"), mpf(".5002"), 6 if f4 else 11, abs)
    polynomial("log_terms", log_terms, TINY, greatest, 3 if f4 else 7, lambda z: z)
    polynomial("log2_terms", log2_terms, TINY, greatest, 4 if f4 else 8, lambda z: z**2)
    polynomial("tanh_terms", tanh_terms, TINY, mpf(".56") ** 2, 6 if f4 else 11, lambda z: z)
    polynomial("erf_terms", erf_terms, TINY, 1, 8 if f4 else 13, lambda z: 1)
    weight = lambda t: mp.erfc(1 + t) * mp.log(2)
    polynomial("log2_erfc", log2_erfc, 0, mpf("2.93" if f4 else "4.93"), 7 if f4 else 18, weight)
    low, high = ((mpf(x) - mpf("1.75")) / (mpf(x) + mpf("2.5")) for x in (".476", "10.25" if f4 else "27.35"))
    polynomial("erfc_terms", scaled_erfc, low, high, 11 if f4 else 23, lambda t: 1)


for f4 in (True, False):
    print("---- " + ("float" if f4 else "double"))
    print_constants(f4)
