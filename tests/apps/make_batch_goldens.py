#!/usr/bin/env python3
"""Makes goldens/*.h5 for the kernels in apps/ that look at the whole batch (needs numpy, scipy, scikit-learn and h5py):

    python3 tests/apps/make_batch_goldens.py

Nothing here uses kmap. The same files come out each time.
"""

import numpy as np
from scipy import stats
from sklearn.cluster import KMeans

from make_goldens import INTEGERS, write

np.seterr(all="ignore")


# ---- center and standardize: in extended precision, rounded once


def scores(x, ddof=0):
    """Of each column; SciPy's own in f8 has the same, within the rounding of its means."""
    wide = x.astype(np.longdouble)
    result = ((wide - wide.mean(axis=0)) / wide.std(axis=0, ddof=ddof)).astype(x.dtype)
    constant = (x == x[0]).all(axis=0)
    result[..., constant] = np.nan
    assert np.allclose(result, stats.zscore(x.astype("f8"), ddof=ddof), rtol=1e-5, atol=1e-5, equal_nan=True)
    return result


def make_center():
    random = np.random.default_rng(1894)
    arrays = {}
    for dtype in ("f4", "f8"):
        columns = [random.normal(0, 1, 1100), random.uniform(0, 1e-3, 1100), 1000 + random.normal(0, 2, 1100)]
        x = np.stack(columns, axis=1).astype(dtype)
        special = np.array([[1.5, 0.1, np.nan], [2.0, 0.1, 1.0], [-7.0, 0.1, 2.0]], dtype=dtype)
        for name, values in (("many", x), ("special", special), ("one", x[:1]), ("two", x[:2])):
            wide = values.astype(np.longdouble)
            arrays[f"/{dtype}/{name}/x"] = values
            arrays[f"/{dtype}/{name}/centred"] = (wide - wide.mean(axis=0)).astype(dtype)
            arrays[f"/{dtype}/{name}/score"] = scores(values)
            if len(values) > 1:
                arrays[f"/{dtype}/{name}/sample_score"] = scores(values, ddof=1)
    x = np.array([1.0, 2.0, 4.0])
    arrays["/three/x"] = x
    for ddof in (2, 3, 5):
        arrays[f"/three/{ddof}"] = stats.zscore(x, ddof=ddof)
    write("center.h5", arrays)


# ---- life: the cells of a whole line


def life(cells, rule, steps, boundary):
    table = (rule >> np.arange(8)) & 1
    for _ in range(steps):
        left, right = np.roll(cells, 1), np.roll(cells, -1)
        if boundary == "zeros":
            left[0] = right[-1] = 0
        cells = table[4 * left + 2 * cells + right].astype("u1")
    return cells


LIFE_RULES = [1, 2, 4, 8, 16, 32, 64, 128, 30, 90, 110, 184]


def make_life():
    random = np.random.default_rng(1983)
    cells = random.integers(0, 2, 60, dtype="u1")
    assert len({tuple(np.roll(cells, i)[:3]) for i in range(60)}) == 8  # every neighbourhood
    arrays = {"/cells": cells}
    for rule in LIFE_RULES:
        for boundary in ("periodic", "zeros"):
            for steps in (1, 12):
                arrays[f"/{boundary}/{steps}/{rule}"] = life(cells, rule, steps, boundary)
    for size in (1, 2, 3):
        short = np.array([1, 0, 1], dtype="u1")[:size]
        arrays[f"/short/{size}/cells"] = short
        for boundary in ("periodic", "zeros"):
            arrays[f"/short/{size}/{boundary}"] = life(short, 110, 5, boundary)
    line = random.integers(0, 2, 1300, dtype="u1")
    arrays["/long/cells"] = line
    arrays["/long/30"] = life(line, 30, 5, "periodic")
    write("life.h5", arrays)


# ---- heat: the whole grid, operation by operation as the kernel does it


def heat(u, number, steps, boundary):
    r = u.dtype.type(number)
    for _ in range(steps):
        up, down = np.roll(u, 1, axis=0), np.roll(u, -1, axis=0)
        left, right = np.roll(u, 1, axis=1), np.roll(u, -1, axis=1)
        new = u + r * (up + down + left + right - 4 * u)
        if boundary == "fixed":
            inside = (slice(1, -1), slice(1, -1))
            new, new[inside] = u.copy(), new[inside]
        u = new
    return u


