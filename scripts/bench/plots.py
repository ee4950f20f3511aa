"""The two plots of the JAX tutorial: a loop against vmap over the size of the batch, one device against several with pmap."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt

# Colours that the colour-blind tell apart (Okabe and Ito), and the same dash for the same library.
STYLES = {
    "sequential loop": dict(color="#999999", marker="s", label="C++: sequential loop"),
    "vmap": dict(color="#0072b2", marker="o", label="kmap: vmap"),
    "vmap, output given": dict(color="#56b4e9", marker="o", label="kmap: vmap, output given"),
    "JAX, loop": dict(color="#e69f00", marker="s", linestyle="--", label="JAX: loop over the elements"),
    "JAX, vmap": dict(color="#d55e00", marker="o", linestyle="--", label="JAX: vmap, jitted"),
    "one rank": dict(color="#999999", marker="s", label="kmap: pmap, 1 rank x 1 thread"),
    "two ranks": dict(color="#0072b2", marker="o", label="kmap: pmap, 2 ranks x 1 thread"),
    "JAX, one device": dict(color="#e69f00", marker="s", linestyle="--", label="JAX: pmap, 1 device"),
    "JAX, two devices": dict(color="#d55e00", marker="o", linestyle="--", label="JAX: pmap, 2 host devices"),
}
SETTINGS = {"font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#e6e6e6",
            "grid.linewidth": 0.8, "lines.markersize": 4, "lines.linewidth": 1.6, "legend.frameon": False,
            "svg.hashsalt": "kmap", "svg.fonttype": "none"}


def draw(axes, points, heading):
    for name, style in STYLES.items():
        there = [(point["n"], 1e3 * point["seconds"][name]) for point in points if point["seconds"].get(name)]
        if there:
            axes.plot(*zip(*there), **style)
    axes.set(xscale="log", yscale="log", xlabel="numbers in the batch (f8)", title=heading)
    axes.minorticks_off()


def save(figure, folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    for kind, options in {"svg": {"metadata": {"Date": None}}, "png": {"dpi": 160}}.items():
        figure.savefig(folder / f"{name}.{kind}", bbox_inches="tight", **options)
    plt.close(figure)


def vmap_plot(series, folder):
    figure, panels = plt.subplots(1, 2, figsize=(9.5, 4.4), sharey=True, layout="constrained")
    for panel, case, heading in zip(panels, ("square", "heavy"), ("x · x", "sin²x + cos²x")):
        draw(panel, series[case], heading)
    panels[0].set_ylabel("time of one call, ms")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=9)
    save(figure, folder, "vmap")


def pmap_plot(series, folder):
    figure, axes = plt.subplots(figsize=(5.8, 4), layout="constrained")
    draw(axes, series["pmap"], "sin²x + cos²x of a batch of ten rows")
    axes.set_ylabel("time of one call, ms")
    axes.legend(fontsize=9)
    save(figure, folder, "pmap")


def draw_plots(series, folder):
    with plt.rc_context(SETTINGS):
        vmap_plot(series, folder)
        pmap_plot(series, folder)
