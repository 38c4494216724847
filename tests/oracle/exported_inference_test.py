#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""infer, device-map and weights of exported networks against PyTorch and accelerate: logits of eval mode, of modules or of their graph, bit for bit on one
thread, the maps of the live network, and weights that load_state_dict() reads.

Usage: exported_inference_test.py PATH_OF_LANELAB_CLI
"""
import json
import logging
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

import torch
from accelerate.utils import modeling
from safetensors.torch import load_file, save_file

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "data"))
import make_exported  # noqa: E402

warnings.filterwarnings("ignore")
CLI = sys.argv.pop(1)
LIMIT = 120  # seconds
NEAR = {"lstm", "t5"}  # PyTorch takes other kernels for graphs that were exported in eval mode
NETWORKS = [name for name in make_exported.NETWORKS if name != "mixtral"]
ALL_ON_DISK = {"resnet18", "lstm", "gpt2", "t5"}  # of others a part
BATCH = torch.export.Dim("batch", min=1, max=4096)


def called(*arguments):
    environment = os.environ | {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    done = subprocess.run([CLI, *map(str, arguments)], capture_output=True, text=True, timeout=LIMIT, env=environment)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout


class Exported(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.files = pathlib.Path(folder.name)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def network(self, name, seed=3):
        """Trained for one forward, so that statistics differ from those of a new network."""
        make, example = make_exported.NETWORKS[name]
        torch.manual_seed(seed)
        network, inputs = make().train(), example()
        with torch.no_grad():
            network(inputs)
        return network, inputs

    def saved(self, name):
        """What network() gives for the name, as a file: exported once for all tests, since that takes most of their time."""
        path = self.files / f"{name}.pt2"
        if not path.exists():
            network, inputs = self.network(name)
            torch.export.save(torch.export.export(network, (inputs,), dynamic_shapes=({0: BATCH},)), str(path))
        return path

    def logits(self, file, inputs, *arguments):
        save_file({"inputs": inputs.contiguous()}, self.folder / "in.safetensors")
        called("infer", file, "--input", self.folder / "in.safetensors", "--out", self.folder / "out.safetensors", *arguments)
        return load_file(self.folder / "out.safetensors")["logits"]

    def test_logits_equal_the_evaluated_graph_to_the_bit_whatever_the_map(self):
        for name in NETWORKS:
            with self.subTest(name):
                network, inputs = self.network(name)
                file = self.saved(name)
                inputs = torch.cat([inputs, inputs.flip(0)])[:3]
                wanted = network.eval()(inputs).detach()
                found = self.logits(file, inputs)
                if name not in NEAR and not torch.equal(wanted, found):  # in a graph PyTorch may compute otherwise than in eager mode
                    eager, wanted = wanted, torch.export.export(network, (inputs,), dynamic_shapes=({0: BATCH},)).module()(inputs).detach()
                    torch.testing.assert_close(wanted, eager, rtol=1e-5, atol=1e-6)
                if name in NEAR:
                    torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-5)
                else:
                    self.assertTrue(torch.equal(wanted, found), f"{name}: {(wanted - found).abs().max()}")
                for limit in ("cpu=20KB", "cpu=0") if name in ALL_ON_DISK else ("cpu=20KB",):
                    self.assertTrue(torch.equal(found, self.logits(file, inputs, "--max-memory", limit)), (name, limit))

    def test_other_weights_replace_those_of_the_file(self):
        for name in ("resnet18", "gpt2", "llama", "t5"):
            with self.subTest(name):
                network, inputs = self.network(name)
                file = self.saved(name)
                other, _ = self.network(name, seed=4)
                wanted = other.eval()(inputs).detach()
                state = {key: value.clone() for key, value in other.state_dict().items()}
                pointers = {}
                tied = {key for key, value in other.state_dict().items() if value.numel() and pointers.setdefault(value.data_ptr(), key) != key}
                for left_out in (set(), tied):
                    save_file({key: value for key, value in state.items() if key not in left_out}, self.folder / "w.safetensors")
                    found = self.logits(file, inputs, "--weights", self.folder / "w.safetensors", "--max-memory", "cpu=20KB")
                    torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-5)

    def test_many_rows_are_computed_in_chunks(self):
        network, inputs = self.network("resnet18")
        file = self.saved("resnet18")
        inputs = torch.randn(35, 3, 32, 32)
        torch.testing.assert_close(self.logits(file, inputs), network.eval()(inputs).detach(), rtol=1e-5, atol=1e-6)

    def test_8_bit_weights_are_near(self):
        for name in ("resnet18", "convnext", "gpt2", "llama"):
            with self.subTest(name):
                network, inputs = self.network(name)
                found = self.logits(self.saved(name), inputs, "--int8")
                wanted = network.eval()(inputs).detach()
                error = (found - wanted).norm() / wanted.norm()
                self.assertGreater(error, 0)
                self.assertLess(error, 0.05)

    def test_maps_equal_those_of_accelerate(self):
        limits = [["0=30KB", "1=30KB"], ["0=20KB", "1=20KB", "cpu=20KB"], ["0=100KB"], ["cpu=1MB"], ["0=15KB", "cpu=30KB"]]
        compared = 0
        for name in NETWORKS:
            network, inputs = self.network(name)
            file = self.saved(name)
            classes = sorted({type(module).__name__ for module in network.modules() if list(module.children())} - {"ModuleList", type(network).__name__})
            for memory in limits:
                for policy in ("auto", "sequential"):
                    for no_split in ([], classes[:1]):
                        wanted = {limit.split("=")[0]: limit.split("=")[1] for limit in memory}
                        wanted = {int(key) if key.isdigit() else key: value for key, value in wanted.items()}
                        try:
                            wanted = (modeling.get_max_memory(wanted) if policy == "sequential"
                                      else modeling.get_balanced_memory(network, wanted, no_split))
                            places = modeling.infer_auto_device_map(network, dict(wanted), no_split)
                        except (IndexError, KeyError):
                            continue
                        options = [text for limit in memory for text in ("--max-memory", limit)] + [text for each in no_split for text in ("--no-split", each)]
                        found = json.loads(called("device-map", file, "--policy", policy, "--json", *options))
                        self.assertEqual(dict(places), found["device_map"], (name, memory, policy, no_split))
                        compared += 1
        print(f"{compared} maps equal", file=sys.stderr)
        self.assertGreater(compared, 150)

    def test_written_weights_are_those_of_state_dict(self):
        for name in NETWORKS:
            with self.subTest(name):
                network, inputs = self.network(name)
                called("weights", self.saved(name), "--out", self.folder / "w.safetensors")
                other, _ = self.network(name, seed=4)
                other.load_state_dict(load_file(self.folder / "w.safetensors"))
                for key, value in network.state_dict().items():
                    self.assertTrue(torch.equal(value, other.state_dict()[key]), key)

    def test_weights_of_a_run_are_those_of_state_dict(self):
        for name in ("gpt2", "llama"):
            with self.subTest(name):
                network, inputs = self.network(name)
                experiment = {"name": name, "model": {"file": str(self.saved(name))}, "data": {"batch": 2, "steps": 1}, "training": {"loss": "cross_entropy", "lr": 0.1},
                              "lanes": [{"device": "cpu:0"}], "variants": [{"name": "Single", "strategy": "single"}], "repeats": 1, "warmup": 0}
                (self.folder / "e.json").write_text(json.dumps(experiment))
                called("run", self.folder / "e.json", "--out", self.folder / name, "--save-weights")
                (file,) = (self.folder / name).rglob("*.safetensors")
                other, _ = self.network(name, seed=4)
                other.load_state_dict(load_file(file))
                experiment["model"]["weights"] = str(file)
                (self.folder / "e.json").write_text(json.dumps(experiment))
                called("check", self.folder / "e.json")


if __name__ == "__main__":
    logging.disable()  # accelerate says of each GPU that this machine lacks it
    torch.set_num_threads(1)
    unittest.main()
