#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""A .pt2 file as MODEL of infer, device-map and weights: what is written, and what is refused with which words."""
import json
import math
import struct
import unittest

from cli_world import EXPORTED, CliTest

TYPES = {"F32": "f", "I64": "q", "I32": "i"}


def written(path, tensors):
    """safetensors without torch: (type, shape, value of each element) by name."""
    header, data = {}, b""
    for name, (dtype, shape, value) in tensors.items():
        content = struct.pack("<" + TYPES[dtype], value) * math.prod(shape)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


def header_of(path):
    data = path.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    return json.loads(data[8:8 + length])


class ExportedInference(CliTest):
    def inputs(self, *tensor, name="inputs"):
        return written(self.folder / "in.safetensors", {name: tensor})

    def infer(self, network, *arguments):
        return ["infer", EXPORTED / f"{network}.pt2", "--input", self.folder / "in.safetensors", "--out", self.folder / "out.safetensors", *arguments]

    def test_logits_are_the_same_in_memory_and_from_disk(self):
        for network, shape, tensor in [("resnet18", [18, 10], ("F32", [18, 3, 32, 32], 0.5)), ("unet", [2, 2, 16, 16], ("F32", [2, 3, 16, 16], 0.5)),
                                       ("gpt2", [3, 12, 50], ("I64", [3, 12], 7)), ("llama", [3, 12, 50], ("I32", [3, 12], 7))]:
            with self.subTest(network):
                self.inputs(*tensor)
                whole = json.loads(self.done(*self.infer(network, "--json")).stdout)
                logits = (self.folder / "out.safetensors").read_bytes()
                self.assertEqual(header_of(self.folder / "out.safetensors")["logits"]["shape"], shape)
                self.assertEqual((whole["device_map"], whole["offloaded_bytes"]), ({"": "cpu"}, 0))
                parts = json.loads(self.done(*self.infer(network, "--max-memory", "cpu=20KB", "--json")).stdout)
                self.assertGreater(parts["offloaded_bytes"], 0)
                self.assertIn("disk", parts["device_map"].values())
                self.assertEqual((self.folder / "out.safetensors").read_bytes(), logits)

    def test_8_bits_save_memory(self):
        self.inputs("F32", [1, 3, 32, 32], 0.5)
        cost = json.loads(self.done(*self.infer("resnet18", "--int8", "--json")).stdout)["int8"]
        self.assertGreater(cost["saved_bytes"], 100_000)
        self.assertGreater(cost["max_error"], 0)

    def test_what_does_not_fit_is_refused(self):
        image, tokens = ("F32", [2, 3, 32, 32], 0.5), ("I64", [2, 12], 7)
        for network, tensor, arguments, words in [
            ("mixtral", tokens, [], ["grouped_mm_fallback", "of module", ".py:"]),
            ("resnet18", ("F32", [2, 3, 16, 16], 0.5), [], ["2x3x16x16", "Nx3x32x32"]),
            ("resnet18", ("F32", [0, 3, 32, 32], 0.5), [], ["N at least 1"]),
            ("resnet18", ("I64", [2, 3, 32, 32], 1), [], ["Long", "float32"]),
            ("gpt2", ("F32", [2, 12], 7), [], ["Float", "int64"]),
            ("gpt2", ("I64", [2, 12], 50), [], ["hold 50", "from 0 to 49"]),
            ("resnet18", image, ["--generate", "2"], ["--generate"]),
            ("resnet18", image, ["--classes", "2"], ["--classes"]),
            ("resnet18", image, ["--config", "config.json"], ["--config"]),
        ]:
            with self.subTest(words=words):
                self.inputs(*tensor)
                refusal = self.refused(*self.infer(network, *arguments))
                for word in words:
                    self.assertIn(word, refusal)

    def test_missing_tensors_are_named(self):
        self.inputs("F32", [2, 3, 32, 32], 0.5, name="images")
        self.assertIn("inputs", self.refused(*self.infer("resnet18")))
        self.inputs("F32", [2, 3, 32, 32], 0.5)
        weights = written(self.folder / "w.safetensors", {"conv1.weight": ("F32", [4, 3, 7, 7], 0.1), "extra": ("F32", [1], 0)})
        refusal = self.refused(*self.infer("resnet18", "--weights", weights))
        for word in ("w.safetensors", "bn1.weight", "extra"):
            self.assertIn(word, refusal)
        self.assertIn("--weights", self.refused("infer", "resnet18", "--input", "in.safetensors", "--out", "out.safetensors"))

    def test_tied_parameters_are_written_under_each_name(self):
        self.done("weights", EXPORTED / "gpt2.pt2", "--out", "w.safetensors")
        names = header_of(self.folder / "w.safetensors")
        self.assertIn("inner.lm_head.weight", names)
        self.assertIn("inner.transformer.wte.weight", names)
        self.inputs("I64", [2, 12], 7)
        self.done(*self.infer("gpt2"))
        own = (self.folder / "out.safetensors").read_bytes()
        self.done(*self.infer("gpt2", "--weights", self.folder / "w.safetensors"))
        self.assertEqual((self.folder / "out.safetensors").read_bytes(), own)

    def test_tied_parameters_of_two_values_are_refused(self):
        shapes = {name: ("F32", each["shape"], 0.1) for name, each in self.weights("gpt2").items()}
        shapes["inner.lm_head.weight"] = ("F32", [50, 16], 0.2)
        self.inputs("I64", [2, 12], 7)
        refusal = self.refused(*self.infer("gpt2", "--weights", written(self.folder / "w.safetensors", shapes)))
        self.assertIn("inner.lm_head.weight", refusal)
        self.assertIn("different values", refusal)

    def weights(self, network):
        self.done("weights", EXPORTED / f"{network}.pt2", "--out", "w.safetensors")
        return header_of(self.folder / "w.safetensors")

    def test_buffers_that_state_dict_leaves_out_are_not_written(self):
        self.assertFalse([name for name in self.weights("llama") if "inv_freq" in name])

    def test_weights_of_a_file_have_no_seed(self):
        self.assertIn("--seed", self.refused("weights", EXPORTED / "gpt2.pt2", "--seed", "1", "--out", "w.safetensors"))
        self.assertIn("--seed", self.refused("weights", "resnet18", "--out", "w.safetensors"))

    def test_all_modules_are_mapped(self):
        found = json.loads(self.done("device-map", EXPORTED / "resnet18.pt2", "--max-memory", "0=20KB", "--max-memory", "1=60KB", "--max-memory", "cpu=1MB",
                                     "--policy", "sequential", "--no-split", "BasicBlock", "--json").stdout)["device_map"]
        self.assertLessEqual({"conv1", "bn1", "relu", "maxpool", "avgpool", "fc"}, set(found))
        self.assertFalse([path for path in found if path.count(".") > 1], found)
        self.assertIn("--classes", self.refused("device-map", EXPORTED / "resnet18.pt2", "--classes", "3"))
        self.assertIn("none.pt2", self.refused("device-map", "none.pt2"))


if __name__ == "__main__":
    unittest.main()
