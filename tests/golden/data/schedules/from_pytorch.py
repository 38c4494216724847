# SPDX-License-Identifier: GPL-3.0-only
"""Writes the golden schedules from PyTorch's own loops, so that they hold its order of actions and not ours.

Usage: from_pytorch.py    (PyTorch 2.11; overwrites the CSV files beside it)
"""
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[2] / "oracle"))
import pytorch_orders

for name, order in (("gpipe", pytorch_orders.gpipe), ("1f1b", pytorch_orders.one_forward_one_backward)):
    for stages in (2, 4):
        for micro_batches in (4, 8):
            rows = [",".join(row) for row in order(stages, micro_batches)]
            (FOLDER / f"{name}-p{stages}-m{micro_batches}.csv").write_text("\n".join(rows) + "\n")
