#!/usr/bin/env python3
"""Has JAX evaluate the lines of JAX that the tutorial's program 08_from_jax prints, and compares the values that it says JAX has:
python3 tests/tutorial/check_from_jax.py build/release/tutorial/08_from_jax   (needs jax; JAX's default settings, 8 devices)"""

import os
import subprocess
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import numpy as np

scope = {"jax": jax, "lax": jax.lax, "vmap": jax.vmap, "pmap": jax.pmap, "random": jax.random}
scope |= {name: getattr(jax.numpy, name) for name in ("arange", "array", "dot", "square", "uint32")}


def text_of(value):
    leaves = [np.asarray(leaf).ravel() for leaf in jax.tree.leaves(value)]
    return " / ".join(" ".join(f"{number:.10g}" for number in leaf.tolist()) for leaf in leaves)


lines = subprocess.run(sys.argv[1:], check=True, capture_output=True, text=True).stdout.splitlines()
wrong = rows = 0
for expression, printed in zip(lines, lines[1:]):
    if not printed.startswith("  JAX  "):
        continue
    rows += 1
    found = text_of(eval(expression, scope))
    if found != printed.removeprefix("  JAX  "):
        wrong += 1
        print(f"{expression}\n  is {found}, the program says {printed}")
print(f"jax {jax.__version__}: {rows} lines, {wrong} wrong")
sys.exit(wrong > 0 or rows == 0)
