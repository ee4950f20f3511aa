"""What to expect on many nodes: from what was measured on this machine, which stands for one node, and what is assumed of the
network. docs/performance.md states the formulas."""

import dataclasses
import math

NODES = (1, 10, 100, 1000)
LEAF = 1024  # examples whose sum psum sends as one number


@dataclasses.dataclass
class Network:
    """Assumed, not measured."""
    latency: float = 2e-6  # seconds for a message between two nodes
    bandwidth: float = 25e9  # bytes a second into or out of a node


def way(scaling, work, name):
    for result in scaling:
        if result["work"] == work and name in result["ways"]:
            return result["ways"][name]["median"]
    return None


def steps(nodes):
    """Messages one after the other in a collective, by recursive doubling."""
    return math.ceil(math.log2(nodes)) if nodes > 1 else 0


def measured(scaling, cores):
    """Per node: seconds per example with all cores, and what a call costs by itself on two ranks of one node."""
    full = f"1 x {cores}"
    n = 64 * 10**5 * cores
    seconds = {what: way(scaling, f"strong scaling, {what}", full) for what in ("sin² + cos² f8", "square f8", "psum f8")}
    calls = {what: way(scaling, "calls with next to no work", f"{what} on 2x1") for what in ("pmap", "psum")}
    if None in seconds.values() or None in calls.values():
        return None
    return {"seconds_per_example": {what: value / n for what, value in seconds.items()}, "seconds_per_call": calls}


def expected(parts, what, per_node, nodes, network):
    """Seconds of a call for per_node examples on every node, one rank each."""
    work = per_node * parts["seconds_per_example"][what]
    if what != "psum f8":
        # pmap agrees on errors: one reduction of a number.
        return work + parts["seconds_per_call"]["pmap"] + steps(nodes) * network.latency
    # Every rank gets the sums of all leaves, and adds them.
    gathered = 8 * per_node * nodes / LEAF
    adding = per_node * nodes / LEAF * parts["seconds_per_example"]["psum f8"]
    sending = gathered * (nodes - 1) / nodes / network.bandwidth
    return work + parts["seconds_per_call"]["psum"] + steps(nodes) * network.latency + sending + (adding if nodes > 1 else 0)


def efficiencies(parts, what, per_node, network):
    one = expected(parts, what, per_node, 1, network)
    return {str(nodes): one / expected(parts, what, per_node, nodes, network) for nodes in NODES}


def model(scaling, cores):
    """Weak scaling: what part of a node's speed each of many nodes keeps, by work and examples per node."""
    network = Network()
    parts = measured(scaling, cores)
    if parts is None:
        return None
    table = [{"work": what, "examples_per_node": per_node, "efficiency": efficiencies(parts, what, per_node, network)}
             for what in parts["seconds_per_example"] for per_node in (10**5, 10**7, 10**9)]
    return {"measured": parts, "assumed": dataclasses.asdict(network), "weak_scaling": table}
