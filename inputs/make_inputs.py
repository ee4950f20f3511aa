#!/usr/bin/env python3
"""Makes the input files of this folder (needs numpy and h5py): python3 inputs/make_inputs.py"""

import pathlib

import h5py
import numpy as np

folder = pathlib.Path(__file__).resolve().parent


def write(name, datasets):
    with h5py.File(folder / name, "w") as file:
        for path, (values, description) in datasets.items():
            dataset = file.create_dataset(path, data=values)
            dataset.attrs["description"] = description


write(
    "tutorial.h5",
    {
        "/x": (np.arange(1, 6, dtype=np.int32), "the vector 1 to 5"),
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
