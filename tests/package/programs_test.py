#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Installed programs in a folder that was moved, with source and build folder out of sight if the system lets a test hide them."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from package_world import BUILD, EXPERIMENT, INSTALLED, SITE_PACKAGES, SOURCE, call

# A mount namespace of its own: the packages of Python and the prefix are seen elsewhere, and empty folders in place of source and build.
HIDE = 'set -e; mount --bind "$1" "$2/python"; mount --bind "$3" "$2/prefix"; mount -t tmpfs none "$4"; [ ! -d "$5" ] || mount -t tmpfs none "$5"; cd "$2"; shift 5; exec "$@"'


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        for name in ("python", "prefix", "data"):
            (cls.folder / name).mkdir()
        (cls.folder / "experiment.json").write_text(EXPERIMENT, encoding="utf-8")
        hidden = ["unshare", "--mount", "--map-root-user", "bash", "-c", HIDE, "hide", SITE_PACKAGES, cls.folder, INSTALLED, SOURCE, BUILD.parent]
        cls.hidden = call(*hidden, "ls", SOURCE, folder=cls.folder).returncode == 0
        cls.before = hidden if cls.hidden else []
        cls.prefix = cls.folder / "prefix"
        cls.python = cls.folder / "python"
        if not cls.hidden:
            print("source and build folder stay in sight: this system allows no mount namespace")
            shutil.copytree(INSTALLED, cls.prefix, dirs_exist_ok=True)
            cls.python = SITE_PACKAGES

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def call(self, program, *words, **variables):
        return call(*self.before, self.prefix / "bin" / program, *words, folder=self.folder, **{"LANELAB_TORCH_ROOT": self.python, **variables})

    def done(self, program, *words):
        result = self.call(program, *words)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def refused(self, code, program, *words, **variables):
        result = self.call(program, *words, **variables)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
        return result.stderr

    def test_a_run_trains_and_its_figure_is_drawn_by_the_window(self):
        self.assertIn("Pipeline", self.done("lanelab-cli", "run", "experiment.json", "--out", "run"))
        self.assertIn("Desktop part", self.done("lanelab-cli", "doctor"))
        if (INSTALLED / "bin/lanelab").exists():
            self.done("lanelab-cli", "export", "run", "--what", "timeline", "--format", "png", "--out", "timeline.png", "--variant", "Pipeline")
            self.assertGreater((self.folder / "timeline.png").stat().st_size, 1000)
            self.done("lanelab", "--export", "report", "--format", "html", "--out", "report.html", "run")

    def test_an_action_that_the_window_does_not_have_is_refused(self):
        if (INSTALLED / "bin/lanelab").exists():
            self.assertIn("--action absent is not known. It is one of new, open, open-trace, open-run.", self.refused(2, "lanelab", "--action", "absent"))

    def test_what_needs_no_pytorch_works_without(self):
        for words in (["--version"], ["schema"], ["schedule", "gpipe", "--stages", "2", "--micro-batches", "2"]):
            with self.subTest(words):
                result = self.call("lanelab-cli", *words, LANELAB_TORCH_ROOT="")
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_without_pytorch_one_sentence_says_what_to_do(self):
        for program, words in (("lanelab-cli", ["run", "experiment.json"]), ("lanelab-cli", ["--help"]), ("lanelab", [])):
            if (INSTALLED / "bin" / program).exists():
                with self.subTest(program):
                    self.assertRegex(self.refused(1, program, *words, LANELAB_TORCH_ROOT=""),
                                     rf"^{program}: PyTorch is not in {self.folder}/data/lanelab/python\. Run lanelab-setup-torch, .* or set LANELAB_TORCH_ROOT ")

    def test_a_folder_without_pytorch_is_refused(self):
        self.assertIn("LANELAB_TORCH_ROOT: /absent has no PyTorch", self.refused(2, "lanelab-cli", "run", "experiment.json", LANELAB_TORCH_ROOT="/absent"))

    def test_another_minor_version_of_pytorch_is_refused(self):
        torch = self.folder / "other" / "torch"
        (torch / "lib").mkdir(parents=True)
        (torch / "lib" / "libtorch_cpu.so").touch()
        (torch / "version.py").write_text("__version__ = '2.3.1+cpu'\n", encoding="utf-8")
        self.assertIn(f"PyTorch 2.3.1+cpu in {torch} does not fit", self.refused(2, "lanelab-cli", "doctor", LANELAB_TORCH_ROOT=torch))


if __name__ == "__main__":
    unittest.main()
