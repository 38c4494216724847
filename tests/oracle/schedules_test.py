#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""PyTorch's torch.distributed.pipelining as the reference: the order of every rank's compute actions, and its compute-only CSV.

Usage: schedules_test.py PATH_OF_SCHEDULE_ORDERS PATH_OF_LANELAB_CLI [unittest's options]. Runs in the Python whose PyTorch LaneLab is built with.
"""
import csv
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

from torch.distributed.pipelining.schedules import _Action, _format_pipeline_order

import pytorch_orders

ORDERS = CLI = ""
TIME_LIMIT_S = 100
LANES = range(1, 9)
MICRO_BATCHES = range(1, 33)


def ours(requests):
    """[(name, stages, lanes, micro-batches)] -> by request the rows of actions."""
    text = "".join(" ".join(map(str, request)) + "\n" for request in requests)
    result = subprocess.run([ORDERS], input=text, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=True)
    schedules = result.stdout.split("\n\n")[:-1]
    assert len(schedules) == len(requests), result.stderr
    return [[row.split(",") for row in schedule.split("\n")] for schedule in schedules]


def cli(*arguments):
    return subprocess.run([CLI, *map(str, arguments)], capture_output=True, text=True, timeout=TIME_LIMIT_S, stdin=subprocess.DEVNULL)


class Orders(unittest.TestCase):
    def expect_same(self, name, own, reference, least):
        """`reference(lanes, micro-batches)` against ours, wherever PyTorch has one; at least `least` of them."""
        wanted = {(p, m): reference(p, m) for p in LANES for m in MICRO_BATCHES}
        wanted = {key: rows for key, rows in wanted.items() if rows is not None}
        self.assertGreaterEqual(len(wanted), least)
        actual = ours([(name, own * p, p, m) for p, m in wanted])
        for ((p, m), rows), made in zip(wanted.items(), actual):
            for rank in range(p):
                self.assertEqual(made[rank], rows[rank], f"{name}, {p} lanes of {own} stages, {m} micro-batches, rank {rank}")

    def test_gpipe(self):
        self.expect_same("gpipe", 1, pytorch_orders.gpipe, 256)

    def test_1f1b(self):
        self.expect_same("1f1b", 1, pytorch_orders.one_forward_one_backward, 228)

    def test_interleaved_1f1b(self):
        for own in (1, 2, 3, 4):
            self.expect_same("interleaved-1f1b", own, lambda p, m, own=own: pytorch_orders.interleaved(p, own, m), 130)

    def test_interleaved_zero_bubble(self):
        for own in (1, 2, 3, 4):
            self.expect_same("interleaved-zb", own, lambda p, m, own=own: pytorch_orders.interleaved_zero_bubble(p, own, m), 130)

    def test_looped_bfs_but_for_the_direction_of_a_stages_backwards(self):
        def ascending(p, m, own):
            """PyTorch's with each stage's backwards in micro-batch order, as all our schedules sum gradients."""
            def turned(row):
                return [f"{stage}B{m - 1 - int(k)}" for stage, k in (action.split("B") for action in row)]
            return [row[:own * m] + turned(row[own * m:]) for row in pytorch_orders.looped_breadth_first(p, own, m)]

        for own in (1, 2, 3, 4):
            self.expect_same("looped-bfs", own, lambda p, m, own=own: ascending(p, m, own), 256)

    def test_zb_v(self):
        self.expect_same("zb-v", 2, pytorch_orders.zero_bubble_v, 256)

    def test_dual_pipe_v(self):
        self.expect_same("dualpipe-v", 2, pytorch_orders.dual_pipe_v, 192)


class Csv(unittest.TestCase):
    """lanelab-cli's text read as PyTorch's _load_csv does, and PyTorch's, with idle slots as empty cells, read by lanelab-cli."""

    CASES = [("gpipe", 4, 4, 8), ("1f1b", 4, 4, 8), ("interleaved-1f1b", 8, 4, 8), ("zb-v", 8, 4, 8), ("dualpipe-v", 8, 4, 8), ("v-half", 8, 4, 8)]

    def test_pytorch_reads_ours(self):
        for name, stages, lanes, micro_batches in self.CASES:
            text = cli("schedule", name, "--stages", stages, "--lanes", lanes, "--micro-batches", micro_batches, "--format", "csv").stdout
            rows = [[_Action.from_str(cell) for cell in row] for row in csv.reader(io.StringIO(text))]
            self.assertEqual(len(rows), lanes)
            self.assertIn("Rank 3", _format_pipeline_order(dict(enumerate(rows))))
            self.assertEqual([[str(action) for action in row] for row in rows], ours([(name, stages, lanes, micro_batches)])[0])

    def test_we_read_pytorchs(self):
        rows = pytorch_orders.zero_bubble_v(4, 8)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "order.csv"
            with open(path, "w", newline="") as file:
                csv.writer(file).writerows([[""] * rank + row + [""] for rank, row in enumerate(rows)])
            result = cli("schedule", "--file", path, "--format", "csv")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual([row.split(",") for row in result.stdout.splitlines()], rows)

            path.write_text("0F0,0B0\n1B0,1F0\n")
            result = cli("schedule", "--file", path)
            self.assertEqual(result.returncode, 2)
            self.assertIn("Deadlock", result.stderr)


if __name__ == "__main__":
    ORDERS, CLI = sys.argv.pop(1), sys.argv.pop(1)
    unittest.main()
