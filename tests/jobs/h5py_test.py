#!/usr/bin/env python3
"""What h5py finds in the outputs of jobs: names, types, values, and /kmap."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import h5py
import numpy as np

command = os.environ["KMAP_COMMAND"]
source = pathlib.Path(os.environ["KMAP_SOURCE_DIR"])
inputs = source / "inputs"

MOMENTS = f"""# A comment that the output keeps.
kernel: moments
inputs:
  x: {inputs}/tutorial.h5:/batch
outputs:
  file: out.h5
  datasets:
    mean: {{path: /results/averages, dtype: f4}}
    std: /results/deviations
run: {{memory: 16 KiB}}
"""


class Outputs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def run_job(self, text, ranks=1, options=()):
        job = self.path / "job.yaml"
        job.write_text(text)
        launcher = [os.environ["KMAP_MPIEXEC"], "-n", str(ranks)] if ranks > 1 else []
        words = [*launcher, command, "run", str(job), *options]
        result = subprocess.run(words, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        file = h5py.File(self.path / "out.h5")
        self.addCleanup(file.close)
        return file

    def simple(self, kernel, x, params="{}", name="x"):
        with h5py.File(self.path / "in.h5", "w") as file:
            file["x"] = x
        return self.run_job(f"kernel: {kernel}\nparams: {params}\ninputs: {{{name}: 'in.h5:/x'}}\noutputs: out.h5\n")

    def test_names_types_and_values(self):
        file = self.run_job(MOMENTS, ranks=2)
        batch = h5py.File(inputs / "tutorial.h5")["batch"][()]
        self.assertEqual(sorted(file), ["kmap", "max", "min", "results"])
        self.assertEqual(sorted(file["results"]), ["averages", "deviations"])
        means = file["results/averages"]
        self.assertEqual(means.dtype, np.dtype("<f4"))
        np.testing.assert_array_equal(means, batch.mean(axis=1).astype("f4"))
        self.assertEqual(file["results/deviations"].dtype, np.dtype("<f8"))
        np.testing.assert_allclose(file["results/deviations"], batch.std(axis=1), rtol=1e-15)
        for name, wanted in (("min", batch.min(axis=1)), ("max", batch.max(axis=1))):
            self.assertEqual(file[name].dtype, np.dtype("<i4"))
            self.assertIsNone(file[name].chunks)
            np.testing.assert_array_equal(file[name], wanted)

    def test_every_type_of_square(self):
        for dtype in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16"):
            with self.subTest(dtype):
                x = np.arange(1, 7).reshape(2, 3).astype(dtype)
                if dtype[0] == "c":
                    x += 2j
                y = self.simple("square", x)["y"]
                self.assertEqual(y.dtype, np.dtype(dtype).newbyteorder("<"))
                np.testing.assert_array_equal(y, x * x)
                y.file.close()
                (self.path / "out.h5").unlink()

    def test_nothing_is_left_beside_the_output(self):
        self.simple("square", np.arange(5))
        self.assertEqual(sorted(p.name for p in self.path.iterdir()), ["in.h5", "job.yaml", "out.h5"])

    def test_config_as_written(self):
        file = self.run_job(MOMENTS, options=("--set", "run.memory=32 KiB"))
        self.assertEqual(file["kmap/config"][()].decode(), MOMENTS)

    def test_config_as_resolved_runs_again(self):
        file = self.run_job(MOMENTS, options=("--set", "run.memory=32 KiB"))
        resolved = file["kmap/config_resolved"][()].decode()
        self.assertIn("32 KiB", resolved)
        self.assertIn(str(inputs / "tutorial.h5"), resolved)
        self.assertIn("if_exists: error", resolved)
        wanted = file["results/averages"][()]
        file.close()
        (self.path / "out.h5").unlink()
        again = self.run_job(resolved)
        np.testing.assert_array_equal(again["results/averages"], wanted)

    def test_provenance(self):
        file = self.run_job(MOMENTS, ranks=2)
        about = dict(file["kmap"].attrs)
        self.assertEqual(about["kernel"], "moments")
        self.assertEqual(about["ranks"], 2)
        self.assertGreaterEqual(about["threads_per_rank"], 1)
        for name in ("kmap_version", "git_revision", "kokkos_version", "mpi_version", "hdf5_version", "host", "backend"):
            self.assertIsInstance(about[name], str, name)
            self.assertNotEqual(about[name], "", name)
        for name in ("started", "finished"):
            self.assertRegex(about[name], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertLessEqual(about["started"], about["finished"])

    def test_provenance_of_the_inputs(self):
        file = self.run_job(MOMENTS.replace(f"{inputs}/tutorial.h5:/batch",
                                            f"{{file: {inputs}/tutorial.h5, dataset: /batch, slice: '2:5'}}"))
        about = dict(file["kmap/inputs/x"].attrs)
        self.assertEqual(about["file"], str(inputs / "tutorial.h5"))
        self.assertEqual(about["dataset"], "/batch")
        self.assertEqual(about["shape"], "(10, 1000)")
        self.assertEqual((about["axis"], about["first"], about["step"], about["length"]), (0, 2, 1, 1))
        self.assertEqual(about["file_bytes"], (inputs / "tutorial.h5").stat().st_size)

    def test_params_with_their_defaults(self):
        file = self.simple("lorenz", np.ones((2, 3)), "{steps: 3, rho: 29}", "initial")
        params = dict(file["kmap/params"].attrs)
        self.assertEqual(params, {"sigma": 10.0, "rho": 29.0, "beta": 8.0 / 3.0, "step": 0.01, "steps": 3})
        self.assertEqual(file["final"].shape, (2, 3))


    def test_coordinates_have_units(self):
        x = np.random.default_rng(5).normal(size=(3, 10))
        file = self.simple("periodogram", x, "{sample_rate: 50}")
        frequency = file["frequency"]
        self.assertEqual(frequency.dtype, np.dtype("<f8"))
        self.assertEqual(dict(frequency.attrs), {"units": "Hz"})
        np.testing.assert_allclose(frequency, np.fft.rfftfreq(10, 1 / 50), rtol=1e-15)
        self.assertEqual(file["power"].shape, (3, 6))


if __name__ == "__main__":
    unittest.main()
