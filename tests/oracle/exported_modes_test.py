#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""new-model against eager PyTorch of the network as its factory returned it: modules in eval mode, and what torch.compile() and DataParallel put around
modules. Weights after some steps are equal bit for bit on one thread.

Usage: exported_modes_test.py PATH_OF_LANELAB_CLI
"""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import torch
from safetensors.torch import load_file, save_file

from one_pytorch import exporting_python

CLI = sys.argv.pop(1)
LIMIT = 120  # seconds
BATCH, STEPS, RATE, SPLIT = 8, 3, 0.05, 4

NETWORKS = """
import torch
from torch import nn


class Stack(nn.Module):
    # Two norms, a dropout and a residual branch.
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(2, 6, 3, padding=1, bias=False), nn.BatchNorm2d(6, eps=1e-3, momentum=0.2), nn.ReLU())
        self.drop = nn.Dropout2d(0.4)
        self.branch = nn.Sequential(nn.Conv2d(6, 6, 3, padding=1), nn.BatchNorm2d(6, affine=False))
        self.head = nn.Linear(6, 4)
        with torch.no_grad():
            for norm in (self.stem[1], self.branch[1]):
                norm.running_mean.uniform_(-1, 1)
                norm.running_var.uniform_(1, 3)

    def forward(self, x):
        x = self.drop(self.stem(x))
        return self.head((x + torch.tanh(self.branch(x))).mean((2, 3)))


class Settled(Stack):
    def train(self, mode=True):
        super().train(mode)
        self.stem.eval()
        self.drop.eval()
        return self


def first_norm():
    net = Stack()
    net.stem[1].eval()
    net.drop.eval()
    return net


def second_norm():
    net = Stack()
    net.branch.eval()
    net.drop.eval()
    return net


def own_train():
    return Settled().eval()


def plain():
    net = Stack()
    net.drop.p = 0.0
    return net


def wrapped():
    net = plain()
    net.branch = nn.DataParallel(torch.compile(net.branch))
    net.head.compile()
    return torch.compile(nn.DataParallel(net))


class Flat(nn.Module):
    # Norms of a sequence, all in eval mode; the network itself is in train mode.
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 5, 3)
        self.norm = nn.BatchNorm1d(5)
        self.instance = nn.InstanceNorm1d(5, affine=True, track_running_stats=True)
        self.out = nn.Linear(5, 4)

    def forward(self, x):
        return self.out(torch.relu(self.instance(self.norm(self.conv(x.flatten(2))))).mean(2))


def statistics():
    net = Flat()
    with torch.no_grad():
        for norm in (net.norm, net.instance):
            norm.running_mean.uniform_(-1, 1)
            norm.running_var.uniform_(1, 3)
            norm.eval()
    return net
