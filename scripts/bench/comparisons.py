"""What is compared with what, and how fast it should be. Everything here is data for measure.py."""

import dataclasses

LARGE = 10**7
EPSILON = {"f4": 2.0**-23, "f8": 2.0**-52}


@dataclasses.dataclass
class Run:
    """One way to do the work: a request to a peer. Results are compared with those of the first way, up to `tolerance` times the
    greatest number among them; 0: bit for bit, None: not compared, since they are something else."""
    peer: str
    request: str
    tolerance: float | None = None


@dataclasses.dataclass
class Row:
    """A ratio of medians, `over` / `under`; of several names the greatest median over, the least under. `goal` is ">= 0.98" or
    the like, or empty for what is only shown. `where`: a Row that must meet its goal for this one to apply. `gate`: whether the
    ratio is steady enough for a check before a release; `holds`: what is checked there while the goal itself is missed, so that
    nothing gets worse."""
    text: str
    over: str | list[str]
    under: str | list[str]
    goal: str = ""
    where: "Row | None" = None
    gate: bool = True
    holds: str = ""

    def groups(self):
        """The names over and those under."""
        return [[names] if isinstance(names, str) else names for names in (self.over, self.under)]

    def names(self):
        return {name for group in self.groups() for name in group}


@dataclasses.dataclass
class Comparison:
    work: str
    runs: dict[str, Run]
    rows: list[Row]


def title(what, n):
    return f"{what}, n = {n}" if n < 10**5 else f"{what}, n = {n:.0e}".replace("e+0", "e")


def ways(request, tolerance, peers_and_variants):
    """Runs by name, of "PEER VARIANT" each, where * stands for the variant in the request."""
    runs = {}
    for name, text in peers_and_variants.items():
        peer, variant = text.split()
        runs[name] = Run(peer, request.replace("*", variant), tolerance)
    return runs


def square_large(t):
    runs = ways(f"square * {t} {LARGE}", 0, {
        "kmap": "kmap kmap", "kmap_fresh": "kmap kmap_fresh", "kmap_reused": "kmap kmap_reused", "kmap_kept": "kmap kmap_kept",
        "raw": "kmap raw", "streaming": "kmap streaming", "kokkos": "kmap kokkos", "default_view": "Kokkos default_view",
        "JAX": "JAX fresh", "JAX_kept": "JAX kept", "NumPy": "NumPy given", "NumPy_fresh": "NumPy fresh",
        "numexpr": "numexpr given", "Numba": "Numba given",
    })
    pays = Row("", "raw", "streaming", ">= 1.04")
    return Comparison(title(f"square {t}", LARGE), runs, [
        Row("output given: speed of the raw OpenMP loop", "raw", "kmap", ">= 0.98"),
        Row("the same where non-temporal stores pay", "raw", "kmap", ">= 1.04", where=pays, gate=False),
        Row("fresh output: times as fast as JAX", "JAX", "kmap_fresh", ">= 2.5" if t == "f8" else ">= 4"),
        Row("fresh output: times as fast as a default View, filled", "default_view", "kmap_fresh", ">= 10"),
        Row("reused memory: time of output given", "kmap_reused", "kmap", "<= 1.05", gate=False),
        Row("memory never used: times as fast as JAX", "JAX_kept", "kmap_kept"),
        Row("raw loop with non-temporal stores: speed of that without", "raw", "streaming"),
        Row("Kokkos::parallel_for: speed of the raw loop", "raw", "kokkos"),
        Row("output given: times as fast as NumPy with out=", "NumPy", "kmap"),
        Row("fresh output: times as fast as NumPy", "NumPy_fresh", "kmap_fresh"),
        Row("output given: times as fast as numexpr", "numexpr", "kmap"),
        Row("output given: times as fast as Numba, parallel", "Numba", "kmap"),
    ])


def square_small(t, n):
    runs = ways(f"square * {t} {n}", 0,
                {"kmap": "kmap kmap", "raw": "kmap raw", "JAX": "JAX fresh", "NumPy": "NumPy given"})
    return Comparison(title(f"square {t}", n), runs, [
        Row("output given: time of the raw OpenMP loop", "kmap", "raw", "<= 0.15", holds="" if n < 100 else "<= 0.32"),
        Row("times as fast as JAX, fresh", "JAX", "kmap"),
        Row("times as fast as NumPy with out=", "NumPy", "kmap"),
    ])


