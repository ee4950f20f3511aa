#!/usr/bin/env python3
"""Measures kmap beside other ways to do the same work; scripts/bench.sh calls it, docs/performance.md explains it.

All ways of a comparison do the same work on the same data with the same number of threads, one after the other in turns; shown
are ratios of medians. Before that their outputs are compared.
"""

import argparse
import os
import pathlib
import tempfile
import time

import accuracy
import comparisons
import gate
import machine
import measure
import model
import plots
import report
import series
from peers import Peers

ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="folder of the build")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/bench-results", help="folder of the results")
    parser.add_argument("--pairs", type=int, help="turns that count (15, with --quick 5)")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of every way (all cores)")
    parser.add_argument("--quick", action="store_true", help="fewer turns and smaller plots")
    parser.add_argument("--only", default="", metavar="TEXT", help="only comparisons with TEXT in their name, and no plots")
    parser.add_argument("--gate", action="store_true", help="only the steady ratios; status 1 where one is missed")
    parser.add_argument("--update-docs", action="store_true", help="put the figures and plots into docs/")
    chosen = parser.parse_args()
    if chosen.update_docs and (chosen.only or chosen.gate):
        parser.error("--update-docs needs all comparisons, without --only or --gate")
    chosen.pairs = chosen.pairs or (5 if chosen.quick else 15)
    return chosen


def timed(text, f, *args):
    """f(*args), with a line that says how long it took."""
    print(f"  {text} … ", end="", flush=True)
    start = time.perf_counter()
    result = f(*args)
    print(f"{time.perf_counter() - start:.0f} s", flush=True)
    return result


def measure_all(peers, chosen, folder):
    warm_up = 1 if chosen.quick else 2
    results = []
    for comparison in comparisons.all_comparisons():
        if chosen.only in comparison.work:
            results.append(timed(comparison.work, measure.measure, peers, comparison, chosen.pairs, warm_up, folder))
    if chosen.only in "accuracy":
        results.append(timed("accuracy", accuracy.accuracy, peers, chosen.quick, folder))
    return results


def measure_more(peers, chosen, folder, data):
    """What is not of comparisons: the plots, scaling and what follows from it."""
    data["series"] = timed("sizes for the plots", series.plot_series, peers, chosen.quick, folder)
    timed("plots", plots.draw_plots, data["series"], chosen.output)
    data["scaling"] = timed("ranks and threads", series.scaling, peers, chosen.quick, folder)
    data["model"] = model.model(data["scaling"], chosen.threads)


def benchmark(peers, chosen, folder):
    data = {"format": "kmap-bench", "version": 1, "pairs": chosen.pairs, "quick": chosen.quick,
            "machine": machine.describe(peers)}
    if chosen.gate:
        data["comparisons"] = gate.measure_gate(peers, chosen.pairs, folder, chosen.only, timed)
    else:
        data["comparisons"] = measure_all(peers, chosen, folder)
        if not chosen.only:
            measure_more(peers, chosen, folder, data)
    data["machine"]["load after"] = os.getloadavg()[0]
    return data


def main():
    chosen = arguments()
    # All programs that are started inherit this; JAX takes the number of its threads from it.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:chosen.threads])
    chosen.output.mkdir(parents=True, exist_ok=True)
    peers = Peers(chosen.build, chosen.threads)
    try:
        with tempfile.TemporaryDirectory(dir=chosen.output) as folder:
            data = benchmark(peers, chosen, folder)
    finally:
        peers.close()
    report.write_json(chosen.output / ("gate.json" if chosen.gate else "bench.json"), data)
    report.print_table(data["comparisons"] + data.get("scaling", []))
    counts = report.count(data["comparisons"])
    print(", ".join(f"{number} {name}" for name, number in counts.items()) + f"; all samples: {chosen.output}")
    if chosen.update_docs:
        report.update_document(ROOT / "docs/performance.md", data)
        plots.draw_plots(data["series"], ROOT / "docs/images")
    return 1 if "wrong" in counts or (chosen.gate and "missed" in counts) else 0


if __name__ == "__main__":
    raise SystemExit(main())