def make_heat():
    random = np.random.default_rng(1822)
    arrays = {}
    for dtype in ("f4", "f8"):
        for name, shape in (("grid", (24, 10)), ("tall", (480, 5)), ("column", (7, 1)), ("cell", (1, 1))):
            u = random.normal(20, 10, shape).astype(dtype)
            arrays[f"/{dtype}/{name}/initial"] = u
            for boundary in ("fixed", "periodic"):
                arrays[f"/{dtype}/{name}/{boundary}"] = heat(u, 0.2, 6, boundary)
        # NaN reaches as many cells far as there are steps.
        u = random.normal(size=(12, 11)).astype(dtype)
        u[5, 5] = np.nan
        arrays[f"/{dtype}/nan/initial"] = u
        arrays[f"/{dtype}/nan/periodic"] = heat(u, 0.2, 2, "periodic")
        assert np.isnan(arrays[f"/{dtype}/nan/periodic"]).sum() == 13
    # A wave of the periodic grid stays one: its amplitude is multiplied by 1 - 4 r (sin² + sin²) in each step.
    rows, columns, p, q, r, steps = 16, 12, 3, 2, 0.15, 20
    row, column = np.mgrid[0:rows, 0:columns]
    wave = np.cos(2 * np.pi * (p * row / rows + q * column / columns))
    factor = 1 - 4 * r * (np.sin(np.pi * p / rows) ** 2 + np.sin(np.pi * q / columns) ** 2)
    arrays["/wave/initial"] = wave
    arrays["/wave/final"] = factor**steps * wave
    assert np.allclose(heat(wave, r, steps, "periodic"), arrays["/wave/final"], rtol=0, atol=1e-14)
    write("heat.h5", arrays)


# ---- k_means: scikit-learn's Lloyd from the same start


def lloyd(x, start, iterations, tolerance=0.0):
    """`tolerance`: of the root of the sum of the squares of all centres' moves."""
    tol = tolerance**2 / x.var(axis=0).mean()  # scikit-learn's is of the sum, in units of the mean variance
    model = KMeans(len(start), init=start, n_init=1, max_iter=iterations, tol=tol, algorithm="lloyd").fit(x)
    return model.labels_.astype("i4"), model.cluster_centers_, model.n_iter_


def clusters(random, centres, width, count):
    """Points around centres, and of each kind one to start from, none of which loses all its points."""
    centres = np.array(centres, dtype="f8")
    points = centres[random.integers(0, len(centres), count)] + width * random.normal(size=(count, centres.shape[1]))
    return points, points[random.permutation(count)[: len(centres)]]


def make_k_means():
    random = np.random.default_rng(1982)
    cases = {
        "clear": clusters(random, [[0, 0], [10, 0], [0, 10], [10, 10]], 1, 300),
        "overlapping": clusters(random, [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2], [1, 1, 1]], 1, 1100),
        "line": clusters(random, [[-3], [4]], 1, 50),
    }
    arrays = {}
    for dtype in ("f4", "f8"):
        for name, (points, start) in cases.items():
            x, begin = points.astype(dtype), start.astype(dtype)
            arrays[f"/{dtype}/{name}/points"] = x
            arrays[f"/{dtype}/{name}/start"] = begin
            for iterations in (1, 3, 300):
                labels, centres, count = lloyd(x.astype("f8"), begin.astype("f8"), iterations)
                assert len(set(labels)) == len(start) and (count < 300)
                arrays[f"/{dtype}/{name}/{iterations}/labels"] = labels
                arrays[f"/{dtype}/{name}/{iterations}/centres"] = centres.astype(dtype)
    x, begin = cases["overlapping"]
    labels, centres, count = lloyd(x, begin, 300, tolerance=0.2)
    assert 3 < count < lloyd(x, begin, 300)[2] - 3
    arrays["/tolerance/labels"], arrays["/tolerance/centres"] = labels, centres
    write("k_means.h5", arrays)


# ---- matmul


def make_matmul():
    random = np.random.default_rng(1858)
    arrays = {}
    for dtype in INTEGERS:  # sums wrap around
        info = np.iinfo(dtype)
        a, b = (random.integers(info.min, info.max, shape, dtype, endpoint=True) for shape in ((9, 6), (6, 4)))
        arrays[f"/{dtype}/a"], arrays[f"/{dtype}/b"], arrays[f"/{dtype}/product"] = a, b, a @ b
    for dtype in ("f4", "f8", "c8", "c16"):
        a, b = (random.normal(size=(2, *shape)) for shape in ((9, 6), (6, 4)))
        a, b = (z[0] + 1j * z[1] if dtype[0] == "c" else z[0] for z in (a, b))
        a, b = a.astype(dtype), b.astype(dtype)
        wide = np.clongdouble if dtype[0] == "c" else np.longdouble
        arrays[f"/{dtype}/a"], arrays[f"/{dtype}/b"] = a, b
        arrays[f"/{dtype}/product"] = (a.astype(wide) @ b.astype(wide)).astype(dtype)
    write("matmul.h5", arrays)


if __name__ == "__main__":
    make_k_means()
    make_matmul()
    make_center()
    make_life()
    make_heat()
