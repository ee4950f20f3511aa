"""Goldens that are groups: named cases of attributes, all of them text, and arrays. `cases` is {name: (attributes, arrays)}.
Used by the scripts that make them (import it by sys.path, they are run as files)."""

import argparse

import h5py
import numpy as np


def stored(array):
    """The array as the file has it: booleans as u1, little-endian."""
    array = array.astype("u1") if array.dtype == bool else array
    return array.astype(array.dtype.newbyteorder("<"))


def write(path, cases):
    with h5py.File(path, "w", libver=("v110", "v110")) as file:
        for name, (attributes, arrays) in cases.items():
            group = file.create_group(name)
            for key, value in attributes.items():
                if value:
                    group.attrs.create(key, np.bytes_(value))
            for key, array in arrays.items():
                group.create_dataset(key, data=stored(array), track_times=False)


def differences(path, cases):
    """What differs between the file and the cases, as lines of text."""
    with h5py.File(path, "r") as file:
        for name in sorted(set(file) ^ set(cases)):
            yield f"{name}: {'not in the file' if name in cases else 'only in the file'}"
        for name in sorted(set(file) & set(cases)):
            yield from differences_of(name, file[name], *cases[name])


def differences_of(name, group, attributes, arrays):
    have = {key: bytes(value).decode() for key, value in group.attrs.items()}
    if have != {key: value for key, value in attributes.items() if value}:
        yield f"{name}: attributes differ: {have} instead of {attributes}"
    if set(group) != set(arrays):
        yield f"{name}: has {sorted(group)} instead of {sorted(arrays)}"
        return
    for key, array in arrays.items():
        there, wanted = group[key][()], stored(array)
        if there.dtype != wanted.dtype or there.shape != wanted.shape or not np.array_equal(there, wanted):
            yield f"{name}/{key}: differs"


def make_or_check(make, kind, path):
    """What such a script does: writes the cases that make() gives to `path`, or with --check FILE compares. Prints how many there are
    by their attribute `kind`. Returns the exit status."""
    parser = argparse.ArgumentParser(description="Makes goldens, or checks a file of them.")
    parser.add_argument("--check", metavar="FILE", help="compare with this file instead of writing")
    arguments = parser.parse_args()
    cases = make()
    kinds = [attributes[kind] for attributes, _ in cases.values()]
    print(f"{len(cases)} cases:", ", ".join(f"{k} {kinds.count(k)}" for k in sorted(set(kinds))))
    if arguments.check is None:
        write(path, cases)
        return 0
    lines = list(differences(arguments.check, cases))
    print("\n".join(lines) if lines else "no difference")
    return 1 if lines else 0
