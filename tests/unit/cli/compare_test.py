#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""compare: two timelines, action by action."""
import csv
import unittest

from cli_world import CliTest


class Comparing(CliTest):
    def test_two_timelines_are_compared_action_by_action(self):
        self.done("run", self.experiment(), "--out", "out")
        told = self.done("compare", "out", "--timeline", "Pipeline", "Pipeline", "--csv", "cells.csv").stdout
        rows = list(csv.DictReader((self.folder / "cells.csv").read_text().splitlines()))
        self.assertIn(f"{len(rows)} matching actions: B +0.0 % in total; 0 only in A, 0 only in B.", told)
        self.assertEqual({row["phase"] for row in rows}, {"F", "B", "U"})
        for row in rows:
            self.assertGreater(float(row["a_us"]), 0)
            self.assertEqual((row["b_us"], row["difference_us"], row["b_later_by_us"]), (row["a_us"], "0.000", "0.000"))
        refusal = self.refused("compare", "out", "--timeline", "Pipeline", "Single")
        self.assertRegex(refusal, r"micro-batches differ: \d+ and \d+ samples")
        self.assertIn("Choose Single, Model parallel or Pipeline", self.refused("compare", "out", "--timeline", "Pipeline", "nowhere"))
        self.refused("compare", "out", "out", "out", "--timeline", "Pipeline", "Single")


if __name__ == "__main__":
    unittest.main()