def heavy_large(t):
    runs = ways(f"heavy * {t} {LARGE}", 8 * EPSILON[t], {
        "kmap": "kmap kmap", "kmap_fresh": "kmap kmap_fresh", "libm": "kmap libm", "libmvec": "kmap libmvec", "JAX": "JAX fresh",
        "NumPy": "NumPy given", "numexpr": "numexpr given", "Numba": "Numba given",
    }) | ways(f"square * {t} {LARGE}", None, {"square": "kmap kmap"})
    return Comparison(title(f"sin² + cos² {t}", LARGE), runs, [
        Row("output given: time of square", "kmap", "square", "<= 1.6" if t == "f8" else "<= 1.35",
            holds="" if t == "f8" else "<= 1.6"),
        Row("fresh output: times as fast as JAX", "JAX", "kmap_fresh", ">= 12"),
        Row("times as fast as scalar libm, OpenMP", "libm", "kmap"),
        Row("times as fast as glibc's vector functions, OpenMP", "libmvec", "kmap"),
        Row("times as fast as NumPy with out=", "NumPy", "kmap"),
        Row("times as fast as numexpr", "numexpr", "kmap"),
        Row("times as fast as Numba, parallel", "Numba", "kmap"),
    ])


def heavy_cached(t, n):
    runs = ways(f"heavy * {t} {n}", 8 * EPSILON[t], {"kmap": "kmap kmap", "libm": "kmap libm", "libmvec": "kmap libmvec"})
    return Comparison(title(f"sin² + cos² {t}", n), runs, [
        Row("times as fast as scalar libm, OpenMP", "libm", "kmap", ">= 15" if t == "f8" else "",
            holds=">= 8.5" if n < 10**5 else ">= 11.5"),
        Row("times as fast as glibc's vector functions, OpenMP", "libmvec", "kmap", ">= 1.8", holds=">= 1.25" if n < 10**5 else ">= 1.4"),
    ])


def lorenz(t):
    near = {"f4": 1e-3, "f8": 1e-9}[t]  # small differences grow
    return [
        Comparison(f"Lorenz RK4 {t}, 4096 x 1000 steps",
                   ways(f"lorenz * {t} 4096 1000", near, {"kmap": "kmap kmap", "scalar": "kmap scalar"}),
                   [Row("times as fast as one example after the other, OpenMP", "scalar", "kmap",
                        ">= 15" if t == "f8" else ">= 28", holds="" if t == "f8" else ">= 26")]),
        Comparison(f"Lorenz RK4 {t}, 2e5 x 100 steps",
                   ways(f"lorenz * {t} 200000 100", near, {"kmap_fresh": "kmap kmap_fresh", "JAX": "JAX fresh"}),
                   [Row("times as fast as JAX, vmap of scan", "JAX", "kmap_fresh", ">= 20", holds=">= 13")]),
    ]


def matvec(t):
    n = 10**5
    runs = ways(f"matvec * {t} {n}", 64 * EPSILON[t],
                {"kmap": "kmap kmap", "kmap_any_size": "kmap kmap_any_size", "raw": "kmap raw"})
    runs |= ways(f"matvec * {t} {n}", None, {"copy": "kmap copy"})
    return Comparison(title(f"16 x 16 matvec {t}", n), runs, [
        Row("bandwidth of a copy", "copy", "kmap", ">= 0.9", holds=">= 0.63" if t == "f8" else ">= 0.52"),
        Row("the same, sizes known at run time only", "copy", "kmap_any_size"),
        Row("the same, a raw OpenMP loop", "copy", "raw"),
    ])


def moments(t, n, length):
    request = f"moments * {t} {n} {length}"
    runs = ways(request, {"f4": 1e-3, "f8": 1e-10}[t],
                {"kmap": "kmap kmap", "kmap_plain": "kmap kmap_plain", "JAX": "JAX fresh", "NumPy": "NumPy fresh"})
    runs |= ways(request, None, {"read": "kmap read"})
    return Comparison(f"moments {t}, {n} x {length}", runs, [
        Row("the kernel: bandwidth of reading", "read", "kmap", ">= 0.9",
            holds=">= 0.8" if length > 1000 else ">= 0.62" if t == "f8" else ">= 0.42"),
        Row("a plain function, one thread each example", "read", "kmap_plain"),
        Row("the kernel: times as fast as JAX", "JAX", "kmap"),
        Row("the kernel: times as fast as NumPy", "NumPy", "kmap"),
    ])


