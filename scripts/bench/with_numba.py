"""Numba's parallel loops, with as many threads as NUMBA_NUM_THREADS says."""

import math

import numba
import numpy

from serve import input_numbers, serve


@numba.njit(parallel=True)
def square_loop(x, y):
    for i in numba.prange(x.size):
        y[i] = x[i] * x[i]


@numba.njit(parallel=True)
def heavy_loop(x, y):
    for i in numba.prange(x.size):
        s, c = math.sin(x[i]), math.cos(x[i])
        y[i] = s * s + c * c


def given(loop, scale):

    def case(dtype, n):
        x = input_numbers(n, scale, dtype)
        y = numpy.empty_like(x)

        def run():
            loop(x, y)
            return y

        return {"given": run}

    return case


if __name__ == "__main__":
    serve({"square": given(square_loop, 100), "heavy": given(heavy_loop, 1000)})
