"""The JSON file, the table on the terminal, and the block of docs/performance.md that is made of them."""

import json
import re

import model


def number(value):
    return "—" if value is None else f"{value:.3g}" if value < 100 else f"{value:.0f}"


def lines_of(results):
    """Work, ratio, goal, measured, verdict."""
    for result in results:
        for row in result["rows"]:
            yield result["work"], row["ratio"], row["goal"] or "beside", number(row["measured"]), row["verdict"], row["note"]


def print_table(results):
    lines = [line[:5] for line in lines_of(results)]
    lines.insert(0, ("work", "ratio", "goal", "measured", ""))
    widths = [max(len(line[i]) for line in lines) for i in range(5)]
    for line in lines:
        print("  ".join(cell.rjust(width) if i == 3 else cell.ljust(width)
                        for i, (cell, width) in enumerate(zip(line, widths))).rstrip())
    for work, ratio, *_, note in lines_of(results):
        if note:
            print(f"note: {work}, {ratio}: {note}")


def count(results):
    verdicts = [row["verdict"] for result in results for row in result["rows"]]
    return {name: verdicts.count(name) for name in ("met", "missed", "wrong", "not here") if name in verdicts}


def write_json(path, data):
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def markdown_table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def milliseconds(seconds):
    return f"{1e3 * seconds:.3g}"


def machine_text(data):
    machine, program = data["machine"], data["machine"]["program"]
    python = ", ".join(f"{name} {version}" for name, version in machine["python"].items() if name != "matplotlib")
    return (f"Measured with {data['pairs']} turns on {machine['cores']} cores of an {machine['processor']} ({machine['vectors']}), "
            f"{machine['memory_kB'] / 2**20:.0f} GiB, {machine['C library']}; kmap {program['kmap']} ({program['revision']}), "
            f"{program['compiler']}, `{program['flags']}`, Kokkos {program['Kokkos']}, {program['MPI']}; {python}. "
            f"Load before: {machine['load before']:.1f}, after: {machine['load after']:.1f}.")


def scaling_table(data):
    rows = []
    for result in data["scaling"]:
        if " scaling, " in result["work"]:
            cells = ", ".join(f"{row['ratio'].split(':')[0]}: {number(row['measured'])}" for row in result["rows"])
            rows.append((result["work"], cells or "one core only"))
    return markdown_table(("work", "ranks x threads: speed-up (strong), efficiency (weak)"), rows)


def model_text(data):
    parts = data["model"]
    if parts is None:
        return "The model needs two cores at least."
    calls, each = parts["measured"]["seconds_per_call"], parts["measured"]["seconds_per_example"]
    text = ("Put in: " + ", ".join(f"{what} {1e9 * value:.3g} ns an example" for what, value in each.items()) + " on one node; "
            + ", ".join(f"{what} {1e6 * value:.3g} µs a call" for what, value in calls.items()) + "; assumed "
            f"{1e6 * parts['assumed']['latency']:.3g} µs and {1e-9 * parts['assumed']['bandwidth']:.3g} GB/s.")
    rows = [(line["work"], f"{line['examples_per_node']:.0e}".replace("e+0", "e"), *map(number, line["efficiency"].values()))
            for line in parts["weak_scaling"]]
    head = ("work", "examples per node", *(f"{nodes} node{'s' * (nodes > 1)}" for nodes in model.NODES))
    return text + "\n\n" + markdown_table(head, rows)


def document(data):
    goals = [line[:5] for line in lines_of(data["comparisons"]) if line[2] != "beside"]
    beside = [(line[0], line[1], line[3]) for line in lines_of(data["comparisons"]) if line[2] == "beside"]
    return "\n\n".join([
        machine_text(data),
        markdown_table(("work", "ratio", "goal", "measured", ""), goals),
        "Beside, without goals:",
        markdown_table(("work", "ratio", "measured"), beside),
        "### Scaling on this machine",
        scaling_table(data),
        "### Expected part of a node's speed on many nodes",
        model_text(data),
    ])


def update_document(path, data):
    """Rewrites what stands between the marks."""
    marked = re.compile(r"(<!-- figures: begin.*?-->\n).*(<!-- figures: end -->)", re.DOTALL)
    text = path.read_text()
    if not marked.search(text):
        raise SystemExit(f"error: {path} has no marks for the figures")
    path.write_text(marked.sub(lambda marks: marks[1] + "\n" + document(data) + "\n\n" + marks[2], text))
