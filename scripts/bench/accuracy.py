"""How far kmap's sine and cosine are from the true values, in units of the last place (ULP)."""

import numpy

from comparisons import Run
from measure import meets, result_of
from serve import TYPES, bit_patterns, input_numbers

FUNCTIONS = {"sine": numpy.sin, "cosine": numpy.cos}
NEAR = 10**5


def true_values(f, x):
    """In extended precision, or None where the machine has none that is wide enough."""
    wide = numpy.longdouble
    if numpy.finfo(wide).nmant < numpy.finfo(x.dtype).nmant + 8:
        return None
    with numpy.errstate(invalid="ignore"):
        return f(x.astype(wide))


def greatest_error(result, truth):
    """In ULP of the result's type; infinite where a NaN is not one or the other way round."""
    if not numpy.array_equal(numpy.isnan(result), numpy.isnan(truth)):
        return numpy.inf
    numbers = ~numpy.isnan(truth)
    result, truth = result[numbers], truth[numbers]
    unit = numpy.spacing(numpy.abs(truth.astype(result.dtype)))
    return float((numpy.abs(result - truth) / unit).max())


def accuracy(peers, quick, folder):
    """Rows as those of comparisons."""
    n = 10**5 if quick else 10**6
    ranges = {f"abs(x) <= {NEAR:.0e}".replace("e+0", "e"): NEAR, "all numbers, NaN and infinities": 0}
    rows = []
    for t in ("f8", "f4"):
        for name, f in FUNCTIONS.items():
            for text, greatest in ranges.items():
                x = input_numbers(n, greatest, TYPES[t]) if greatest else bit_patterns(n, TYPES[t])
                truth = true_values(f, x)
                row = {"ratio": f"{name} {t}, {text}: error in ULP", "goal": "<= 2", "gate": True, "measured": None,
                       "verdict": "", "note": ""}
                if truth is None:
                    row |= {"verdict": "not here", "note": "no extended precision to compare with"}
                else:
                    error = greatest_error(result_of(peers, Run("kmap", f"{name} kmap {t} {n} {greatest}"), folder), truth)
                    row |= {"measured": error, "verdict": "met" if meets(error, row["goal"]) else "missed"}
                rows.append(row)
    return {"work": f"accuracy of {n} values", "rows": rows, "ways": {}}
