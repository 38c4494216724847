#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""sweep: split sizes predicted and measured."""
import json
import unittest

from cli_world import EXPERIMENT, CliTest


class Sweeping(CliTest):
    def points(self, *arguments):
        return json.loads(self.done("sweep", self.experiment(), "--json", *arguments).stdout)["points"]

    def test_every_split_size_is_predicted_and_measured(self):
        points = self.points("--split-sizes", "1,3,8", "--out", "out")
        self.assertEqual([(point["split_size"], point["micro_batches"]) for point in points], [(1, 8), (3, 3), (8, 1)])
        for point in points:
            self.assertGreater(point["predicted_step_seconds"], 0)
            self.assertGreater(point["measured_step_seconds"], 0)
            self.assertEqual(point["n"], 5)
        run = json.loads((self.folder / "out" / "run.json").read_text())
        self.assertEqual([variant["name"] for variant in run["variants"]], ["Split 1", "Split 3", "Split 8"])
        self.assertEqual([one["step_seconds"] for one in run["predictions"]], [point["predicted_step_seconds"] for point in points])

    def test_a_prediction_measures_blocks_once_and_trains_nothing(self):
        first = self.done("sweep", self.experiment(), "--split-sizes", "2,4", "--predict-only", "--json")
        again = self.done("sweep", self.experiment(), "--split-sizes", "2,4", "--predict-only", "--json")
        self.assertEqual(first.stdout, again.stdout)
        self.assertIn("Measuring blocks", first.stderr)
        self.assertNotIn("Measuring blocks", again.stderr)
        for point in json.loads(first.stdout)["points"]:
            self.assertGreater(point["predicted_step_seconds"], 0)
            self.assertIsNone(point["measured_step_seconds"])
        self.assertFalse((self.folder / "data").exists())

    def test_without_split_sizes_the_best_three_of_the_usual_are_measured(self):
        points = self.points("--out", "out", "--set", "data.batch=40")
        self.assertEqual([point["split_size"] for point in points], [1, 2, 3, 4, 5, 8, 10, 20])
        measured = {point["split_size"] for point in points if point["measured_step_seconds"] is not None}
        best = sorted(points, key=lambda point: point["predicted_step_seconds"])[:3]
        self.assertEqual(measured, {point["split_size"] for point in best} | {3})

    def test_what_cannot_be_swept_is_refused(self):
        self.assertIn("9", self.refused("sweep", self.experiment(), "--split-sizes", "1,9"))
        self.assertIn("twice", self.refused("sweep", self.experiment(), "--split-sizes", "2,2"))
        self.refused("sweep", self.experiment(), "--split-sizes", "many")
        self.assertIn("pipeline", self.refused("sweep", self.experiment(variants=EXPERIMENT["variants"][:2])))


if __name__ == "__main__":
    unittest.main()
