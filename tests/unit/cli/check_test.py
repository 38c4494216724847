#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""check: strategies against the single-device reference."""
import json
import unittest

from cli_world import EXPERIMENT, CliTest


class Checking(CliTest):
    def test_every_variant_equals_its_reference_bit_for_bit(self):
        report = json.loads(self.done("check", self.experiment(), "--json").stdout)
        self.assertTrue(report["equal"])
        self.assertEqual([variant["name"] for variant in report["variants"]], [variant["name"] for variant in EXPERIMENT["variants"]])
        for variant in report["variants"]:
            self.assertEqual([(group["what"], group["tensors"]) for group in variant["groups"]],
                             [("losses", 2), ("gradients", 4), ("parameters", 4), ("buffers", 0)])
            for group in variant["groups"]:
                self.assertEqual(group["bitwise"], group["tensors"])

    def test_bad_experiments_are_refused(self):
        self.assertIn("net9", self.refused("check", self.experiment(variants=[{**EXPERIMENT["variants"][2], "cuts": ["net9"]}])))
        self.refused("check", self.experiment(), "--steps", 0)


if __name__ == "__main__":
    unittest.main()
