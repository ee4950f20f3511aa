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
    rows = [dataclasses.replace(row, goal=with_margin(row.holds or row.goal)) for row in comparison.rows if row.goal and row.gate]
    names = set().union(*(row.names() for row in rows))
    return dataclasses.replace(comparison, rows=rows, runs={name: run for name, run in comparison.runs.items() if name in names})


def fails(result):
    return [row for row in result["rows"] if row["verdict"] in ("missed", "wrong")]


def attempts(peers, comparison, turns, folder):
    """What fails is measured again: noise of a machine that does other things passes, a loss of speed does not."""
    for _ in range(ATTEMPTS):
        result = measure(peers, comparison, turns, 1, folder)
        if not fails(result):
            break
    return result


def measure_gate(peers, turns, folder, only, timed):
    """Results of all comparisons that have a goal and are steady."""
    results = []
    for comparison in map(gated, all_comparisons()):
        if not comparison.rows or only not in comparison.work:
            continue
        results.append(timed(comparison.work, attempts, peers, comparison, turns, folder))
    if only in "accuracy":
        results.append(timed("accuracy", accuracy, peers, True, folder))
    return results
