"""A check before a release: the steady ratios, with room for noise."""

import dataclasses

from accuracy import accuracy
from comparisons import all_comparisons
from measure import measure

# Ratios of medians on a machine that does other things as well.
MARGIN = 0.1
ATTEMPTS = 3


def with_margin(goal):
    compare, bound = goal.split()
    return f"{compare} {float(bound) * (1 - MARGIN if compare == '>=' else 1 + MARGIN):.4g}"


def gated(comparison):
    """The same with the rows of the gate alone, and the ways that these need."""
    rows = [dataclasses.replace(row, goal=with_margin(row.goal)) for row in comparison.rows if row.goal and row.gate]
    names = set().union(*(row.names() for row in rows))
    return dataclasses.replace(comparison, rows=rows, runs={name: run for name, run in comparison.runs.items() if name in names})


def fails(result):
    return [row for row in result["rows"] if row["verdict"] in ("missed", "wrong")]


def measure_gate(peers, turns, warm_up, folder, only, say):
    """Results of all comparisons; one that fails is measured again, since noise only ever takes speed away."""
    results = []
    for comparison in map(gated, all_comparisons()):
        if not comparison.rows or only not in comparison.work:
            continue
        say(comparison.work)
        for _ in range(ATTEMPTS):
            result = measure(peers, comparison, turns, warm_up, folder)
            if not fails(result):
                break
        results.append(result)
    if only in "accuracy":
        results.append(accuracy(peers, True, folder))
    return results
