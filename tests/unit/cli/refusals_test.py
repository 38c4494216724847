#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""What a run refuses, the commands that plan, check or forecast a run refuse in the same words."""
import json
import struct
import unittest

from cli_world import CliTest

PIPELINE = {"name": "Pipeline", "strategy": "pipeline", "split_size": 1, "cuts": ["net2"]}


class Refusals(CliTest):
    def rows(self, ids):
        """A data file for toy with these class ids; returns its path."""
        header = {"inputs": {"dtype": "F32", "shape": [len(ids), 10], "data_offsets": [0, 40 * len(ids)]},
                  "targets": {"dtype": "I64", "shape": [len(ids)], "data_offsets": [40 * len(ids), 48 * len(ids)]}}
        text = json.dumps(header).encode().ljust(256)
        file = self.folder / "data.safetensors"
        file.write_bytes(struct.pack("<Q", len(text)) + text + bytes(40 * len(ids)) + struct.pack(f"<{len(ids)}q", *ids))
        return str(file)

    def same_words(self, experiment, commands, words):
        before = sorted(self.folder.rglob("*"))
        for command, *options in commands:
            with self.subTest(command=command, options=options):
                result = self.exits(2, command, experiment, *options)
                self.assertIn(words, result.stderr.splitlines()[-1])
                self.assertEqual((result.stdout, sorted(self.folder.rglob("*"))), ("", before))

    def test_epochs_that_end_in_too_few_samples(self):
        costs = self.toy_costs()
        plans = [("simulate", "--costs", costs), ("plan", "--stages", 2, "--costs", costs), ("sweep", "--predict-only")]
        most = [("run",), ("run", "--dry-run"), ("check",), *plans]
        others = [("run",), ("run", "--dry-run", "--json"), *plans, ("curve", "--costs", costs), ("sweep", "--split-sizes", "1"), ("profile",)]
        for data, commands in [({"source": "random", "shape": [10], "batch": 2, "rows": 5, "epochs": 1}, most),
                               ({"source": "file", "path": self.rows([0, 1, 2, 3, 4]), "shape": [10], "batch": 2, "epochs": 1}, others)]:
            self.same_words(self.experiment(data=data, variants=[PIPELINE], training={"loss": "cross_entropy"}), commands,
                            'data.batch: An epoch of 5 samples ends in a batch of 1 by batches of 2, fewer than the 2 micro-batches of "Pipeline". '
                            "Choose another batch or a larger split size.")

    def test_plans_need_no_data(self):
        data = {"source": "file", "path": "absent.safetensors", "shape": [10], "batch": 2, "epochs": 1}
        experiment = self.experiment(data=data, variants=[PIPELINE])
        for command in (["simulate"], ["plan", "--stages", 2], ["curve"]):
            self.done(*command, experiment, "--costs", self.toy_costs())
        self.same_words(experiment, [("run",), ("run", "--dry-run"), ("check",)], "absent.safetensors")

    def test_classes_that_the_network_does_not_have(self):
        for ids, words in [([0, 1, 5], "a class id is 5, and the model has 5 classes, counted from 0. Set model.classes to 6."),
                           ([0, 2**40, 1], "a class id is 1099511627776, and the model has 5 classes, counted from 0. A network may have 1 to 1000000 classes."),
                           ([0, -1, 1], "a class id is -1. Count classes from 0")]:
            experiment = self.experiment(data={"source": "file", "path": self.rows(ids), "shape": [10], "batch": 3, "steps": 1},
                                         training={"loss": "cross_entropy"}, variants=[PIPELINE])
            self.same_words(experiment, [("run",), ("run", "--dry-run"), ("check",)], words)

    def test_folders_that_a_run_would_not_write(self):
        experiment = self.experiment(repeats=1, warmup=0, variants=[PIPELINE])
        self.done("run", experiment, "--out", "taken")
        self.done("run", experiment, "--out", "free", "--dry-run")
        self.assertFalse((self.folder / "free").exists())
        other = ("--out", "taken", "--resume", "--set", "training.lr=0.5")
        for options, words in [(("--out", "taken"), "taken is not empty"), (("--out", experiment), "is not a folder"), (other, "holds a run of another experiment")]:
            self.same_words(experiment, [("run", *options), ("run", "--dry-run", *options)], words)
        self.done("run", experiment, "--out", "taken", "--resume", "--dry-run")

    def test_memory_that_is_not_there(self):
        large = self.experiment(model={"arch": "resnet50", "classes": 1000}, data={"source": "random", "shape": [3, 512, 512], "batch": 4000, "steps": 2},
                                training={"loss": "cross_entropy"}, variants=[{"name": "Single", "strategy": "single", "lanes": [0]}])
        result = self.exits(2, "run", large, "--dry-run")
        self.assertIn("Single, cpu:0", result.stdout)
        self.assertRegex(result.stderr.splitlines()[-1], r"Single needs .* of system memory at its peak .* --force")
        self.assertIn("Single, cpu:0", self.done("run", large, "--dry-run", "--force").stdout)


if __name__ == "__main__":
    unittest.main()
