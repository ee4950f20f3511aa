"""NumPy on one thread, as it comes."""

import numpy

from serve import Latest, input_numbers, serve


def square(dtype, n):
    x = input_numbers(n, 100, dtype)
    y = numpy.empty_like(x)
    return {"given": lambda: numpy.multiply(x, x, out=y), "fresh": Latest(lambda: x * x)}


def heavy(dtype, n):
    x = input_numbers(n, 1000, dtype)
    y, c = numpy.empty_like(x), numpy.empty_like(x)

    def given():
        numpy.sin(x, out=y)
        numpy.multiply(y, y, out=y)
        numpy.cos(x, out=c)
        numpy.multiply(c, c, out=c)
        return numpy.add(y, c, out=y)

    return {"given": given, "fresh": Latest(lambda: numpy.sin(x)**2 + numpy.cos(x)**2)}


def moments(dtype, n, length):
    x = input_numbers((n, length), 1, dtype)
    return {"fresh": lambda: (x.mean(1), x.std(1), x.min(1), x.max(1))}


def total(dtype, n):
    x = input_numbers(n, 1, dtype) + dtype(1)
    return {"sum": x.sum}


def random(dtype, n):
    generator = numpy.random.Generator(numpy.random.Philox(1))
    y = numpy.empty(n, dtype)
    return {"given": lambda: generator.random(out=y, dtype=dtype), "fresh": Latest(lambda: generator.random(n, dtype=dtype))}


if __name__ == "__main__":
    serve({"square": square, "heavy": heavy, "moments": moments, "sum": total, "random": random})
