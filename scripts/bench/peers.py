"""The programs that are compared. Each answers requests line by line (see tests/bench/maps.cpp); they take turns."""

import os
import pathlib
import re
import selectors
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
PATIENCE = 300  # seconds for one answer


class Absent(Exception):
    """What this machine does not have."""


class Peer:

    def __init__(self, name, command, environment):
        self.name = name
        self.program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=os.environ | environment)
        self.answers = selectors.DefaultSelector()
        self.answers.register(self.program.stdout, selectors.EVENT_READ)

    def ask(self, request):
        self.program.stdin.write(request + "\n")
        self.program.stdin.flush()
        if not self.answers.select(PATIENCE):
            raise RuntimeError(f"{self.name} does not answer: {request}")
        answer = self.program.stdout.readline().strip()
        if answer.startswith("absent: "):
            raise Absent(answer.removeprefix("absent: "))
        if not answer or answer.startswith("error: "):
            raise RuntimeError(f"{self.name}: {answer or 'ended'} (request: {request})")
        return answer

    def close(self):
        self.program.stdin.close()
        try:
            self.program.wait(30)
        except subprocess.TimeoutExpired:
            self.program.kill()


class Peers:
    """By name, started when first asked: kmap (one process, all threads), kmap:2x1 (two ranks of one thread) and the like, Kokkos
    (the same program with memory as without kmap), JAX, JAX:2 (two host devices), NumPy, numexpr, Numba."""

    def __init__(self, build, threads):
        self.build = build
        self.threads = threads
        self.running = {}

    def __getitem__(self, name):
        name = self.full_name(name)
        if name not in self.running:
            self.running[name] = Peer(name, *self.command(name))
        return self.running[name]

    def full_name(self, name):
        return f"kmap:1x{self.threads}" if name == "kmap" else name

    def command(self, name):
        kind, _, option = name.partition(":")
        if kind == "kmap":
            return self.kmap_command(*map(int, option.split("x")))
        if kind == "Kokkos":
            # glibc's own setting, which keeps kmap's Runtime from changing it: a program without kmap gives memory back.
            program, environment = self.kmap_command(1, self.threads)
            return program, environment | {"MALLOC_TRIM_THRESHOLD_": "131072"}
        script = HERE / f"with_{kind.lower()}.py"
        devices = ["--devices", option] if option else []
        threads = str(self.threads)
        return [sys.executable, script, *devices], {"NUMEXPR_MAX_THREADS": threads, "NUMEXPR_NUM_THREADS": threads,
                                                    "NUMBA_NUM_THREADS": threads}

    def kmap_command(self, ranks, threads):
        if ranks * threads > self.threads:
            raise Absent(f"{ranks} ranks of {threads} threads need more than {self.threads} cores")
        program = [self.build / "bench" / "maps"]
        # Nothing is bound: the ranks share the machine with those who wait, and the kernel finds each a core.
        environment = {"OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "false", "OMPI_MCA_hwloc_base_binding_policy": "none",
                       "PRTE_MCA_hwloc_default_binding_policy": "none"}
        if ranks == 1:
            return program, environment
        return [self.cached("MPIEXEC_EXECUTABLE"), self.cached("MPIEXEC_NUMPROC_FLAG"), str(ranks), *program], environment

    def cached(self, variable):
        """The value in CMake's cache."""
        return re.search(rf"^{variable}:\w+=(.*)$", (self.build / "CMakeCache.txt").read_text(), re.MULTILINE)[1]

    def forget(self):
        for peer in self.running.values():
            peer.ask("forget")

    def close(self):
        for peer in self.running.values():
            peer.close()
