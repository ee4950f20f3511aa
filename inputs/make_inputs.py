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
