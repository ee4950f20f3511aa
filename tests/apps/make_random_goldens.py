#!/usr/bin/env python3
"""Makes goldens/*.h5 for the kernels in apps/ that draw random numbers (needs numpy, scipy, h5py and jax):

    python3 tests/apps/make_random_goldens.py

The random numbers are JAX's, from the keys that the examples of a batch get; what is made of them is NumPy's. The same files come
out each time.
"""

import jax
import numpy as np
from scipy import stats

from make_goldens import write

jax.config.update("jax_enable_x64", True)


def keys_of(seed, count):
    """Of the examples of a batch."""
    return jax.random.split(jax.random.key(seed), count)


# ---- monte_carlo_pi


def make_monte_carlo_pi():
    arrays = {}
    for seed, replicates, samples in ((0, 13, 1000), (42, 1, 257), (42, 1100, 40), (2**40 + 3, 5, 1)):
        estimates = []
        for key in keys_of(seed, replicates):
            x, y = np.asarray(jax.random.uniform(key, (samples, 2), dtype="f8")).T
            estimates.append(4 * np.count_nonzero(x * x + y * y < 1) / samples)
        at = f"/{seed}/{replicates}/{samples}"
        arrays[f"{at}/pi"] = np.array(estimates)
        arrays[f"{at}/mean"] = np.mean(np.array(estimates, dtype=np.longdouble)).astype("f8")
        assert samples == 1 or abs(np.mean(estimates) - np.pi) < 4 * np.sqrt(np.pi * (4 - np.pi) / (replicates * samples))
    write("monte_carlo_pi.h5", arrays)


# ---- option_price

CALL, PUT, ASIAN_CALL, ASIAN_PUT = range(4)


def black_scholes(spot, strike, rate, volatility, maturity, kind):
    """F. Black, M. Scholes, The pricing of options and corporate liabilities, 1973."""
    spread = volatility * np.sqrt(maturity)
    d1 = (np.log(spot / strike) + (rate + volatility**2 / 2) * maturity) / spread
    d2 = d1 - spread
    sign = np.where(kind == CALL, 1.0, -1.0)
    discounted = strike * np.exp(-rate * maturity)
    return sign * (spot * stats.norm.cdf(sign * d1) - discounted * stats.norm.cdf(sign * d2))


def simulated(spot, strike, rate, volatility, maturity, kind, normals):
    """Price and standard error from `normals` of shape (paths, steps): the logarithm of the price walks."""
    paths, steps = normals.shape
    dt = maturity / steps
    walk = np.cumsum((rate - volatility**2 / 2) * dt + volatility * np.sqrt(dt) * normals, axis=1)
    prices = spot * np.exp(walk)
    settled = prices.mean(axis=1) if kind in (ASIAN_CALL, ASIAN_PUT) else prices[:, -1]
    gain = settled - strike if kind in (CALL, ASIAN_CALL) else strike - settled
    payoff = np.exp(-rate * maturity) * np.maximum(gain, 0)
    return payoff.mean(), payoff.std(ddof=1) / np.sqrt(paths)


def make_option_price():
    random = np.random.default_rng(1973)
    n, paths, steps, seed = 40, 3000, 12, 5
    table = {
        "spot": random.uniform(60, 140, n),
        "strike": random.uniform(80, 120, n),
        "rate": random.uniform(-0.01, 0.08, n),
        "volatility": random.uniform(0.05, 0.6, n),
        "maturity": random.uniform(0.1, 3, n),
        "kind": (np.arange(n) % 4).astype("i4"),
    }
    results = []
    for i, key in enumerate(keys_of(seed, n)):
        normals = np.asarray(jax.random.normal(key, (paths, steps), dtype="f8"))
        results.append(simulated(*(column[i] for column in table.values()), normals))
    arrays = {f"/contracts/{name}": column for name, column in table.items()}
    arrays["/price"], arrays["/standard_error"] = np.array(results).T
    exact = black_scholes(*table.values())
    exact[table["kind"] >= ASIAN_CALL] = np.nan
    arrays["/black_scholes"] = exact
    european = table["kind"] < ASIAN_CALL
    assert (np.abs(arrays["/price"] - exact)[european] <= 4 * arrays["/standard_error"][european]).all()
    write("option_price.h5", arrays)


# ---- bootstrap


def make_bootstrap():
    random = np.random.default_rng(1979)
    arrays = {}
    seed, replicates = 8, 21
    probabilities = np.array([0, 0.025, 0.25, 0.5, 0.9, 0.975, 1])
    arrays["/probabilities"] = probabilities
    for dtype in ("f4", "f8"):
        cases = {
            "some": random.lognormal(size=37),
            "many": random.normal(5, 2, 1500),
            "one": np.array([2.5]),
            "equal": np.full(10, 0.1),
            "nan": np.array([1.0, np.nan, 3.0, 4.0]),
        }
        for name, x in cases.items():
            x = x.astype(dtype)
            means, quantiles = [], []
            for key in keys_of(seed, replicates):
                resample = x[np.asarray(jax.random.randint(key, x.shape, 0, x.size, dtype="i8"))]
                means.append(resample.astype("f8").mean())
                quantiles.append(np.quantile(resample.astype("f8"), probabilities))
            at = f"/{dtype}/{name}"
            arrays[f"{at}/x"] = x
            arrays[f"{at}/mean"] = np.array(means).astype(dtype)
            arrays[f"{at}/quantiles"] = np.array(quantiles).astype(dtype)
    write("bootstrap.h5", arrays)


if __name__ == "__main__":
    make_monte_carlo_pi()
    make_option_price()
    make_bootstrap()
