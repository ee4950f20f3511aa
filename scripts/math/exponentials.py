#!/usr/bin/env python3
"""Prints the constants of core/include/kmap/detail/math/{exp,log,pow,hyperbolic,erf}.hpp. Wants mpmath."""

from mpmath import mp, mpf

from remez import fit, parts, show

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


def main():
    digits_of = {"f4": 24, "f8": 53}
    high_ln2 = {"f4": (15, 24), "f8": (41, 53)}
    square = HALF_LN2**2
    greatest_s = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)) ** 2 * mpf("1.001")
    for name, digits in digits_of.items():
        f4 = name == "f4"

        def table(title, f, count, low, high, weight):
            coefficients, error = fit(f, range(count), low, high, weight)
            show(title, coefficients, digits, error)

        print(f"---- {name}")
        show("ln(2) high, low", parts(mp.log(2), high_ln2[name]), digits)
        table("cosh terms", cosh_terms, 3 if f4 else 5, TINY, square, lambda z: mp.sqrt(z))
        table("sinh terms", sinh_terms, 2 if f4 else 5, TINY, square, lambda z: z)
        table("exp2 terms", exp2_terms, 6 if f4 else 11, mpf("-.5001"), mpf(".5002"), lambda r: abs(r))
        table("log terms", log_terms, 3 if f4 else 7, TINY, greatest_s, lambda z: z)
        show("log2(e)", parts(1 / mp.log(2), (digits, digits)), digits)
        show("log10(e)", parts(1 / mp.log(10), (digits, digits)), digits)
        show("log10(2) high, low", parts(mp.log10(2), high_ln2[name]), digits)
        show("2 log2(e)", parts(2 / mp.log(2), (digits, digits)), digits)
        show("2/3 log2(e)", parts(2 / mp.log(2) / 3, (digits, digits)), digits)
        table("log2 terms", log2_terms, 4 if f4 else 8, TINY, greatest_s, lambda z: z**2)
        table("tanh terms", tanh_terms, 6 if f4 else 11, TINY, mpf(".56") ** 2, lambda z: z)
        table("erf terms", erf_terms, 8 if f4 else 13, TINY, 1, lambda z: 1)
        weight = lambda t: mp.erfc(1 + t) * mp.log(2)
        table("log2 erfc", log2_erfc, 7 if f4 else 18, 0, mpf("2.93" if f4 else "4.93"), weight)
        ends = [(mpf(x) - mpf("1.75")) / (mpf(x) + mpf("2.5")) for x in (".476", "10.2" if f4 else "27.3")]
        table("erfc terms", scaled_erfc, 11 if f4 else 23, *ends, lambda t: 1)


main()
