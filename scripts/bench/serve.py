"""The other libraries' side of the comparisons: each with_*.py runs as a program of its own and answers the requests that
tests/bench/maps.cpp describes."""

import math
import sys
import time

import numpy

ENOUGH = 200e-6  # seconds that a measurement should take at least
TYPES = {"f4": numpy.float32, "f8": numpy.float64}


def input_numbers(shape, scale, dtype):
    """Numbers in [-scale, scale): the same as make_input of tests/bench/bench.hpp."""
    index = numpy.arange(numpy.prod(shape), dtype=numpy.uint32)
    return (scale * ((index * numpy.uint32(2654435761)) * 2.0**-31 - 1)).astype(dtype).reshape(shape)


def bit_patterns(n, dtype):
    """Numbers of every size: the same as make_bit_patterns of tests/bench/heavy.cpp."""
    bits = numpy.arange(n, dtype=numpy.uint64) * numpy.uint64(0x9E3779B97F4A7C15)
    if dtype == numpy.float32:
        bits = (bits >> numpy.uint64(32)).astype(numpy.uint32)
    x = bits.view(dtype)
    special = [0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan]
    x[:len(special)] = special[:n]
    return x


class Latest:
    """Keeps what f returns until the next result is there, as `y = f(x)` does."""

    def __init__(self, f):
        self.f = f
        self.result = None

    def __call__(self):
        self.result = self.f()
        return self.result


class Kept:
    """Keeps all that f returns, so that no memory is used twice."""

    def __init__(self, f):
        self.f = f
        self.results = []

    def __call__(self):
        self.results.append(self.f())
        return self.results[-1]


class Timer:
    """Seconds of one run. Short ones are repeated, as often as the shortest so far would need to take long enough: a run that
    was interrupted does not pass for a long one."""

    def __init__(self, run):
        self.run = run
        self.shortest = math.inf

    def seconds(self):
        while True:
            runs = max(1, math.ceil(ENOUGH / self.shortest))
            start = time.perf_counter()
            for _ in range(runs):
                self.run()
            each = (time.perf_counter() - start) / runs
            self.shortest = min(self.shortest, each)
            if self.shortest * runs >= ENOUGH / 2:
                return each


def write_result(run, path):
    result = run()
    with open(path, "wb") as file:
        for array in result if isinstance(result, tuple) else (result,):
            file.write(numpy.ascontiguousarray(array).tobytes())


def serve(cases):
    """Answers requests to the end of the input. `cases` has a function (dtype, sizes…) for every case, which returns the
    variants by name: functions that run once and return the result."""
    made = {}
    for line in sys.stdin:
        what, *words = line.split()
        if what == "forget":
            made.clear()
            print("done", flush=True)
            continue
        path = words.pop(0) if what == "write" else None
        case, variant, dtype, *sizes = words
        key = (case, dtype, *sizes)
        if key not in made:
            variants = cases[case](TYPES[dtype], *map(int, sizes))
            made[key] = {name: Timer(run) for name, run in variants.items()}
        timer = made[key][variant]
        if what == "write":
            write_result(timer.run, path)
            print("done", flush=True)
        else:
            print(timer.seconds(), flush=True)
