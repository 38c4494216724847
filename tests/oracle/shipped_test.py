#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""The networks that ship with LaneLab: initial weights against PyTorch's of the same network and seed, bit for bit, and sizes of the files.

Usage: shipped_test.py DRAWN_WEIGHTS
"""
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

import torch
from safetensors.torch import load_file

MODELS = pathlib.Path(__file__).resolve().parents[2] / "resources" / "models"
sys.path.insert(0, str(MODELS))
import make_shipped  # noqa: E402

PROGRAM = sys.argv.pop(1)


def trunc_normal(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """As PyTorch up to 2.11 draws it, and LaneLab in all versions; later ones reject what lies outside, and so draw other numbers from a seed."""
    below = lambda x: (1 + math.erf((x - mean) / std / math.sqrt(2))) / 2
    with torch.no_grad():
        tensor.uniform_(2 * below(a) - 1, 2 * below(b) - 1, generator=generator)
        return tensor.erfinv_().mul_(std * math.sqrt(2)).add_(mean).clamp_(min=a, max=b)


torch.nn.init.trunc_normal_ = trunc_normal
LIMIT = 120  # seconds
SEEDS = {"gpt2-small": [0]}  # its weights are 350 MB
# A file without bytes of weights; Swin-T has the most operators, whose list is most of a file.
SMALLEST, LARGEST = 4_000, 20_000


class Shipped(unittest.TestCase):
    def drawn(self, name, seed):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "out.safetensors")
            done = subprocess.run([PROGRAM, f"shipped:{name}.pt2", str(seed), out], capture_output=True, text=True, timeout=LIMIT, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            return load_file(out)

    def test_weights_are_those_of_the_constructor(self):
        for name, (make, _) in make_shipped.NETWORKS.items():
            for seed in SEEDS.get(name, [0, 7]):
                with self.subTest(name, seed=seed):
                    torch.manual_seed(seed)
                    net = make()
                    drawn = self.drawn(name, seed)
                    for key, value in (dict(net.named_parameters(remove_duplicate=False)) | dict(net.named_buffers())).items():
                        if key in drawn:
                            self.assertTrue(torch.equal(drawn[key], value), key)
                    self.assertEqual({key for key, _ in net.named_parameters()} - set(drawn), set())

    def test_each_tensor_has_the_mean_and_deviation_of_another_seed(self):
        """What would find an order of draws that only one seed knows."""
        for name in ("vit-s16", "mixer-s16", "tiny-llama"):
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