def layouts(case, what, t, sizes):
    places = range(2 if case == "row_layouts" else 3)
    names = [f"{layout}{axis}" for layout in ("right", "left") for axis in places]
    runs = ways(f"{case} * {t} {sizes}", 256 * EPSILON[t], {name: f"kmap {name}" for name in names})
    return Comparison(f"{what} {t}, {sizes.replace(' ', ' x ')}", runs,
                      [Row("slowest axis and layout: time of the best", names, names, "<= 1.5",
                          holds="<= 1.8" if case == "row_layouts" else "<= 4.2")])


def ranks(what, t):
    suffix = "_square" if what == "square" else ""
    runs = ways(f"batch *{suffix} {t} 10 {LARGE // 10}", 0, {"vmap": "kmap:1x2 vmap", "pmap": "kmap:2x1 pmap"})
    return Comparison(f"{what} {t}, 10 x 1e6, fresh", runs,
                      [Row("pmap on 2 ranks x 1 thread: speed of vmap on 1 x 2", "vmap", "pmap", ">= 0.97")])


def tutorial(t):
    runs = ways(f"batch * {t} 10 1000", 8 * EPSILON[t],
                {"pmap": "kmap:2x1 pmap", "vmap": "kmap:1x2 vmap", "JAX": "JAX:2 pmap"})
    return Comparison(f"tutorial's batch {t}, 10 x 1000", runs, [
        Row("a call of pmap on 2 ranks: times as fast as JAX, 2 host devices", "JAX", "pmap", ">= 20"),
        Row("a call of vmap on 2 threads: times as fast as that", "JAX", "vmap"),
    ])


def total(t):
    request = f"sum * {t} {LARGE}"
    runs = ways(request, 0, {"kmap": "kmap kmap", "one thread": "kmap:1x1 kmap", "two ranks": "kmap:2x1 ranks"})
    runs |= ways(request, {"f4": 1e-3, "f8": 1e-11}[t], {"unordered": "kmap unordered", "JAX": "JAX sum", "NumPy": "NumPy sum"})
    runs |= ways(request, None, {"read": "kmap read"})
    return Comparison(title(f"psum {t}", LARGE), runs, [
        Row("bandwidth of reading", "read", "kmap", ">= 0.9", holds="" if t == "f8" else ">= 0.75"),
        Row("a plain unordered sum: bandwidth of reading", "read", "unordered"),
        Row("on 2 ranks: bandwidth of reading", "read", "two ranks"),
        Row("times as fast as JAX", "JAX", "kmap"),
        Row("times as fast as NumPy", "NumPy", "kmap"),
    ])


def uniforms():
    request = f"random * f4 {LARGE}"
    # JAX's bits are kmap's; NumPy draws others.
    runs = ways(request, 0, {"kmap": "kmap kmap", "kmap_fresh": "kmap kmap_fresh", "JAX": "JAX given", "JAX_fresh": "JAX fresh"})
    runs |= ways(request, None, {"NumPy": "NumPy given", "NumPy_fresh": "NumPy fresh"})
    return Comparison(title("uniform numbers f4", LARGE), runs, [
        Row("fresh memory: times as fast as JAX", "JAX_fresh", "kmap_fresh", ">= 3"),
        Row("fresh memory: times as fast as NumPy's Philox", "NumPy_fresh", "kmap_fresh", ">= 3"),
        Row("given memory: times as fast as JAX", "JAX", "kmap", ">= 3"),
        Row("given memory: times as fast as NumPy's Philox", "NumPy", "kmap", ">= 3"),
    ])


def all_comparisons():
    both = ("f8", "f4")
    result = [square_large(t) for t in both]
    result += [square_small(t, n) for n in (10, 1000) for t in both]
    result += [heavy_large(t) for t in both]
    result += [heavy_cached(t, n) for n in (10**4, 10**5) for t in both]
    for t in both:
        result += lorenz(t)
    result += [matvec(t) for t in both]
    result += [moments(t, *shape) for shape in ((10**5, 100), (10, 10**6)) for t in both]
    # Powers of two, where lines of a matrix compete for the same places of the caches, and others.
    for sizes in ("65536 128", "60000 130"):
        result += [layouts("row_layouts", "sum of squares", t, sizes) for t in both]
    for sizes in ("65536", "60000"):
        result += [layouts("matvec_layouts", "16 x 16 matvec", t, sizes) for t in both]
    result += [ranks(what, "f8") for what in ("sin² + cos²", "square")]
    result += [tutorial(t) for t in both]
    result += [total(t) for t in both]
    result.append(uniforms())
    return result
