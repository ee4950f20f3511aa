"""Where and with what the figures were measured."""

import importlib.metadata
import json
import os
import pathlib
import platform
import re

PACKAGES = ("jax", "jaxlib", "numpy", "numexpr", "numba", "h5py", "matplotlib")


def first_match(path, pattern):
    found = re.search(pattern, pathlib.Path(path).read_text(), re.MULTILINE) if pathlib.Path(path).exists() else None
    return found[1] if found else "unknown"


def vector_width():
    flags = first_match("/proc/cpuinfo", r"^flags\s*:(.*)$").split()
    return next((name for name in ("avx512f", "avx2", "sse2") if name in flags), "unknown")


def describe(peers):
    about = json.loads(peers["kmap"].ask("about"))
    return {
        "processor": first_match("/proc/cpuinfo", r"^model name\s*: (.*)$"),
        "vectors": vector_width(),
        "cores": peers.threads,
        "memory_kB": int(first_match("/proc/meminfo", r"^MemTotal:\s*(\d+)")),
        "system": f"{platform.system()} {platform.release()}",
        "C library": " ".join(platform.libc_ver()),
        "huge pages": first_match("/sys/kernel/mm/transparent_hugepage/enabled", r"\[(\w+)\]"),
        "load before": os.getloadavg()[0],
        "program": about,
        "python": {"python": platform.python_version()} | {name: importlib.metadata.version(name) for name in PACKAGES},
    }