"""

VARIANTS = [
    {"name": "single", "strategy": "single"},
    {"name": "cut", "strategy": "model-parallel"},
    {"name": "gpipe", "strategy": "pipeline", "schedule": "gpipe", "split_size": SPLIT},
    {"name": "zb-h1", "strategy": "pipeline", "schedule": "zb-h1", "split_size": SPLIT},
    {"name": "recompute", "strategy": "pipeline", "schedule": "1f1b", "split_size": SPLIT, "recompute": [0, 1]},
    {"name": "data-parallel", "strategy": "data-parallel"},
    {"name": "ddp", "strategy": "ddp"},
]


def trained(net, data, split):
    """A plain loop over micro-batches; what state_dict() has afterwards."""
    optimizer = torch.optim.SGD(net.parameters(), lr=RATE)
    for _ in range(STEPS):
        optimizer.zero_grad()
        for rows in range(0, BATCH, split):
            loss = torch.nn.functional.cross_entropy(net(data["inputs"][rows:rows + split]), data["targets"][rows:rows + split])
            (loss * (split / BATCH) if split < BATCH else loss).backward()
        optimizer.step()
    return net.state_dict()


class Modes(unittest.TestCase):
    printed = {}

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.python = exporting_python(cls.folder, sys.executable)
        (cls.folder / "nets.py").write_text(NETWORKS)
        spec = importlib.util.spec_from_file_location("nets", cls.folder / "nets.py")
        cls.nets = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(cls.nets)
        torch.manual_seed(11)
        cls.data = {"inputs": torch.randn(BATCH, 2, 5, 4), "targets": torch.randint(4, (BATCH,))}
        save_file(cls.data, cls.folder / "rows.safetensors")

    def called(self, *arguments):
        environment = os.environ | {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        done = subprocess.run([CLI, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=LIMIT, env=environment)
        self.assertEqual(done.returncode, 0, (arguments, done.stdout, done.stderr))
        return done.stdout

    def made(self, factory):
        """What new-model prints, once for each factory, and a network that is built the same way."""
        if factory not in self.printed:
            self.printed[factory] = self.called("new-model", f"nets.py:{factory}", "--input", "2x5x4", "--out", f"{factory}.pt2", "--python", self.python)
        torch.manual_seed(0)
        return self.printed[factory], getattr(self.nets, factory)()

    def experiment(self, factory, variants, layout):
        blocks = json.loads(self.called("summary", f"{factory}.pt2", "--json"))["blocks"]
        path = self.folder / f"{factory}.json"
        cuts = {"cuts": [blocks[len(blocks) // 2]]}
        path.write_text(json.dumps({
            "name": factory, "model": {"file": f"{factory}.pt2"}, "data": {"source": "file", "path": "rows.safetensors", "batch": BATCH, "steps": STEPS},
            "training": {"loss": "cross_entropy", "optimizer": "sgd", "lr": RATE, "layout": layout, "kernels": "aten"}, "lanes": [{"device": "cpu:0"}, {"device": "cpu:1"}],
            "variants": [variant | (cuts if variant["strategy"] in ("model-parallel", "pipeline") else {}) for variant in variants], "repeats": 1, "warmup": 0}))
        return path

    def equals_eager(self, factory, net, layout="contiguous", variants=tuple(VARIANTS[:5])):
        """`net` is left as it was."""
        self.called("run", self.experiment(factory, variants, layout), "--out", f"{factory}-{layout}", "--save-weights")
        format = torch.channels_last if layout == "channels_last" else torch.contiguous_format
        before = {name: tensor.clone() for name, tensor in net.state_dict().items()}
        wanted = {}
        for split in (BATCH, SPLIT):
            net.load_state_dict(before)
            data = self.data | {"inputs": self.data["inputs"].contiguous(memory_format=format)}
            wanted[split] = {name: tensor.clone() for name, tensor in trained(net.to(memory_format=format), data, split).items()}
        net.load_state_dict(before)
        for variant in variants:
            found = load_file(self.folder / f"{factory}-{layout}" / f"weights-{variant['name']}.safetensors")
            expected = wanted[variant.get("split_size", BATCH)]
            with self.subTest(factory=factory, layout=layout, variant=variant["name"]):
                self.assertEqual(sorted(found), sorted(expected))
                self.assertEqual([], [name for name in expected if not torch.equal(found[name], expected[name])])

    def test_norms_that_the_factory_left_in_eval_mode_keep_their_statistics(self):
        for factory, sentence in (("first_norm", "stem.1 (BatchNorm2d), drop (Dropout2d)"), ("second_norm", "drop (Dropout2d), branch (Sequential)")):
            printed, net = self.made(factory)
            self.assertIn(f"In eval mode, and left so: {sentence}\n", printed)
            self.assertNotIn("switched", printed)
            for layout in ("contiguous", "channels_last"):
                self.equals_eager(factory, net, layout)

    def test_replicas_and_every_schedule_agree_with_one_device(self):
        self.made("first_norm")
        for layout in ("contiguous", "channels_last"):
            report = json.loads(self.called("check", self.experiment("first_norm", VARIANTS, layout), "--json"))
            self.assertEqual([], [variant["name"] for variant in report["variants"] if not variant["equal"] or variant["tolerance"]])
            self.assertEqual((report["eager"]["torch"], report["eager"]["gradients"], report["eager"]["equal"]), (torch.__version__, 7, True))
            self.assertLess(report["eager"]["relative_difference"], 1e-3)
        printed = self.called("check", self.experiment("first_norm", VARIANTS[:1], "contiguous"), "--steps", 1)
        self.assertRegex(printed, r"\neager PyTorch \S+: loss and 7 gradients (within \S+|are equal)\n$")

    def test_a_network_all_in_eval_mode_is_switched_as_its_train_does(self):
        printed, net = self.made("own_train")
        self.assertIn("The network came in eval mode and was switched to train mode.\n", printed)
        self.assertIn("In eval mode, and left so: stem (Sequential), drop (Dropout2d)\n", printed)
        self.equals_eager("own_train", net.train())

    def test_norms_of_sequences_keep_their_statistics(self):
        _, net = self.made("statistics")
        self.equals_eager("statistics", net)

    def test_wrapped_networks_train_under_the_names_of_the_inner_one(self):
        printed, _ = self.made("wrapped")
        self.assertNotIn("eval mode", printed)
        torch.manual_seed(0)
        self.equals_eager("wrapped", self.nets.plain(), variants=VARIANTS[:1])


if __name__ == "__main__":
    torch.set_num_threads(1)
    unittest.main(verbosity=2)
