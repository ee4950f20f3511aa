#!/usr/bin/env python3
"""The sessions of Python that the README and the tutorial's page show, after the jobs that they show have run."""

import doctest
import os
import pathlib
import shutil
import subprocess
import tempfile

source = pathlib.Path(os.environ["KMAP_SOURCE_DIR"])
jobs = ["configs/square.yaml", "apps/tutorial/07_jobs.yaml", "apps/tutorial/07_pairs.yaml", "apps/tutorial/07_share.yaml"]

with tempfile.TemporaryDirectory() as folder:
    shutil.copytree(source / "inputs", f"{folder}/inputs")
    os.chdir(folder)
    for job in jobs:
        os.makedirs(os.path.dirname(job) + "/out", exist_ok=True)
        shutil.copy(source / job, job)
        subprocess.run([os.environ["KMAP_COMMAND"], "run", job], check=True, timeout=60, stdout=subprocess.DEVNULL)
    for page in ["README.md", "docs/tutorial.md"]:
        # The end of a block of the page is not a line of output.
        text = (source / page).read_text().replace("\n```", "\n\n")
        session = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
        result = doctest.DocTestRunner().run(session)
        assert result.attempted > 0, f"{page} shows no session"
        assert result.failed == 0, page
