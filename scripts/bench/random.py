#!/usr/bin/env python3
"""Uniform floats per second: kmap, JAX (jitted, CPU) and NumPy's Philox, in turn (needs jax and numpy):

    cmake --build build/release --target bench_random
    python3 scripts/bench/random.py [--build build/release] [--n 10000000] [--pairs 15] [--threads T]

All draw n floats in [0, 1), once into fresh memory and once into memory that is there already (JAX: into that of a donated
array). kmap and JAX use the same number of threads; NumPy has one. Shown are medians and the ratio of the others' time to
kmap's in the same turn, its median; it should be at least 3.
"""

import sys

del sys.path[0]  # this folder: in it this file would be taken for Python's own `random`

import argparse
import os
import pathlib
import statistics
import subprocess
import time


def seconds_of(f):
    start = time.perf_counter()
    f()
    return time.perf_counter() - start


class Kmap:
    def __init__(self, build, threads):
        environment = os.environ | {"OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "false"}
        self.program = subprocess.Popen([build / "bench" / "random"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment)

    def run(self, memory, n):
        self.program.stdin.write(f"{memory} {n}\n")
        self.program.stdin.flush()
        return float(self.program.stdout.readline())


class Jax:
    def __init__(self):
        os.environ["JAX_PLATFORMS"] = "cpu"
        import jax
        self.jax = jax
        self.name = f"JAX {jax.__version__}"
        self.draws = 0
        self.fresh = jax.jit(lambda key, n: jax.random.uniform(key, (n,), "float32"), static_argnums=1)
        self.given = jax.jit(lambda key, old: jax.random.uniform(key, old.shape, "float32"), donate_argnums=1,
                             keep_unused=True)
        self.old = None

    def run(self, memory, n):
        self.draws += 1
        key = self.jax.block_until_ready(self.jax.random.key(self.draws))
        if memory == "fresh":
            return seconds_of(lambda: self.fresh(key, n).block_until_ready())
        if self.old is None or self.old.size != n:
            self.old = self.fresh(key, n).block_until_ready()

        def draw():
            self.old = self.given(key, self.old).block_until_ready()

        return seconds_of(draw)


class Numpy:
    def __init__(self):
        import numpy
        self.numpy = numpy
        self.name = f"NumPy {numpy.__version__}, Philox"
        self.generator = numpy.random.Generator(numpy.random.Philox(1))
        self.old = None

    def run(self, memory, n):
        if memory == "fresh":
            return seconds_of(lambda: self.generator.random(n, dtype="float32"))
        if self.old is None or self.old.size != n:
            self.old = self.numpy.empty(n, dtype="float32")
        return seconds_of(lambda: self.generator.random(out=self.old, dtype="float32"))


def main():
    parser = argparse.ArgumentParser(description="Compares kmap's random numbers with JAX's and NumPy's.")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"), help="folder of the build")
    parser.add_argument("--n", type=int, default=10**7, help="numbers per draw")
    parser.add_argument("--pairs", type=int, default=15, help="turns that count, after two that do not")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of kmap and JAX")
    arguments = parser.parse_args()
    # JAX uses the processors that it may run on.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:arguments.threads])
    kmap, others = Kmap(arguments.build, arguments.threads), [Jax(), Numpy()]
    print(f"{arguments.n} floats, {arguments.threads} threads, {arguments.pairs} turns")
    met = True
    for memory in ("fresh", "given"):
        times = {"kmap": []} | {other.name: [] for other in others}
        for turn in range(arguments.pairs + 2):
            for name, runner in [("kmap", kmap)] + [(other.name, other) for other in others]:
                seconds = runner.run(memory, arguments.n)
                if turn >= 2:
                    times[name].append(seconds)
        print(f"{memory} memory:")
        for name, seconds in times.items():
            median = statistics.median(seconds)
            line = f"  {name:22} {1e3 * median:8.2f} ms {arguments.n / median / 1e9:7.3f} e9/s"
            if name != "kmap":
                ratio = statistics.median(s / k for s, k in zip(seconds, times["kmap"]))
                met = met and ratio >= 3
                line += f"   ratio {ratio:6.2f}  {'met' if ratio >= 3 else 'missed'}"
            print(line)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
