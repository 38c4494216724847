#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Exported networks against PyTorch's own eager mode: loss and all gradients, bit for bit, on one thread. Where PyTorch itself traces other calls than it runs,
bit for bit against its own run of the graph.

Usage: graph_test.py GRAPH_GRADIENTS
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

import torch
from safetensors.torch import load_file, save_file

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "data"))
import make_exported  # noqa: E402

warnings.filterwarnings("ignore")
PROGRAM = sys.argv.pop(1)
LIMIT = 120  # seconds


def without_dropout(network):
    """Its random numbers come from another generator there."""
    for module in network.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
        for name in ("attention_dropout", "dropout", "dropout_p", "attn_dropout", "p"):
            if isinstance(getattr(module, name, None), float):
                setattr(module, name, 0.0)
    return network


def trained(network, inputs):
    """Loss and gradients; those of tied parameters together under the first name."""
    network.zero_grad()
    loss = network(inputs).square().mean()
    loss.backward()
    return {"loss": loss.detach()} | {name: each.grad.clone() for name, each in network.named_parameters() if each.grad is not None}


# Traced otherwise than they run: attention of grouped heads repeats the keys in a graph, and sums them in a kernel in eager mode.
TRACED_OTHERWISE = {"llama"}
TRAINED = [name for name in make_exported.NETWORKS if name != "mixtral"]


class Graph(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        """All networks in one process, whose start takes longer than they do: {name: what eager mode, its graph and that process have}."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.results, words = {}, []
        for name in TRAINED:
            files = [str(pathlib.Path(folder.name, name + end)) for end in (".pt2", ".in", ".out")]
            cls.results[name] = (*cls.expected(name, *files[:2]), files[2])
            words += files
        run = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=LIMIT)
        assert run.returncode == 0, run.stderr

    @staticmethod
    def expected(name, file, data):
        make, example = make_exported.NETWORKS[name]
        torch.manual_seed(3)
        network, inputs = without_dropout(make().train()), torch.cat([example(), example()])
        batch = torch.export.Dim("batch", min=1, max=4096)
        program = torch.export.export(network, (example(),), dynamic_shapes=({0: batch},))
        torch.export.save(program, file)
        save_file({"inputs": inputs}, data)
        wanted = trained(network, inputs)
        return wanted, trained(program.module(), inputs) if name in TRACED_OTHERWISE else wanted

    def equals_eager(self, name):
        wanted, traced, out = self.results[name]
        found = load_file(out)
        self.assertEqual(sorted(traced), sorted(found))
        self.assertEqual([], [each for each in traced if not torch.equal(traced[each], found[each])])
        self.assertEqual([], [each for each in wanted if not torch.allclose(wanted[each], found[each], rtol=1e-4, atol=1e-7)])

    def test_mixtral_is_refused_by_the_name_of_its_operator(self):
        file = pathlib.Path(make_exported.FOLDER, "mixtral.pt2")
        run = subprocess.run([PROGRAM, str(file), "none", "none"], capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(run.returncode, 1)
        self.assertIn("grouped_mm_fallback", run.stderr)
        self.assertIn("of module", run.stderr)


for each in TRAINED:
    setattr(Graph, f"test_{each}", lambda self, name=each: self.equals_eager(name))


if __name__ == "__main__":
    torch.set_num_threads(1)
    unittest.main()
