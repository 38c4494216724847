#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""The networks that ship with LaneLab: each example trains on two lanes as `check` computes it, and draws its weights from the seed.

Usage: shipped_test.py PATH_OF_LANELAB_CLI
"""
import json
import pathlib
import unittest

from cli_world import CliTest, experiment_of

EXPERIMENTS = pathlib.Path(__file__).resolve().parents[3] / "resources" / "experiments"
# Gradients of a tied parameter are added up in another order than in one stage.
EXAMPLES = {"vit": 0, "convnext": 0, "unet": 0, "swin": 0, "mixer": 0, "llama": 0, "gpt2": 1}


class Shipped(CliTest):
    def small(self, name):
        """The example with two samples a step, and without the variant on one lane, whose training `check` computes in any case."""
        experiment = experiment_of(EXPERIMENTS / f"{name}.json")
        experiment["data"]["batch"] = 2
        experiment["variants"] = [{**variant, "split_size": 1} for variant in experiment["variants"] if variant["strategy"] != "single"]
        file = self.folder / f"{name}.json"
        file.write_text(json.dumps(experiment))
        return file

    def test_two_lanes_train_each_example_as_one_does(self):
        for name, rounded in EXAMPLES.items():
            with self.subTest(name):
                self.done("run", EXPERIMENTS / f"{name}.json", "--dry-run")
                done = self.done("check", self.small(name), "--steps", "1", "--json")
                variants = json.loads(done.stdout)["variants"]
                self.assertGreater(len(variants), 0)
                for variant in variants:
                    self.assertTrue(variant["equal"], variant)
                    self.assertTrue(variant["tolerance"] == 0 or rounded, variant)

    def losses(self, seed):
        self.done("run", EXPERIMENTS / "llama.json", "--out", f"run{seed}", "--set", "data.epochs=2", "--set", f"training.seed={seed}")
        run = json.loads((self.folder / f"run{seed}" / "run.json").read_text())
        self.assertEqual(run["experiment"]["model"]["file"], "shipped:tiny-llama.pt2")
        return {variant["name"]: variant["repeats"][0]["losses"] for variant in run["variants"]}

    def test_the_seed_draws_the_weights_and_the_loss_falls(self):
        first, other = self.losses(0), self.losses(1)
        self.assertNotEqual(first["Single"][0], other["Single"][0])
        for losses in first.values():
            self.assertLess(losses[-1], losses[0] - 0.3)

    def test_a_name_that_is_not_there_is_answered_with_those_that_are(self):
        self.assertIn("shipped:gpt2-small.pt2", self.refused("summary", "shipped:gpt3.pt2"))


if __name__ == "__main__":
    unittest.main()
