"""JAX on the CPU, jitted, with double precision enabled. It uses the processors that it may run on; `--devices N` makes N host
devices of them, for pmap."""

import os
import sys

if sys.argv[1:2] == ["--devices"]:
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={sys.argv[2]}"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp

from serve import Kept, Latest, input_numbers, serve

jax.config.update("jax_enable_x64", True)


def square_of(x):
    return x * x


def heavy_task(x):
    return jnp.sin(x)**2 + jnp.cos(x)**2


def ready(f, *arguments):
    return lambda: jax.block_until_ready(f(*arguments))


def elementwise(f, scale):
    mapped, single = jax.jit(jax.vmap(f)), jax.jit(f)

    def case(dtype, n):
        x = jax.block_until_ready(jnp.asarray(input_numbers(n, scale, dtype)))
        elements = list(x) if n <= 10**4 else []

        def loop():
            return jax.block_until_ready([single(element) for element in elements])

        run = ready(mapped, x)
        return {"fresh": Latest(run), "kept": Kept(run), "loop": loop}

    return case


def lorenz(dtype, n, steps):
    h = dtype(0.001)
    sigma, rho, beta = dtype(10), dtype(28), dtype(8 / 3)

    def derivative(s):
        return jnp.stack([sigma * (s[1] - s[0]), s[0] * (rho - s[2]) - s[1], s[0] * s[1] - beta * s[2]])

    def step(s, _):
        k1 = derivative(s)
        k2 = derivative(s + h / 2 * k1)
        k3 = derivative(s + h / 2 * k2)
        k4 = derivative(s + h * k3)
        return s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

    def final(initial):
        return jax.lax.scan(step, initial, None, length=steps)[0]

    return {"fresh": Latest(ready(jax.jit(jax.vmap(final)), jnp.asarray(input_numbers((n, 3), 10, dtype))))}


def moments(dtype, n, length):
    f = jax.jit(jax.vmap(lambda x: (x.mean(), x.std(), x.min(), x.max())))
    return {"fresh": ready(f, jnp.asarray(input_numbers((n, length), 1, dtype)))}


def total(dtype, n):
    f = jax.jit(jax.vmap(lambda x: jax.lax.psum(x, "i"), axis_name="i", out_axes=None))
    return {"sum": ready(f, jnp.asarray(input_numbers(n, 1, dtype) + dtype(1)))}


def batch(dtype, rows, length):
    """The rows of a batch on the devices, as many on each; `one`: all on the first one."""

    def on(devices):
        f = jax.pmap(jax.vmap(heavy_task), devices=devices)
        x = input_numbers((rows, length), 1000, dtype).reshape(len(devices), rows // len(devices), length)
        return Latest(ready(f, jax.block_until_ready(jax.pmap(lambda x: x, devices=devices)(x))))

    return {"pmap": on(jax.devices()), "one": on(jax.devices()[:1])}


class Draws:
    """Uniform numbers of the keys 1, 2, 3, …, in fresh memory or in that of the numbers before."""

    def __init__(self, dtype, n, given):
        self.n, self.draws = n, 0
        if given:
            # An input that may be given away makes room for the output.
            self.f = jax.jit(lambda key, old: jax.random.uniform(key, (n,), dtype), donate_argnums=1, keep_unused=True)
            self.numbers = jnp.zeros(n, dtype)
        else:
            f = jax.jit(lambda key: jax.random.uniform(key, (n,), dtype))
            self.f = lambda key, old: f(key)
            self.numbers = None

    def __call__(self):
        self.draws += 1
        self.numbers = jax.block_until_ready(self.f(jax.random.key(self.draws), self.numbers))
        return self.numbers


def random(dtype, n):
    return {"fresh": Draws(dtype, n, given=False), "given": Draws(dtype, n, given=True)}


if __name__ == "__main__":
    serve({"square": elementwise(square_of, 100), "heavy": elementwise(heavy_task, 1000), "lorenz": lorenz, "moments": moments,
           "sum": total, "batch": batch, "random": random})
