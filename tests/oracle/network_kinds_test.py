#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Trains the networks of network_kinds.py in every strategy, and holds the weights against eager PyTorch: those that are refused are refused before the run.

Usage: network_kinds_test.py PATH_OF_LANELAB_CLI [unittest's options].
"""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

import torch
from safetensors.torch import load_file, save_file

import network_kinds as kinds

warnings.filterwarnings("ignore")
CLI = sys.argv.pop(1)
LIMIT = 120  # seconds
ROWS, STEPS, RATE, NEAR = 8, 3, 0.1, 2e-6

# Name, what the experiment says, and the step of eager PyTorch.
VARIANTS = [
    ("single", {"strategy": "single"}, lambda eager, x, y: eager.accumulated(x, y, ROWS)),
    ("gpipe", {"strategy": "pipeline", "schedule": "gpipe", "split_size": 4, "cuts": True}, lambda eager, x, y: eager.accumulated(x, y, 4)),
    ("zb-h1", {"strategy": "pipeline", "schedule": "zb-h1", "split_size": 4, "cuts": True}, lambda eager, x, y: eager.accumulated(x, y, 4)),
    ("recompute", {"strategy": "pipeline", "schedule": "1f1b", "split_size": 4, "cuts": True, "recompute": True}, lambda eager, x, y: eager.accumulated(x, y, 4)),
    ("data-parallel", {"strategy": "data-parallel", "lanes": [0, 1]}, lambda eager, x, y: eager.gathered(x, y, 2)),
    ("ddp", {"strategy": "ddp", "lanes": [0, 1]}, lambda eager, x, y: eager.averaged(x, y, 2)),
]


def called(*arguments):
    environment = os.environ | {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    return subprocess.run([CLI, *map(str, arguments)], capture_output=True, text=True, timeout=LIMIT, env=environment, check=False)


def difference(found, wanted, scale):
    """Relative to the tensor, or to the smallest number that counts in the network."""
    found, wanted = found.double(), wanted.double()
    return ((found - wanted).abs().max() / wanted.abs().max().clamp(min=scale)).item() if wanted.numel() else 0.0


class NetworkKinds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        torch.set_num_threads(1)

    def written(self, factory, shape, classes, variants, layout="channels_last"):
        torch.manual_seed(3)
        network = factory()
        inputs, targets = kinds.samples(shape, classes, ROWS)
        kinds.export(copy.deepcopy(network), inputs[:2], self.folder / "net.pt2")
        save_file({"inputs": inputs, "targets": targets}, self.folder / "data.safetensors")
        summary = json.loads(called("summary", self.folder / "net.pt2", "--json").stdout)
        cut = summary["blocks"][len(summary["blocks"]) // 2]
        told = [{"name": name} | variant | ({"cuts": [cut]} if variant.get("cuts") else {}) for name, variant, _ in variants]
        experiment = {"model": {"file": "net.pt2"}, "data": {"source": "file", "path": "data.safetensors", "batch": ROWS, "steps": STEPS},
                      "training": {"loss": "cross_entropy", "lr": RATE, "layout": layout}, "lanes": [{"device": "cpu:0"}, {"device": "cpu:1"}],
                      "variants": told, "repeats": 1, "warmup": 0, "record": "off"}
        (self.folder / "e.json").write_text(json.dumps(experiment))
        return network, inputs, targets, summary["totals"]

    def test_weights_are_those_of_eager_pytorch_in_every_strategy(self):
        for name, (factory, shape, classes) in kinds.TRAINED.items():
            network, inputs, targets, totals = self.written(factory, shape, classes, VARIANTS)
            if "spare" not in name:  # which is no part of the graph
                with self.subTest(network=name, what="frozen parameters are counted apart"):
                    self.assertEqual(totals["frozen_parameters"], sum(p.numel() for p in network.parameters() if not p.requires_grad))
            run = self.folder / name.replace(" ", "-")
            done = called("run", self.folder / "e.json", "--out", run, "--save-weights")
            with self.subTest(network=name):
                self.assertEqual(done.returncode, 0, done.stderr)
            if done.returncode != 0:
                continue
            for variant, _, step in VARIANTS:
                eager = kinds.EagerTraining(copy.deepcopy(network), RATE)
                for _ in range(STEPS):
                    step(eager, inputs, targets)
                with self.subTest(network=name, variant=variant):
                    self.compare(load_file(run / f"weights-{variant}.safetensors"), eager.network, network)

    def compare(self, found, trained, start):
        still = {name for name, parameter in start.named_parameters(remove_duplicate=False) if not parameter.requires_grad}
        for name, wanted in trained.state_dict().items():
            if name in still:
                self.assertTrue(torch.equal(found[name], start.state_dict()[name]), f"{name} is frozen, and changed")
            elif wanted.is_floating_point():
                self.assertLess(difference(found[name], wanted, 1e-2), NEAR, name)
            else:
                self.assertTrue(torch.equal(found[name], wanted), name)

    def test_what_cannot_be_trained_is_refused_with_module_and_line(self):
        for place, (name, (factory, shape, names)) in enumerate(kinds.REFUSED.items()):
            self.written(factory, shape, 3, VARIANTS[:1])
            # `check` refuses what `run` refuses, as tests/unit/cli/refusals_test.py has it; so once here.
            for command in (["run", "--out", self.folder / "out"], ["check"])[:1 if place else 2]:
                done = called(command[0], self.folder / "e.json", *command[1:])
                with self.subTest(network=name, command=command[0]):
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertRegex(done.stderr, names)
                    self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main()
