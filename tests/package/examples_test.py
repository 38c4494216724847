#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""The examples are built with find_package(LaneLab) against the installed prefix, and train."""
import pathlib
import re
import subprocess
import tempfile
import unittest

from package_world import INSTALLED, SITE_PACKAGES, TIME_LIMIT_S, call, need

need("cmake", "ninja", "c++")
SOURCES = INSTALLED / "share/doc/lanelab/examples"


def built(folder):
    for words in (["cmake", "-S", SOURCES, "-B", folder, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={INSTALLED}", f"-DLANELAB_TORCH_ROOT={SITE_PACKAGES}", "-DCMAKE_CXX_FLAGS=-O0"],
                  ["cmake", "--build", folder]):
        done = subprocess.run(words, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        built(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def trained(self, program, variants):
        result = call(self.folder / program, self.folder / f"{program}-run", folder=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([name for name, _ in re.findall(r"^(.+): last loss (\d+\.?\d*)", result.stdout, re.M)], variants)
        self.assertTrue((self.folder / f"{program}-run" / "run.json").is_file())

    def test_a_pipeline_trains(self):
        self.trained("pipeline", ["Single", "Pipeline"])

    def test_replicas_train(self):
        self.trained("ddp", ["DDP"])

    def test_replicas_of_pipelines_train(self):
        self.trained("pipeline_ddp", ["Pipeline x DDP"])


if __name__ == "__main__":
    unittest.main()
