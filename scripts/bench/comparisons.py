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
    ratio is steady enough for a check before a release."""
    text: str
    over: str | list[str]
    under: str | list[str]
    goal: str = ""
    where: "Row | None" = None
    gate: bool = True


@dataclasses.dataclass
class Comparison:
    work: str
    runs: dict[str, Run]
    rows: list[Row]


def title(what, n):
    return f"{what}, n = {n}" if n < 10**5 else f"{what}, n = {n:.0e}".replace("e+0", "e")


def square_large(t):
    ours = lambda variant: Run("kmap", f"square {variant} {t} {LARGE}", 0)
    other = lambda peer, variant: Run(peer, f"square {variant} {t} {LARGE}", 0)
    runs = {name: ours(name) for name in ["kmap", "kmap_fresh", "kmap_reused", "kmap_kept", "raw", "streaming", "kokkos",
                                          "default_view"]}
    runs |= {"JAX": other("JAX", "fresh"), "JAX_kept": other("JAX", "kept"), "NumPy": other("NumPy", "given"),
             "NumPy_fresh": other("NumPy", "fresh"), "numexpr": other("numexpr", "given"), "Numba": other("Numba", "given")}
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
    runs = {name: Run("kmap", f"square {name} {t} {n}", 0) for name in ("kmap", "raw")}
    runs |= {"JAX": Run("JAX", f"square fresh {t} {n}", 0), "NumPy": Run("NumPy", f"square given {t} {n}", 0)}
    return Comparison(title(f"square {t}", n), runs, [
        Row("output given: time of the raw OpenMP loop", "kmap", "raw", "<= 0.15"),
        Row("times as fast as JAX, fresh", "JAX", "kmap"),
        Row("times as fast as NumPy with out=", "NumPy", "kmap"),
    ])


def heavy_large(t):
    near = 8 * EPSILON[t]
    run = lambda peer, variant: Run(peer, f"heavy {variant} {t} {LARGE}", near)
    runs = {"kmap": run("kmap", "kmap"), "kmap_fresh": run("kmap", "kmap_fresh"), "libm": run("kmap", "libm"),
            "libmvec": run("kmap", "libmvec"), "square": Run("kmap", f"square kmap {t} {LARGE}"), "JAX": run("JAX", "fresh"),
            "NumPy": run("NumPy", "given"), "numexpr": run("numexpr", "given"), "Numba": run("Numba", "given")}
    return Comparison(title(f"sin² + cos² {t}", LARGE), runs, [
        Row("output given: time of square", "kmap", "square", "<= 1.6" if t == "f8" else "<= 1.35"),
        Row("fresh output: times as fast as JAX", "JAX", "kmap_fresh", ">= 12"),
        Row("times as fast as scalar libm, OpenMP", "libm", "kmap"),
        Row("times as fast as glibc's vector functions, OpenMP", "libmvec", "kmap"),
        Row("times as fast as NumPy with out=", "NumPy", "kmap"),
        Row("times as fast as numexpr", "numexpr", "kmap"),
        Row("times as fast as Numba, parallel", "Numba", "kmap"),
    ])


def heavy_cached(t, n):
    runs = {name: Run("kmap", f"heavy {name} {t} {n}", 8 * EPSILON[t]) for name in ("kmap", "libm", "libmvec")}
    return Comparison(title(f"sin² + cos² {t}", n), runs, [
        Row("times as fast as scalar libm, OpenMP", "libm", "kmap", ">= 15" if t == "f8" else ""),
        Row("times as fast as glibc's vector functions, OpenMP", "libmvec", "kmap", ">= 1.8"),
    ])


def lorenz(t):
    near = {"f4": 1e-3, "f8": 1e-9}[t]  # small differences grow
    few, many = f"{t} 4096 1000", f"{t} 200000 100"
    return [
        Comparison(f"Lorenz RK4 {t}, 4096 x 1000 steps", {
            "kmap": Run("kmap", f"lorenz kmap {few}", near),
            "scalar": Run("kmap", f"lorenz scalar {few}", near),
        }, [Row("times as fast as one example after the other, OpenMP", "scalar", "kmap", ">= 15" if t == "f8" else ">= 28")]),
        Comparison(f"Lorenz RK4 {t}, 2e5 x 100 steps", {
            "kmap_fresh": Run("kmap", f"lorenz kmap_fresh {many}", near),
            "JAX": Run("JAX", f"lorenz fresh {many}", near),
        }, [Row("times as fast as JAX, vmap of scan", "JAX", "kmap_fresh", ">= 20")]),
    ]


def matvec(t):
    n, near = 10**5, 64 * EPSILON[t]
    run = lambda variant, tolerance: Run("kmap", f"matvec {variant} {t} {n}", tolerance)
    runs = {"kmap": run("kmap", near), "kmap_any_size": run("kmap_any_size", near), "raw": run("raw", near),
            "copy": run("copy", None)}
    return Comparison(title(f"16 x 16 matvec {t}", n), runs, [
        Row("bandwidth of a copy", "copy", "kmap", ">= 0.9"),
        Row("the same, sizes known at run time only", "copy", "kmap_any_size"),
        Row("the same, a raw OpenMP loop", "copy", "raw"),
    ])


def moments(t, n, length):
    near = {"f4": 1e-4, "f8": 1e-10}[t]
    run = lambda peer, variant, tolerance=near: Run(peer, f"moments {variant} {t} {n} {length}", tolerance)
    runs = {"kmap": run("kmap", "kmap"), "kmap_plain": run("kmap", "kmap_plain"), "read": run("kmap", "read", None),
            "JAX": run("JAX", "fresh"), "NumPy": run("NumPy", "fresh")}
    return Comparison(f"moments {t}, {n} x {length}", runs, [
        Row("the kernel: bandwidth of reading", "read", "kmap", ">= 0.9"),
        Row("a plain function, one thread each example", "read", "kmap_plain"),
        Row("the kernel: times as fast as JAX", "JAX", "kmap"),
        Row("the kernel: times as fast as NumPy", "NumPy", "kmap"),
    ])


def layouts(case, what, t, sizes):
    places = range(2 if case == "row_layouts" else 3)
    names = [f"{layout}{axis}" for layout in ("right", "left") for axis in places]
    runs = {name: Run("kmap", f"{case} {name} {t} {sizes}", 256 * EPSILON[t]) for name in names}
    return Comparison(f"{what} {t}, {sizes.replace(' ', ' x ')}", runs,
                      [Row("slowest axis and layout: time of the best", names, names, "<= 1.5")])


def ranks(variant, t):
    sizes = f"{t} 10 {LARGE // 10}"
    suffix = "" if variant == "heavy" else "_square"
    what = "sin² + cos²" if variant == "heavy" else "square"
    return Comparison(f"{what} {t}, 10 x 1e6, fresh", {
        "vmap": Run("kmap:1x2", f"batch vmap{suffix} {sizes}", 0),
        "pmap": Run("kmap:2x1", f"batch pmap{suffix} {sizes}", 0),
    }, [Row("pmap on 2 ranks x 1 thread: speed of vmap on 1 x 2", "vmap", "pmap", ">= 0.97")])


def tutorial(t):
    near = 8 * EPSILON[t]
    return Comparison(f"tutorial's batch {t}, 10 x 1000", {
        "pmap": Run("kmap:2x1", f"batch pmap {t} 10 1000", near),
        "vmap": Run("kmap:1x2", f"batch vmap {t} 10 1000", near),
        "JAX": Run("JAX:2", f"batch pmap {t} 10 1000", near),
    }, [
        Row("a call of pmap on 2 ranks: times as fast as JAX, 2 host devices", "JAX", "pmap", ">= 20"),
        Row("a call of vmap on 2 threads: times as fast as that", "JAX", "vmap"),
    ])


def total(t):
    run = lambda peer, variant, tolerance: Run(peer, f"sum {variant} {t} {LARGE}", tolerance)
    near = {"f4": 1e-3, "f8": 1e-11}[t]
    runs = {"kmap": run("kmap", "kmap", 0), "one thread": run("kmap:1x1", "kmap", 0), "two ranks": run("kmap:2x1", "ranks", 0),
            "unordered": run("kmap", "unordered", near), "read": run("kmap", "read", None), "JAX": run("JAX", "sum", near),
            "NumPy": run("NumPy", "sum", near)}
    return Comparison(title(f"psum {t}", LARGE), runs, [
        Row("bandwidth of reading", "read", "kmap", ">= 0.9"),
        Row("a plain unordered sum: bandwidth of reading", "read", "unordered"),
        Row("on 2 ranks: bandwidth of reading", "read", "two ranks"),
        Row("times as fast as JAX", "JAX", "kmap"),
        Row("times as fast as NumPy", "NumPy", "kmap"),
    ])


def uniforms():
    # JAX's bits are kmap's; NumPy draws others.
    run = lambda peer, variant, tolerance=None: Run(peer, f"random {variant} f4 {LARGE}", tolerance)
    runs = {"kmap": run("kmap", "kmap", 0), "kmap_fresh": run("kmap", "kmap_fresh", 0), "JAX": run("JAX", "given", 0),
            "JAX_fresh": run("JAX", "fresh", 0), "NumPy": run("NumPy", "given"), "NumPy_fresh": run("NumPy", "fresh")}
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
    result += [ranks(variant, "f8") for variant in ("heavy", "square")]
    result += [tutorial(t) for t in both]
    result += [total(t) for t in both]
    result.append(uniforms())
    return result
