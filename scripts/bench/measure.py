"""Measures comparisons: checks that all ways give the same results, lets them take turns, and forms ratios of medians."""

import operator
import pathlib
import statistics
import time

import numpy

from peers import Absent
from serve import TYPES

# So long the threads of the program before spin in expectation of more work.
REST = 3e-3


def result_of(peers, run, folder):
    path = pathlib.Path(folder) / "result"
    peers[run.peer].ask(f"write {path} {run.request}")
    result = numpy.fromfile(path, TYPES[run.request.split()[2]])
    path.unlink()
    return result


def difference(result, reference, tolerance):
    """How far the two are apart, in units of the greatest number."""
    if result.shape != reference.shape:
        return numpy.inf
    if tolerance == 0:
        return 0.0 if result.tobytes() == reference.tobytes() else numpy.inf
    apart = numpy.abs(result - reference).max() / numpy.abs(reference).max()
    return float(apart) if numpy.isfinite(apart) else numpy.inf


def check(peers, comparison, folder):
    """Which ways there are, and what is wrong with others, by name: they are absent, or their results differ."""
    absent, wrong, reference = {}, {}, None
    for name, run in comparison.runs.items():
        try:
            if run.tolerance is None:
                peers[run.peer].ask(f"time {run.request}")
                continue
            result = result_of(peers, run, folder)
        except Absent as reason:
            absent[name] = str(reason)
            continue
        if reference is None:
            reference = result
        apart = difference(result, reference, run.tolerance)
        if apart > run.tolerance:
            wrong[name] = f"results differ from those of {next(iter(comparison.runs))} by {apart:.1e}, not {run.tolerance:.1e}"
    return absent, wrong


def take_turns(peers, runs, turns, warm_up):
    """Seconds of every way in every turn. Every other turn goes backwards, so that nobody always follows the same one."""
    samples = {name: [] for name in runs}
    for turn in range(warm_up + turns):
        for name in list(runs) if turn % 2 == 0 else reversed(runs):
            time.sleep(REST)
            seconds = float(peers[runs[name].peer].ask(f"time {runs[name].request}"))
            if turn >= warm_up:
                samples[name].append(seconds)
    return samples


def meets(value, goal):
    compare, bound = goal.split()
    return {">=": operator.ge, "<=": operator.le}[compare](value, float(bound))


def ratio_of(row, samples):
    """None where one of the ways is absent."""
    if not row.names() <= samples.keys():
        return None
    over, under = ([statistics.median(samples[name]) for name in group] for group in row.groups())
    return max(over) / min(under)


def verdict(row, value):
    if not row.goal:
        return ""
    if value is None:
        return "not here"
    return "met" if meets(value, row.goal) else "missed"


def row_result(row, samples, absent, wrong):
    value = ratio_of(row, samples)
    result = {"ratio": row.text, "goal": row.goal, "measured": value, "verdict": verdict(row, value), "gate": row.gate}
    notes = [f"{name}: {why}" for name, why in (absent | wrong).items() if name in row.names()]
    if row.names() & wrong.keys():
        result["verdict"] = "wrong"
    elif row.where and value is not None and not meets(ratio_of(row.where, samples) or 0, row.where.goal):
        result["verdict"] = "does not apply"
        notes.append(f"the condition {row.where.goal} is not met: {ratio_of(row.where, samples):.2f}")
    return result | {"note": "; ".join(notes)}


def measure(peers, comparison, turns, warm_up, folder):
    """All of one comparison, as it goes into the JSON file."""
    peers.forget()
    absent, wrong = check(peers, comparison, folder)
    runs = {name: run for name, run in comparison.runs.items() if name not in absent}
    samples = take_turns(peers, runs, turns, warm_up) if runs else {}
    peers.forget()
    return {
        "work": comparison.work,
        "rows": [row_result(row, samples, absent, wrong) for row in comparison.rows],
        "ways": {name: {"peer": peers.full_name(run.peer), "request": run.request,
                        "median": statistics.median(samples[name]) if name in samples else None,
                        "seconds": samples.get(name, []), "absent": absent.get(name, ""), "wrong": wrong.get(name, "")}
                 for name, run in comparison.runs.items()},
    }
