"""Prints the constants of trigonometric.hpp and inverse_trigonometric.hpp."""

import mpmath
from minimax import pieces, rounded_fit, show, to_float

mpf = mpmath.mpf
quarter = (mpmath.pi / 4 * mpf("1.0001")) ** 2


def odd(f, z):
    """(f(x) - x) / x^3 with z = x^2."""
    if z < mpf("1e-12"):
        z = mpf("1e-12")
    x = mpmath.sqrt(z)
    return (f(x) - x) / x**3


def cosine(z):
    """(cos x - 1) / x^2."""
    if z < mpf("1e-12"):
        z = mpf("1e-12")
    return (mpmath.cos(mpmath.sqrt(z)) - 1) / z


def weight(f):
    """Error relative to f(x)."""
    return lambda z: abs(z * mpmath.sqrt(z) / f(mpmath.sqrt(z))) if z > 0 else mpf(0) + mpf("1e-12")


for name, suffix, rounding, counts in [
    ("double", "", float, dict(sin=6, cos=7, tan=15, asin=13, atan=11)),
    ("float", "f", to_float, dict(sin=3, cos=4, tan=7, asin=5, atan=5)),
]:
    print("//", name)
    for f, high in [("sin", quarter), ("tan", quarter), ("asin", mpf("0.2501")), ("atan", mpf("0.1717"))]:
        g = getattr(mpmath, f)
        c, error = rounded_fit(lambda z: odd(g, z), 0, high, counts[f], weight(g), rounding)
        show(f"({f} x - x) / x^3 in x^2 < {float(high):.4}", c, error, suffix)
    c, error = rounded_fit(cosine, 0, quarter, counts["cos"], lambda z: z / mpmath.cos(mpmath.sqrt(z)), rounding)
    show("(cos x - 1) / x^2", c, error, suffix)

print("// pi/2")
for bits in [(53, 37, 53), (37, 37, 53), (24, 24, 24), (37, 53), (53, 53)]:
    print(bits, [p.hex() for p in pieces(mpmath.pi / 2, bits, mpmath.floor)])
print("// pi/4, with room for a factor of 4")
for bits in [(51, 53), (22, 24)]:
    print(bits, [p.hex() for p in pieces(mpmath.pi / 4, bits)])
print("// 2/pi", float(2 / mpmath.pi).hex(), to_float(2 / mpmath.pi).hex())
mpmath.mp.prec = 1400
digits = int(mpmath.floor(2 / mpmath.pi * mpf(2) ** 1280))
print("// 2/pi, 40 words of 32 bits")
print(", ".join(f"0x{(digits >> (32 * (39 - i))) & 0xffffffff:08x}u" for i in range(40)))
