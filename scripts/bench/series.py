"""Measurements over sizes, for the plots, and over ranks and threads."""

from comparisons import Comparison, Row, Run, ways
from measure import measure

# JAX's loop over single elements takes microseconds for each.
LONGEST_LOOP = 10**4


def sizes(quick):
    return [10**k for k in range(1, 7 if quick else 8)]


def vmap_comparison(case, n):
    runs = {"sequential loop": "kmap sequential", "vmap": "kmap kmap_fresh", "vmap, output given": "kmap kmap",
            "JAX, vmap": "JAX fresh"}
    if n <= LONGEST_LOOP:
        runs["JAX, loop"] = "JAX loop"
    return Comparison(case, ways(f"{case} * f8 {n}", None, runs), [])


def pmap_comparison(n):
    return Comparison("pmap", ways(f"batch * f8 10 {n // 10}", None, {
        "one rank": "kmap:1x1 pmap", "two ranks": "kmap:2x1 pmap", "JAX, one device": "JAX:2 one",
        "JAX, two devices": "JAX:2 pmap"
    }), [])


def medians(result, n):
    return {"n": n, "seconds": {name: way["median"] for name, way in result["ways"].items()}, "ways": result["ways"]}


def plot_series(peers, quick, folder):
    turns = 3 if quick else 7

    def take(comparison, n):
        return medians(measure(peers, comparison, turns, 1, folder), n)

    series = {case: [take(vmap_comparison(case, n), n) for n in sizes(quick)] for case in ("square", "heavy")}
    series["pmap"] = [take(pmap_comparison(n), n) for n in sizes(quick) if n >= 1000]
    return series


def splits(cores):
    """Ranks x threads whose product is a power of two, up to the number of cores."""
    powers = [2**k for k in range(cores.bit_length()) if 2**k <= cores]
    return [(ranks, threads) for ranks in powers for threads in powers if ranks * threads <= cores]


WORK = {
    "sin² + cos² f8": lambda n: f"batch pmap f8 64 {n // 64}",
    "square f8": lambda n: f"batch pmap_square f8 64 {n // 64}",
    "psum f8": lambda n: f"sum ranks f8 {n}",
}


def scaling_comparison(what, kind, request, cores):
    runs, rows = {}, []
    for ranks, threads in splits(cores):
        name = f"{ranks} x {threads}"
        n = 64 * 10**5 * (ranks * threads if kind == "weak" else cores)
        runs[name] = Run(f"kmap:{ranks}x{threads}", request(n))
        if ranks * threads > 1:
            text = "times as fast as 1 x 1" if kind == "strong" else "efficiency"
            rows.append(Row(f"{name}: {text}", "1 x 1", name, gate=False))
    return Comparison(f"{kind} scaling, {what}", runs, rows)


def cost_of_calls():
    """Calls with next to nothing to map, on one rank and on two."""
    runs = {f"{what} on {peer}": Run(f"kmap:{peer}", request)
            for what, request in {"pmap": "batch pmap_square f8 2 1", "psum": "sum ranks f8 2"}.items()
            for peer in ("1x1", "2x1")}
    return Comparison("calls with next to no work", runs, [])


def scaling(peers, quick, folder):
    turns = 3 if quick else 9
    comparisons = [scaling_comparison(what, kind, request, peers.threads)
                   for kind in ("strong", "weak") for what, request in WORK.items()] + [cost_of_calls()]
    return [measure(peers, comparison, turns, 1, folder) for comparison in comparisons]
