#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Memory forecasts of exported networks against the peaks of their lanes: einsum, tensors that cross cuts and are read later, schedules, recompute; and that
plan --lane-bytes keeps to the same forecasts.

Usage: memory_test.py LANELAB_CLI
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import torch
from torch import nn
import torch.nn.functional as F

CLI = sys.argv.pop(1)
LIMIT = 120  # seconds
MIB = 1 << 20
# Of a lane of a MiB or more. Not followed are copies of gradients that lie in another order than their tensors, which are much of a lane below a MiB, and how
# far one lane runs ahead of another while it lends tensors: the forecast has MACs for times.
WORST, MEDIAN = 0.25, 0.04
LENT_BYTES = 512 << 10  # of a small lane: a tensor or two that another lane gives back earlier or later than MACs say, on a busy machine


class Heads(nn.Module):
    """Attention in heads by einsum, whose operands lie in another order than its products need."""

    def __init__(self, width=48, heads=4, depth=3):
        super().__init__()
        self.heads = heads
        self.inp = nn.Linear(24, width)
        self.qkv = nn.ModuleList(nn.Linear(width, 3 * width) for _ in range(depth))
        self.out = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        x = self.inp(x)
        for qkv, out in zip(self.qkv, self.out):
            q, k, v = (part.unflatten(-1, (self.heads, -1)) for part in qkv(x).chunk(3, -1))
            scores = torch.softmax(torch.einsum("bqhd,bkhd->bhqk", q, k) / 3.5, -1)
            x = x + out(torch.einsum("bhqk,bkhd->bqhd", scores, v).flatten(-2))
        return self.head(x.mean(1))


class Bilinear(nn.Module):
    """A weight within einsum, a product of elements, and "..."."""

    def __init__(self, width=64):
        super().__init__()
        self.inp = nn.Linear(24, width)
        self.mix = nn.Linear(width, width)
        self.kernel = nn.Parameter(torch.randn(width, width) / 8)
        self.out = nn.Linear(width, width)
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        x = self.inp(x)
        y = torch.einsum("...d,de->...e", torch.tanh(self.mix(x)), self.kernel)
        y = torch.einsum("btd,btd->btd", y, x)
        return self.head(self.out(y).amax(1))


class Skips(nn.Module):
    """Joins of channels over one, two and three blocks, whose tensors cross every cut between."""

    def __init__(self, width=16):
        super().__init__()
        self.stem = nn.Conv2d(4, width, 3, padding=1)
        self.down = nn.Conv2d(width, 2 * width, 3, 2, 1)
        self.deep = nn.Conv2d(2 * width, 2 * width, 3, padding=1)
        self.up = nn.ConvTranspose2d(2 * width, width, 2, 2)
        self.join = nn.Conv2d(2 * width, width, 3, padding=1)
        self.head = nn.Conv2d(2 * width, 3, 1)

    def forward(self, x):
        first = F.silu(self.stem(x))
        low = F.silu(self.down(first))
        deep = F.silu(self.deep(low)) + low
        x = self.join(torch.cat([self.up(deep), first], 1))
        return self.head(torch.cat([F.silu(x), first], 1))


class Ladder(nn.Module):
    """The input of the first block is added again behind every other."""

    def __init__(self, width=64, depth=5):
        super().__init__()
        self.inp = nn.Linear(24, width)
        self.steps = nn.ModuleList(nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width)) for _ in range(depth))
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        first = x = self.inp(x)
        for step in self.steps:
            x = step(x) + 0.5 * first
        return self.head(x.mean(1))


