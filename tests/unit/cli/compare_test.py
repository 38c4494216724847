#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""compare: two timelines, action by action, and runs of unlike work."""
import csv
import json
import shutil
import statistics
import unittest

from cli_world import CliTest


class Comparing(CliTest):
    def test_two_timelines_are_compared_action_by_action(self):
        self.done("run", self.experiment(), "--out", "out")
        told = self.done("compare", "out", "--timeline", "Pipeline", "Pipeline", "--csv", "cells.csv").stdout
        rows = list(csv.DictReader((self.folder / "cells.csv").read_text().splitlines()))
        self.assertRegex(told, rf"{len(rows)} matching actions: in total (\S+ \S+) in A and \1 in B; 0 only in A, 0 only in B\.")
        self.assertEqual({row["phase"] for row in rows}, {"F", "B", "U"})
        for row in rows:
            self.assertGreater(float(row["a_us"]), 0)
            self.assertEqual((row["b_us"], row["difference_us"], row["b_later_by_us"]), (row["a_us"], "0.000", "0.000"))
        self.assertIn("A is Pipeline, B is Pipeline.", told)
        copied = self.folder / "again"
        shutil.copytree(self.folder / "out", copied)
        self.assertIn("A is out/Pipeline, B is again/Pipeline.", self.done("compare", "out", "again", "--timeline", "Pipeline", "Pipeline").stdout)
        refusal = self.refused("compare", "out", "--timeline", "Pipeline", "Single")
        self.assertRegex(refusal, r"micro-batches differ: \d+ and \d+ samples")
        self.assertIn("Choose Single, Model parallel or Pipeline", self.refused("compare", "out", "--timeline", "Pipeline", "nowhere"))
        self.refused("compare", "out", "out", "out", "--timeline", "Pipeline", "Single")

    def test_runs_of_unlike_batches_are_compared_per_image(self):
        self.done("run", self.experiment(), "--out", "a")
        self.done("run", self.experiment(), "--set", "data.batch=16", "--out", "b")
        result = self.done("compare", "a", "b", "--json")
        self.assertIn("batch 8 and 16", result.stderr)
        told = json.loads(result.stdout)
        self.assertTrue(told["per_image"])
        last = told["variants"][3]
        self.assertEqual(last["name"], "b/Single")
        means = [statistics.geometric_mean(repeat["seconds"] for repeat in json.loads((self.folder / run / "run.json").read_text())["variants"][0]["repeats"])
                 for run in ("a", "b")]
        self.assertAlmostEqual(last["ratio"], (means[0] / 8) / (means[1] / 16), places=6)

    def test_runs_of_unlike_models_are_refused_unless_allowed(self):
        self.done("run", self.experiment(repeats=1), "--out", "a")
        self.done("run", self.experiment(repeats=1), "--set", "model.classes=7", "--out", "b")
        why = self.refused("compare", "a", "b")
        self.assertIn("classes 5 and 7", why)
        self.assertIn("--unlike", why)
        self.done("compare", "a", "b", "--unlike")


if __name__ == "__main__":
    unittest.main()
