#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""The networks of resources/models, with the commands that README names for them.

Usage: models_test.py PATH_OF_LANELAB_CLI
"""
import json
import pathlib
import struct
import unittest

from cli_world import CliTest

MODELS = pathlib.Path(__file__).resolve().parents[3] / "resources" / "models"
TINY = MODELS / "tiny-llama"


def tensor(path, name):
    """A tensor of int64, without torch: safetensors is the length of a header, the header, the numbers."""
    data = path.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    first, end = json.loads(data[8:8 + length])[name]["data_offsets"]
    return list(struct.unpack_from(f"<{(end - first) // 8}q", data, 8 + length + first))


class Models(CliTest):
    def map_of(self, *arguments):
        return json.loads(self.done("device-map", *arguments, "--json").stdout)["device_map"]

    def test_llama_2_7b(self):
        config = ["llama", "--config", MODELS / "llama-2-7b" / "config.json"]
        # 6,738,415,616 weights of two bytes, and the two buffers of the rotary embedding.
        self.assertEqual(self.map_of(*config, "--policy", "sequential", "--max-memory", "cpu=13476831744"), {"": "cpu"})
        self.assertNotEqual(self.map_of(*config, "--policy", "sequential", "--max-memory", "cpu=13476831743"), {"": "cpu"})
        self.assertIn("12.6 GiB in total", self.done("device-map", *config, "--max-memory", "cpu=30GiB").stdout)
        # Of 10 GiB one layer's 404,766,720 bytes stay free; the embedding takes 262,144,000, and 24 layers fit into what is left.
        found = self.map_of(*config, "--max-memory", "0=10GiB", "--max-memory", "cpu=30GiB", "--no-split", "LlamaDecoderLayer")
        self.assertEqual([found[f"model.layers.{layer}"] for layer in range(32)], [0] * 24 + ["cpu"] * 8)
        self.assertEqual((found["model.embed_tokens"], found["lm_head"]), (0, "cpu"))

    def test_every_strategy_fits_7b_on_three_gpus(self):
        limits = [text for gpu in range(3) for text in ("--max-memory", f"{gpu}=8GiB")]
        for policy, on_first in {"auto": 10, "balanced": 10, "balanced_low_0": 0, "sequential": 19}.items():
            found = self.map_of("llama", "--config", MODELS / "llama-2-7b" / "config.json", "--policy", policy, "--no-split", "LlamaDecoderLayer", *limits)
            self.assertLessEqual(set(found.values()), {0, 1, 2}, policy)
            self.assertEqual(sum(found[f"model.layers.{layer}"] == 0 for layer in range(32)), on_first, policy)

    def test_narrower_types(self):
        tree = ["--tree", MODELS / "tied-tree.json", "--max-memory", "cpu=1GB"]
        # 64000 tied, 2 x 16384 and 320 for the blocks, 4 x 64 for the norm: times four, and eight for its count.
        self.assertIn(f"{(64000 + 2 * 16384 + 320 + 256) * 4 / 1024:.0f} KiB in total", self.done("device-map", *tree).stdout)
        self.assertIn(f"{(64000 + 2 * 16384 + 320 + 256) * 2 / 1024:.0f} KiB in total", self.done("device-map", *tree, "--dtype", "float16").stdout)
        self.assertIn("float64", self.refused("device-map", *tree, "--dtype", "float61"))

    def test_tied_tree(self):
        found = self.map_of("--tree", MODELS / "tied-tree.json", "--policy", "sequential", "--max-memory", "0=330KB", "--max-memory", "1=300KB")
        self.assertEqual(found["embed"], found["head"], "tied weights lie on one device")
        self.assertEqual(set(found.values()), {0, 1})

    def test_tiny_llama_counts_on_wherever_its_weights_lie(self):
        counted = list(range(3, 13)) + list(range(10, 30, 2)) + list(range(0, 48, 5))
        for name, options in {"in memory": [], "disk": ["--max-memory", "cpu=0"], "a map by hand": ["--device-map", TINY / "device_map.json"],
                              "8 bits": ["--int8"]}.items():
            out = self.folder / "answer.safetensors"
            self.done("infer", "llama", "--config", TINY / "config.json", "--weights", TINY / "model.safetensors", "--input", TINY / "prompt.safetensors",
                      "--out", out, "--generate", 6, *options)
            self.assertEqual(tensor(out, "tokens"), counted, name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
