#!/usr/bin/env python3
"""Makes goldens/spectrogram.h5, what SciPy makes of 32 s of LIGO Hanford's strain around GW150914 (needs numpy, scipy, h5py):

    python3 tests/jobs/make_goldens.py SHARED/data/gw150914_H1_4khz_32s.hdf5

The file is that of https://gwosc.org. The same golden comes out each time.
"""

import pathlib
import sys

import h5py
from scipy import signal

RATE, WINDOW, STRIDE = 4096.0, 4096, 2048
EVERY = 16  # bins of the spectrum

with h5py.File(sys.argv[1]) as file:
    strain = file["/strain/Strain"][()]

frequency, time, power = signal.spectrogram(strain, fs=RATE, window="hann", nperseg=WINDOW, noverlap=WINDOW - STRIDE,
                                            detrend="constant", scaling="density", mode="psd")
power = power.T  # by window, then by frequency
assert power.shape == ((len(strain) - WINDOW) // STRIDE + 1, WINDOW // 2 + 1)

folder = pathlib.Path(__file__).resolve().parent / "goldens"
folder.mkdir(exist_ok=True)
with h5py.File(folder / "spectrogram.h5", "w") as file:
    for name, values in (("power", power[:, ::EVERY]), ("largest", power.max(axis=1)), ("frequency", frequency[::EVERY])):
        file.create_dataset(name, data=values, dtype="<f8", track_times=False)
