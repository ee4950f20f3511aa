"""numexpr, with as many threads as NUMEXPR_NUM_THREADS says."""

import numexpr
import numpy

from serve import input_numbers, serve


def square(dtype, n):
    x = input_numbers(n, 100, dtype)
    y = numpy.empty_like(x)
    return {"given": lambda: numexpr.evaluate("x * x", {"x": x}, out=y)}


def heavy(dtype, n):
    x = input_numbers(n, 1000, dtype)
    y = numpy.empty_like(x)
    return {"given": lambda: numexpr.evaluate("sin(x)**2 + cos(x)**2", {"x": x}, out=y)}


if __name__ == "__main__":
    serve({"square": square, "heavy": heavy})
