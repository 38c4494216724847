#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""device-map: where accelerate's rules put the modules of a network."""
import json
import unittest

from cli_world import CliTest, call

LLAMA = {"model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 100,
         "torch_dtype": "float16"}


def asked(*arguments):
    return call("device-map", *arguments)


class DeviceMap(CliTest):
    def file(self, name, value):
        path = self.folder / name
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return path

    def map_of(self, *arguments):
        return json.loads(self.done("device-map", *arguments, "--json").stdout)

    def test_resnet50_as_accelerate_maps_it(self):
        found = self.map_of("resnet50", "--policy", "balanced", "--max-memory", "1=200MiB", "--max-memory", "0=200MiB", "--no-split", "Bottleneck")
        self.assertEqual(found["device_map"]["layer3.3"], 0)
        self.assertEqual(found["device_map"]["layer3.4"], 1)
        self.assertEqual(found["device_map"]["fc"], 1)

    def test_limits_after_balancing(self):
        found = self.map_of("resnet50", "--max-memory", "0=200MiB", "--max-memory", "1=200MiB", "--max-memory", "cpu=8MiB")
        self.assertEqual(found["max_memory"], {"0": 52417256, "1": 209715200, "cpu": 8388608})

    def test_tree_file_with_its_own_order_and_ties(self):
        tree = {"class": "Net", "children": {
            "b": {"class": "Linear", "parameters": {"weight": {"shape": [10, 10], "dtype": "float32", "tie": "t"}}},
            "a": {"class": "Linear", "parameters": {"weight": {"shape": [50], "dtype": "float32"}}},
            "0": {"class": "Linear", "parameters": {"weight": {"shape": [50], "dtype": "float32"}}},
            "c": {"class": "Linear", "parameters": {"weight": {"shape": [10, 10], "dtype": "float32", "tie": "t"}}}}}
        found = self.map_of("--tree", self.file("t.json", tree), "--policy", "sequential", "--max-memory", "0=640", "--max-memory", "1=1000")
        self.assertEqual(found["device_map"], {"b": 0, "a": 1, "0": 1, "c": 0})

    def test_llama_by_its_configuration(self):
        found = self.map_of("llama", "--config", self.file("config.json", LLAMA), "--policy", "sequential", "--max-memory", "0=1GB")
        self.assertEqual(found["device_map"], {"": 0})

    def test_buffers_that_vanish_are_named(self):
        tensor = {"shape": [100], "dtype": "float32"}
        inner = {"class": "Linear", "parameters": {"w": tensor}}
        tree = {"class": "A", "children": {"m": {"class": "B", "buffers": {"scale": tensor}, "children": {"x": inner, "y": inner}}}}
        result = asked("--tree", self.file("t.json", tree), "--policy", "sequential", "--max-memory", "0=850", "--max-memory", "1=850", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("m.scale", result.stderr)
        self.assertNotIn("m.scale", json.loads(result.stdout)["device_map"])

    def test_text_names_devices_and_sizes(self):
        text = asked("toy", "--max-memory", "cpu=1MiB").stdout
        self.assertIn("cpu", text)
        self.assertIn("660 B in total", text)

    def test_bad_input(self):
        tree = self.file("t.json", {"class": "A", "children": {"m": {"class": "B", "kids": {}}}})
        cases = [(["resnet51"], "resnet5"), (["resnet50", "--policy", "balancd"], "balanced"), (["resnet50", "--max-memory", "0=5TB"], "5TB"),
                 (["resnet50", "--max-memory", "0"], "0=10GiB"), (["--tree", tree], "kids"), (["--tree", self.folder / "none.json"], "does not exist"),
                 (["llama"], "--config"), ([], "MODEL"), (["resnet50", "--config", tree], "llama")]
        for arguments, part in cases:
            with self.subTest(arguments=arguments):
                self.assertIn(part, self.refused("device-map", *arguments, "--json"))

    def test_where_there_is_no_map(self):
        result = asked("toy", "--policy", "balanced_low_0", "--max-memory", "1=100", "--max-memory", "2=100", "--json")
        self.assertEqual(result.returncode, 1)
        self.assertIn("GPU 0", result.stderr)


if __name__ == "__main__":
    unittest.main()