class Recurrent(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.inp = nn.Linear(24, width)
        self.layers = nn.ModuleList(nn.LSTM(width, width, batch_first=True) for _ in range(2))
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        x = self.inp(x)
        for layer in self.layers:
            x = layer(x)[0]
        return self.head(x.mean(1))


class Patches(nn.Module):
    """A kernel wider than oneDNN's own code takes."""

    def __init__(self, width=96):
        super().__init__()
        self.patch = nn.Conv2d(3, width, 16, 16)
        self.mix = nn.Linear(width, width)
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        return self.head((x + F.gelu(self.mix(x))).mean(1))


# Network, shape of a sample, batch, loss.
NETWORKS = {"Heads": (Heads, (40, 24), 32, "cross_entropy"), "Bilinear": (Bilinear, (96, 24), 64, "cross_entropy"), "Skips": (Skips, (4, 32, 32), 16, "mse"),
            "Ladder": (Ladder, (64, 24), 32, "cross_entropy"), "Recurrent": (Recurrent, (48, 24), 32, "cross_entropy"), "Patches": (Patches, (3, 64, 64), 32, "cross_entropy")}


def lanelab(*words):
    return subprocess.run([CLI, *map(str, words)], capture_output=True, text=True, timeout=LIMIT, check=False)


def pipeline(schedule, cuts, split, recompute=False):
    return {"name": f"{schedule} {' '.join(cuts)}{' again' if recompute else ''}", "strategy": "pipeline", "schedule": schedule, "split_size": split, "cuts": cuts,
            "recompute": recompute}


def variants(blocks, split):
    cuts, half = blocks[1:], blocks[len(blocks) // 2]
    found = [{"name": "Single", "strategy": "single", "lanes": [0]}]
    found += [pipeline(schedule, [cut], split) for cut in cuts for schedule in ("1f1b", "gpipe", "zb-h1")]
    found.append(pipeline("1f1b", [half], split, recompute=True))
    if len(cuts) >= 3:
        found += [pipeline(schedule, [cuts[0], cuts[len(cuts) // 2], cuts[-1]], split) for schedule in ("zb-v", "interleaved-1f1b")]
    return found


class Memory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.files, cls.blocks = {}, {}
        for name, (make, shape, _, _) in NETWORKS.items():
            torch.manual_seed(0)
            batch = torch.export.Dim("batch", min=1, max=4096)
            exported = torch.export.export(make().train(), (torch.randn(3, *shape),), dynamic_shapes=({0: batch},))
            cls.files[name] = pathlib.Path(cls.folder.name, f"{name}.pt2")
            torch.export.save(exported, cls.files[name])
            summary = lanelab("summary", cls.files[name], "--json")
            assert summary.returncode == 0, summary.stderr
            cls.blocks[name] = json.loads(summary.stdout)["blocks"]

    def experiment(self, name, chosen):
        _, shape, batch, loss = NETWORKS[name]
        path = pathlib.Path(self.folder.name, f"{name}.json")
        path.write_text(json.dumps({
            "name": name, "model": {"file": str(self.files[name])}, "data": {"source": "random", "shape": shape, "batch": batch, "steps": 2},
            "training": {"loss": loss, "optimizer": "adam", "lr": 1e-4}, "lanes": [{"device": "cpu:0"}, {"device": "cpu:1"}], "variants": chosen,
            "repeats": 1, "warmup": 0, "record": "off"}))
        return path

    def test_forecasts_are_near_the_peaks(self):
        for name, (_, _, batch, _) in NETWORKS.items():
            out = pathlib.Path(self.folder.name, f"run-{name}")
            run = lanelab("run", self.experiment(name, variants(self.blocks[name], batch // 4)), "--out", out)
            self.assertEqual(run.returncode, 0, run.stderr)
            errors = []
            for variant in json.loads((out / "run.json").read_text())["variants"]:
                for lane in variant["lanes"]:
                    if lane["peak_bytes"] < MIB:
                        continue
                    error = lane["forecast_bytes"] / lane["peak_bytes"] - 1
                    errors.append(abs(error))
                    with self.subTest(name, variant=variant["name"], lane=lane["name"]):
                        apart = abs(lane["forecast_bytes"] - lane["peak_bytes"])
                        self.assertTrue(abs(error) <= WORST or apart <= LENT_BYTES, f"{lane['forecast_bytes']} of {lane['peak_bytes']} bytes")
            with self.subTest(name):
                self.assertGreater(len(errors), 5)
                self.assertLessEqual(sorted(errors)[len(errors) // 2], MEDIAN)

    def test_plans_keep_to_the_same_forecasts(self):
        for name in ("Heads", "Skips", "Ladder"):
            blocks, split = self.blocks[name], NETWORKS[name][2] // 4
            costs = pathlib.Path(self.folder.name, f"{name}-costs.json")
            costs.write_text(json.dumps({"blocks": [{"name": block, "forward_ms": 1 + i % 3, "backward_ms": 2 + i % 2, "backward_weight_ms": 1} for i, block in enumerate(blocks)],
                                         "transfers_ms": [0.1] * (len(blocks) - 1)}))
            for schedule in ("1f1b", "zb-h1"):
                path = self.experiment(name, [pipeline(schedule, [cut], split) for cut in blocks[1:]])
                dry = lanelab("run", path, "--dry-run", "--json", "--force")
                self.assertEqual(dry.returncode, 0, dry.stderr)
                peaks = {cut: max(lane["forecast_bytes"] for lane in variant["lanes"]) for cut, variant in zip(blocks[1:], json.loads(dry.stdout)["variants"], strict=True)}
                for limit in sorted(peaks.values()):
                    for tried in (limit - 1, limit):
                        plan = lanelab("plan", path, "--costs", costs, "--stages", 2, "--schedule", schedule, "--lane-bytes", tried, "--json")
                        fitting = [cut for cut, peak in peaks.items() if peak <= tried]
                        with self.subTest(name, schedule=schedule, limit=tried):
                            self.assertEqual(plan.returncode, 0 if fitting else 2, plan.stderr)
                            if fitting:
                                self.assertIn(json.loads(plan.stdout)["cuts"][0], fitting)


if __name__ == "__main__":
    unittest.main()
