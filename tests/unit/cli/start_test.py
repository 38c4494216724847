#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""lanelab-cli without lanelab-cli-torch beside it: what needs no LibTorch is done, so it starts without it; all else says what is missing."""
import pathlib
import shutil
import subprocess
import unittest

from cli_world import CLI, GAPS, PIPEDREAM, TIME_LIMIT_S, CliTest


class Alone(CliTest):
    def alone(self, *arguments):
        program = shutil.copy(CLI, self.folder)
        return subprocess.run([program, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=TIME_LIMIT_S, stdin=subprocess.DEVNULL)

    def test_what_needs_no_torch_is_done(self):
        for arguments in (["schedule", "zb-v", "--stages", 4, "--micro-batches", 8],
                          ["plan", "--costs", PIPEDREAM, "--stages", 4, "--micro-batches", 8],
                          ["simulate", self.experiment(), "--costs", self.toy_costs()],
                          ["device-map", "resnet18", "--max-memory", "0=30MiB", "--max-memory", "cpu=1GiB"],
                          ["summary", "resnet18", "--input", "3x64x64"],
                          ["import", GAPS / "kernels.json", "--out", "imported"],
                          ["gaps", GAPS / "kernels.json"],
                          ["stats", GAPS / "kernels.json"]):
            with self.subTest(arguments[0]):
                result = self.alone(*arguments)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertTrue(result.stdout or pathlib.Path(self.folder, "imported").exists())

    def test_all_else_says_what_is_missing(self):
        for arguments in (["run", self.experiment(), "--out", "out"], ["simulate", self.experiment()], ["--help"], []):
            with self.subTest(arguments):
                result = self.alone(*arguments)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("lanelab-cli-torch cannot be started", result.stderr)
                self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main()
