#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""The networks that ship with LaneLab: initial weights against PyTorch's of the same network and seed, bit for bit, and sizes of the files.

Usage: shipped_test.py DRAWN_WEIGHTS
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import torch
from torch import nn
from safetensors.torch import load_file

MODELS = pathlib.Path(__file__).resolve().parents[2] / "resources" / "models"
sys.path.insert(0, str(MODELS))
import make_shipped  # noqa: E402

PROGRAM = sys.argv.pop(1)


LIMIT = 120  # seconds
SEEDS = {"unet": [0, 7], "tiny-llama": [0, 7], "convnext-t": [7], "vit-s16": [7]}  # else 0; a draw of the largest takes seconds
# A file without bytes of weights; Swin-T has the most operators, whose list is most of a file.
SMALLEST, LARGEST = 4_000, 20_000


# Bounds in deviations and the mean: where most, some and few normal numbers lie between them, and on one side only.
TRUNCATED = [(-2, 2, 0), (-1, 1, 0), (-0.39, 0.39, 0), (-0.38, 0.38, 0), (-0.1, 0.2, 0), (2, 3, 0), (-3, 0.1, 0), (-1.5, 1, 0.7)]


class Truncated(nn.Module):
    """A layer for each row, below and above the sixteen numbers that PyTorch draws at once; the first draw of each is dropped."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList()
        for place, (low, high, mean) in enumerate(TRUNCATED):
            self.layers.append(nn.Linear(3, 5 + 200 * (place % 2), bias=False))
            for deviation in (1, 0.3):
                nn.init.trunc_normal_(self.layers[-1].weight, mean, deviation, low * deviation, high * deviation)

    def forward(self, x):
        return torch.cat([layer(x) for layer in self.layers], 1)


class Shipped(unittest.TestCase):
    def drawn(self, name, seed, file=None):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "out.safetensors")
            done = subprocess.run([PROGRAM, file or f"shipped:{name}.pt2", str(seed), out], capture_output=True, text=True, timeout=LIMIT, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            return load_file(out)

    def test_weights_are_those_of_the_constructor(self):
        for name, (make, _) in make_shipped.NETWORKS.items():
            for seed in SEEDS.get(name, [0]):
                with self.subTest(name, seed=seed):
                    torch.manual_seed(seed)
                    net = make()
                    drawn = self.drawn(name, seed)
                    for key, value in (dict(net.named_parameters(remove_duplicate=False)) | dict(net.named_buffers())).items():
                        if key in drawn:
                            self.assertTrue(torch.equal(drawn[key], value), key)
                    self.assertEqual({key for key, _ in net.named_parameters()} - set(drawn), set())

    def test_truncated_normals_of_all_bounds(self):
        make_shipped.NETWORKS["truncated"] = (Truncated, lambda: torch.randn(4, 3))
        self.addCleanup(make_shipped.NETWORKS.pop, "truncated")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "truncated.pt2")
            file.write_bytes(make_shipped.shipped("truncated"))
            for seed in (0, 7):
                torch.manual_seed(seed)
                wanted = dict(Truncated().named_parameters())
                drawn = self.drawn("truncated", seed, file)
                for key, row in zip(wanted, TRUNCATED, strict=True):
                    with self.subTest(seed=seed, row=row):
                        self.assertTrue(torch.equal(drawn[key], wanted[key]))

    def test_each_tensor_has_the_mean_and_deviation_of_another_seed(self):
        """What would find an order of draws that only one seed knows."""
        for name in ("vit-s16", "unet", "tiny-llama"):
            torch.manual_seed(1)
            drawn = self.drawn(name, 2)
            for key, value in make_shipped.NETWORKS[name][0]().named_parameters():
                with self.subTest(name, key=key):
                    n, deviation = value.numel(), value.std(correction=0).item()
                    self.assertLessEqual(abs(drawn[key].mean().item() - value.mean().item()), 8 * deviation / n ** 0.5)
                    self.assertLessEqual(abs(drawn[key].std(correction=0).item() - deviation), 8 * deviation / n ** 0.5)

    def test_files_are_small(self):
        for name in make_shipped.NETWORKS:
            with self.subTest(name):
                size = (MODELS / f"{name}.pt2").stat().st_size
                self.assertTrue(SMALLEST <= size <= LARGEST, size)


if __name__ == "__main__":
    unittest.main()
