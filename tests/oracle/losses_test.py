#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Losses of classes, tokens and numbers against torch.nn.functional: value, gradient and right answers, bit for bit, on one thread. With padding, micro-batches
of any size against the whole batch: to the bit if there is one and nothing is smoothed, else within rounding.

Usage: losses_test.py LOSS_VALUES
"""
import functools
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import torch
from safetensors.torch import load_file, save_file
from torch.nn.functional import cross_entropy, mse_loss, one_hot

PROGRAM = sys.argv.pop(1)
LIMIT = 120  # seconds
N, T, V = 6, 16, 37


def ids(*shape):
    return torch.randint(V, shape)


def padded(targets, rows):
    """The first rows have no target, the others some."""
    targets[:rows] = -100
    targets[torch.rand(targets.shape) < 0.3] = -100
    return targets


def of_tokens(output, targets, **options):
    return cross_entropy(output.transpose(1, 2), targets, **options)


def shifted(output, targets, **options):
    return of_tokens(output[:, :-1], targets[:, 1:], **options)


# Name: loss, shift, output, targets, the loss in PyTorch, the right answers in PyTorch.
CASES = {
    "classes": ("cross_entropy", 0, (N, V), lambda: ids(N), cross_entropy, lambda o, t: o.argmax(1) == t),
    "probabilities": ("cross_entropy", 0, (N, V), lambda: torch.rand(N, V).softmax(1), cross_entropy, None),
    "tokens": ("cross_entropy", 0, (N, T, V), lambda: ids(N, T), of_tokens, lambda o, t: o.argmax(2) == t),
    "shifted tokens": ("cross_entropy", 1, (N, T, V), lambda: ids(N, T), shifted, lambda o, t: o[:, :-1].argmax(2) == t[:, 1:]),
    "as many tokens as classes": ("cross_entropy", 0, (N, V, V), lambda: ids(N, V), of_tokens, lambda o, t: o.argmax(2) == t),
    "padded classes": ("cross_entropy", 0, (N, V), lambda: padded(ids(N), 2), cross_entropy, lambda o, t: o.argmax(1) == t),
    "padded tokens": ("cross_entropy", 0, (N, T, V), lambda: padded(ids(N, T), 4), of_tokens, lambda o, t: o.argmax(2) == t),
    "padded shifted tokens": ("cross_entropy", 1, (N, T, V), lambda: padded(ids(N, T), 1), shifted, lambda o, t: o[:, :-1].argmax(2) == t[:, 1:]),
    "one-hot classes": ("mse", 0, (N, V), lambda: ids(N), lambda o, t: mse_loss(o, one_hot(t, V).float()), lambda o, t: o.argmax(1) == t),
    "numbers": ("mse", 0, (N, V), lambda: torch.randn(N, V), mse_loss, None),
    "images": ("mse", 0, (N, 2, 8, 8), lambda: torch.randn(N, 2, 8, 8), mse_loss, None),
}


# The same with label smoothing.
SMOOTHING = {}
for each in ("classes", "probabilities", "tokens", "shifted tokens", "padded classes", "padded tokens", "padded shifted tokens"):
    for share in (0.1, 1.0):
        name = f"{each}, smoothed by {share}"
        CASES[name], SMOOTHING[name] = CASES[each], share


def splits_of(name):
    return (N, 4, 1) if name.startswith("padded") else (N, 4)


def data_of(name):
    """Output and targets, the same ones each time."""
    torch.manual_seed(5)
    return torch.randn(CASES[name][2]), CASES[name][3]()


class Losses(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        """All cases in one process, whose start takes longer than they do: {(name, split): what it wrote}."""
        with tempfile.TemporaryDirectory() as folder:
            words, files = [], {}
            for name, (loss, shift, *_) in CASES.items():
                case = str(pathlib.Path(folder, f"{len(files)}.case"))
                output, targets = data_of(name)
                save_file({"output": output, "targets": targets}, case)
                for split in splits_of(name):
                    files[name, split] = str(pathlib.Path(folder, f"{len(files)}.out"))
                    words += [loss, shift, SMOOTHING.get(name, 0), split, case, files[name, split]]
            run = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=LIMIT)
            assert run.returncode == 0, run.stderr
            cls.found = {key: load_file(file) for key, file in files.items()}

    def equals_pytorch(self, name, split):
        _, _, _, _, of_pytorch, hits = CASES[name]
        smoothing = SMOOTHING.get(name, 0)
        pytorch = functools.partial(of_pytorch, label_smoothing=smoothing) if smoothing else of_pytorch
        output, targets = data_of(name)
        found = self.found[name, split]
        output.requires_grad_()
        self.assertEqual("correct" in found, hits is not None)
        if hits:
            self.assertEqual(found["correct"].item(), hits(output, targets).sum().item())
        if name.startswith("padded") and (split < N or smoothing):
            whole = pytorch(output, targets)
            whole.backward()
            torch.testing.assert_close(found["loss"], whole.detach(), rtol=1e-6, atol=0)
            torch.testing.assert_close(found["gradient"], output.grad, rtol=1e-6, atol=1e-9)
            return
        total = torch.zeros(())
        for rows, wanted in zip(output.split(split), targets.split(split)):
            part = pytorch(rows, wanted)
            part = part if len(rows) == N else part * (len(rows) / N)
            part.backward()
            total += part.detach()
        self.assertTrue(torch.equal(total, found["loss"]), f"{total} and {found['loss']}")
        self.assertTrue(torch.equal(output.grad, found["gradient"]))


for each in CASES:
    for samples in splits_of(each):
        what = f"test_{re.sub('[^a-z0-9]+', '_', each)}_by_{samples}"
        setattr(Losses, what, lambda self, each=each, samples=samples: self.equals_pytorch(each, samples))

if __name__ == "__main__":
    torch.set_num_threads(1)
    unittest.main()
