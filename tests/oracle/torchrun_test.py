#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Exported training scripts under torchrun over Gloo: a step equals one on a single device, and ranks run the planned actions in the planned order.

Usage: torchrun_test.py PATH_OF_LANELAB_CLI [--sample] [unittest's options]. --sample: one run of each kind, in place of some minutes. Runs in the Python whose
PyTorch LaneLab is built with.
"""
import csv
import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import unittest

CLI = ""
TIME_LIMIT_S = 240
SAMPLE = ("interleaved", "three_stages_on_two_ranks", "a_wrong_gradient_is_named_with_its_micro_batch")
HALVES = ["layer3.0"]
QUARTERS = ["layer2.0", "layer3.0", "layer4.0"]
THREE_ON_TWO = {"stem": 0, "layer1.0": 0, "layer1.1": 0, "layer2.0": 1, "layer2.1": 1, "layer3.0": 1, "layer3.1": 1, "layer4.0": 0, "layer4.1": 0, "head": 0}
HAND_EDITED = ["0F0,0F1,0F2,0B1,0B0,0B2", "1F1,1B1,1F0,1B0,1F2,1B2"]


def pipeline(name, schedule, **more):
    return {"name": name, "strategy": "pipeline", "schedule": schedule, "split_size": 3, **more}


# Micro-batches of 3, 3 and 2 samples.
EXPERIMENT = {
    "name": "torchrun", "model": {"arch": "resnet18", "classes": 4},
    "data": {"source": "random", "shape": [3, 32, 32], "batch": 8, "steps": 3},
    "training": {"loss": "cross_entropy", "lr": 0.01, "momentum": 0.9, "seed": 1},
    "lanes": [{"device": "cpu:0"}, {"device": "cpu:1"}],
    "variants": [
        pipeline("gpipe", "gpipe", cuts=HALVES), pipeline("1f1b", "1f1b", cuts=HALVES), pipeline("interleaved", "interleaved-1f1b", cuts=QUARTERS),
        pipeline("zb-h1", "zb-h1", cuts=HALVES), pipeline("hand-edited", "custom", cuts=HALVES, actions=HAND_EDITED),
        pipeline("three on two", "1f1b", placement=THREE_ON_TWO), {"name": "replicas", "strategy": "ddp"}],
}
# Tied weights over two stages, tokens and an embedding; and five tensors over one cut.
SHIPPED = {
    "gpt2": {"model": {"file": "shipped:gpt2-small.pt2", "classes": 1024}, "data": {"shape": [64], "batch": 3}, "loss": "cross_entropy", "cut": "transformer.h.6"},
    "unet": {"model": {"file": "shipped:unet.pt2", "classes": 3}, "data": {"shape": [3, 64, 64], "batch": 3}, "loss": "mse", "cut": "bottom"},
}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Torchrun(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)

    def exported(self, variant, experiment=EXPERIMENT):
        source, out = self.folder / "experiment.json", self.folder / variant.replace(" ", "-")
        source.write_text(json.dumps(experiment))
        result = subprocess.run([CLI, "export", source, "--what", "pytorch", "--variant", variant, "--out", out], capture_output=True, text=True, timeout=TIME_LIMIT_S)
        self.assertEqual(result.returncode, 0, result.stderr)
        return out

    def run_script(self, script, *options, expected=0):
        command = [sys.executable, "-B", "-m", "torch.distributed.run", "--nproc-per-node", "2", "--master-port", str(free_port()), "train.py", *options]
        result = subprocess.run(command, cwd=script, capture_output=True, text=True, timeout=TIME_LIMIT_S)
        self.assertEqual(result.returncode, expected, result.stdout + result.stderr)
        return result.stdout

    def expect_rounding(self, script):
        self.assertIn("rounding (largest relative difference", self.run_script(script, "--check"))

    def expect_plan(self, variant):
        """The check, and the order by the ranges of PyTorch's names that each rank recorded in the steps after the first."""
        script = self.exported(variant)
        self.assertIn("rounding (largest relative difference", self.run_script(script, "--check", "--profile", "traces"))
        with open(script / "schedule.csv", newline="") as file:
            planned = list(csv.reader(file))
        for rank, row in enumerate(planned):
            trace = json.loads((script / "traces" / f"rank{rank}.json").read_text())
            self.assertEqual((trace["distributedInfo"]["rank"], trace["distributedInfo"]["world_size"]), (rank, 2))
            begun = sorted((event["ts"], event["name"]) for event in trace["traceEvents"]
                           if event.get("cat") == "user_annotation" and re.fullmatch(r"PP:\d+[FBIW]\d+", event["name"]))
            self.assertEqual([name.removeprefix("PP:") for _, name in begun], row * 2, f"rank {rank}")

    def test_gpipe(self):
        self.expect_plan("gpipe")

    def test_1f1b(self):
        self.expect_plan("1f1b")

    def test_interleaved(self):
        self.expect_plan("interleaved")

    def test_zb_h1(self):
        self.expect_plan("zb-h1")

    def test_hand_edited_order(self):
        self.expect_plan("hand-edited")

    def test_three_stages_on_two_ranks(self):
        self.expect_plan("three on two")

    def test_replicas(self):
        self.expect_rounding(self.exported("replicas"))

    def test_networks_of_files(self):
        for name, of in SHIPPED.items():
            experiment = {**EXPERIMENT, "model": of["model"], "data": {"source": "random", "steps": 1, **of["data"]}, "training": {"loss": of["loss"], "seed": 2},
                          "variants": [{"name": name, "strategy": "pipeline", "schedule": "1f1b", "split_size": 2, "cuts": [of["cut"]]}]}
            self.expect_rounding(self.exported(name, experiment))

    def test_a_wrong_gradient_is_named_with_its_micro_batch(self):
        script = self.exported("1f1b")
        text = (script / "train.py").read_text()
        before = '        if self.on_backward and kwargs.get("full_backward", True):\n'
        self.assertEqual(text.count(before), 1)
        wrong = "        if (self.index, bwd_chunk_id) == (1, 1):\n            self.module.fc.weight.grad.mul_(1.01)\n"
        (script / "train.py").write_text(text.replace(before, wrong + before))
        self.assertRegex(self.run_script(script, "--check", expected=1), r"difference in the gradient of fc\.weight, micro-batch 1 \(.*on rank 1\)")


if __name__ == "__main__":
    CLI = sys.argv.pop(1)
    if "--sample" in sys.argv:
        sys.argv.remove("--sample")
        sys.argv += [f"Torchrun.test_{name}" for name in SAMPLE]
    unittest.main()
