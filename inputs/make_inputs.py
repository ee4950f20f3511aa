#!/usr/bin/env python3
"""Makes the input files of this folder (needs numpy and h5py): python3 inputs/make_inputs.py"""

import pathlib

import h5py
import numpy as np

folder = pathlib.Path(__file__).resolve().parent


def write(name, datasets):
    with h5py.File(folder / name, "w") as file:
        for path, (values, description, *attributes) in datasets.items():
            dataset = file.create_dataset(path, data=values)
            dataset.attrs["description"] = description
            for key, value in dict(*attributes).items():
                dataset.attrs[key] = value


write(
    "tutorial.h5",
    {
        "/x": (np.arange(1, 6, dtype=np.int32), "the vector 1 to 5"),
        "/angle": (np.arange(15.0, 90.0, 15.0), "the angles 15 to 75", {"units": "degree"}),
        "/batch": (
            np.arange(10_000, dtype=np.int32).reshape(10, 1000),
            "ten examples of 1000 values, 0 to 9999",
        ),
    },
)

random = np.random.default_rng(1963)
write(
    "lorenz.h5",
    {
        "/initial": (
            np.array([1.0, 1.0, 25.0]) + random.normal(0.0, 0.5, size=(1000, 3)),
            "1000 initial states x, y, z around (1, 1, 25)",
        )
    },
)


# ---- A recording such as a gravitational-wave detector makes: noise that is loud at low frequencies, two lines of the mains, and in
# it a chirp, whose frequency rises as that of two bodies that spiral into each other.
random = np.random.default_rng(2015)
rate = 4096.0
length = 32768
chirp = {"chirp_start": 5.0, "chirp_duration": 1.0, "chirp_first_frequency": 40.0, "chirp_last_frequency": 400.0}


def coloured_noise():
    """Of amplitude density 1e-22 / sqrt(Hz) at 100 Hz, falling with frequency, level above."""
    frequency = np.fft.rfftfreq(length, 1 / rate)
    level = 1e-22 * np.sqrt((100.0 / np.maximum(frequency, 10.0)) ** 4 + 1)
    parts = random.normal(size=(2, frequency.size)) * np.sqrt(rate * length) / 2
    return np.fft.irfft(level * (parts[0] + 1j * parts[1]), length)


def chirp_signal(time):
    """f(t) = (a - b t)^(-3/8) from the first to the last frequency, the amplitude as f^(2/3)."""
    first, last = chirp["chirp_first_frequency"], chirp["chirp_last_frequency"]
    a = first ** (-8 / 3)
    b = (a - last ** (-8 / 3)) / chirp["chirp_duration"]
    since = time - chirp["chirp_start"]
    inside = (since >= 0) & (since < chirp["chirp_duration"])
    rest = np.where(inside, a - b * since, a)
    phase = 2 * np.pi * (a ** (5 / 8) - rest ** (5 / 8)) * 8 / (5 * b)
    return np.where(inside, 3e-21 * (rest ** (-3 / 8) / first) ** (2 / 3) * np.sin(phase), 0.0)


time = np.arange(length) / rate
mains = 6e-21 * np.sin(2 * np.pi * 60 * time + 0.3) + 2e-21 * np.sin(2 * np.pi * 180 * time + 1.1)
write(
    "strain.h5",
    {
        "/strain": (
            coloured_noise() + mains + chirp_signal(time),
            "8 s of a synthetic detector's strain: coloured noise, mains at 60 and 180 Hz, a chirp",
            {"units": "1", "sample_rate": rate, "mains": [60.0, 180.0], **chirp},
        )
    },
)

# ---- One living cell in a line of them.
cells = np.zeros(512, dtype=np.uint8)
cells[-1] = 1
write("life.h5", {"/cells": (cells, "512 cells of a line, of which the last is alive")})

# ---- A plate that is cold but for a hot disc.
row, column = np.mgrid[0:64, 0:48]
disc = (row - 24) ** 2 + (column - 20) ** 2 < 100
write("plate.h5", {"/temperature": (np.where(disc, 100.0, 20.0), "of 64 x 48 points of a plate", {"units": "degC"})})

# ---- Points around four places, and four of them to begin a search for these.
random = np.random.default_rng(1982)
places = np.array([[0.0, 0.0], [6.0, 1.0], [2.0, 5.0], [7.0, 7.0]])
points = places[random.integers(0, 4, 400)] + random.normal(size=(400, 2))
write(
    "clusters.h5",
    {"/points": (points, "400 points around four places of a plane"), "/start": (points[:4], "four of them")},
)

# ---- Contracts.
random = np.random.default_rng(1973)
count = 24
contracts = {
    "spot": (np.full(count, 100.0), "price of the underlying now"),
    "strike": (np.repeat([80.0, 90.0, 100.0, 105.0, 110.0, 120.0], 4), "price at which it may be bought or sold"),
    "rate": (np.full(count, 0.03), "riskless interest per year"),
    "volatility": (np.round(random.uniform(0.1, 0.5, count), 2), "per square root of a year"),
    "maturity": (np.tile([0.25, 0.5, 1.0], 8), "in years"),
    "kind": (np.tile(np.arange(4, dtype=np.int32), 6), "0 call, 1 put, 2 Asian call, 3 Asian put"),
}
write("contracts.h5", {f"/contracts/{name}": column for name, column in contracts.items()})

# ---- A sample whose distribution is skew, and probabilities of quantiles.
random = np.random.default_rng(1979)
write(
    "sample.h5",
    {
        "/x": (random.lognormal(3, 0.8, 200), "200 values of a lognormal distribution, whose median is e^3"),
        "/probabilities": (np.array([0.05, 0.5, 0.95]), "of quantiles"),
    },
)

# ---- Matrices.
row, column = np.mgrid[0:8, 0:5]
write(
    "matrices.h5",
    {
        "/a": (1.0 + row + column, "of 8 x 5"),
        "/b": (np.eye(5, 3) + np.eye(5, 3, -1), "of 5 x 3: each column adds two columns of a"),
    },
)
