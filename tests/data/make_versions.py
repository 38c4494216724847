#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Writes a small network as torch.export.save() of this PyTorch writes it, and its losses in eager mode (tests/data/versions).

Usage: make_versions.py. Run it with the Python of each version of PyTorch whose archives are to be read; it needs nothing but torch.

torch-VERSION.pt2 is the archive, changed in nothing but paths of files, which are cut to their names; torch-VERSION.json has the inputs and targets of a batch, row by row, and the loss of each step of SGD.
"""
import io
import json
import pathlib
import re
import zipfile

import torch
from torch import nn
from torch.export import Dim, export, save

FOLDER = pathlib.Path(__file__).parent / "versions"
ROWS, SHAPE, CLASSES = 4, [3, 4, 4], 5
LR, STEPS = 0.1, 3


class Net(nn.Module):
    """A convolution with batch norm, in place as torchvision does it, and a head."""

    def __init__(self, width=4):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(SHAPE[0], width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True))
        self.pool = nn.AdaptiveAvgPool2d(2)
        self.head = nn.Linear(4 * width, CLASSES)

    def forward(self, x):
        return self.head(torch.flatten(self.pool(self.stem(x)), 1))


def losses_of(net, inputs, targets):
    optimizer = torch.optim.SGD(net.parameters(), lr=LR)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(inputs), targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def without_paths(data):
    """Written by PyTorch's own writer again, so that records are placed as in any archive of this version."""
    buffer = io.BytesIO()
    writer = torch._C.PyTorchFileWriter(buffer)
    writer.set_min_version(6)  # as torch.export.pt2_archive does
    source = zipfile.ZipFile(io.BytesIO(data))
    for entry in source.namelist():
        name, content = entry.partition("/")[2], source.read(entry)
        if name.endswith(".json"):
            content = re.sub(rb'(File \\")[^"]*/', rb"\1", content)
        if not name.startswith(".data/") and name != "byteorder":  # the writer adds its own
            writer.write_record(name, content, len(content))
    writer.write_end_of_file()
    return buffer.getvalue()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(3)
    net = Net().train()
    inputs, targets = torch.randint(-8, 8, (ROWS, *SHAPE)) / 4, torch.randint(CLASSES, (ROWS,))
    name = FOLDER / ("torch-" + ".".join(torch.__version__.split(".")[:2]))
    FOLDER.mkdir(exist_ok=True)
    buffer = io.BytesIO()
    save(export(net, (inputs,), dynamic_shapes=({0: Dim("batch")},)), buffer)
    pathlib.Path(f"{name}.pt2").write_bytes(without_paths(buffer.getvalue()))
    told = {"torch": torch.__version__, "lr": LR, "inputs": inputs.flatten(1).tolist(), "targets": targets.tolist(), "losses": losses_of(net, inputs, targets)}
    pathlib.Path(f"{name}.json").write_text(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
