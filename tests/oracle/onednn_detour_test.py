#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""Says when the way round oneDNN's gradients of strided 1x1 convolutions is no longer needed (uxlfoundation/oneDNN, issue 6035).

The gradient of the weight, of few channels in channels_last order, is written outside of oneDNN's workspace: wrong numbers, a crash or a hang. LaneLab computes it from the
pixels that the kernel sees (overrunsOneDnn in engine/torch/graph/graph_convolution.cpp). Each case runs in a process of its own, since it may take that process with it.
Usage: onednn_detour_test.py
"""
import multiprocessing
import os
import pathlib
import re
import sys
import unittest

import torch

LIMIT_S = 60
CASES = [(channels, pixels, batch) for channels in (3, 4, 6) for pixels in (16, 32) for batch in (4, 16)]


def compute(way, isa):
    """In a process that has imported PyTorch and computed nothing: oneDNN reads the variable when it is first used."""
    os.environ["ONEDNN_MAX_CPU_ISA"] = isa
    torch.set_num_threads(1)
    for channels, pixels, batch in CASES:
        torch.manual_seed(0)
        x = torch.randn(batch, channels, pixels, pixels).to(memory_format=torch.channels_last)
        weight = torch.randn(16, channels, 1, 1).to(memory_format=torch.channels_last)
        gradient = torch.randn_like(torch.nn.functional.conv2d(x, weight, stride=2))
        seen = x[:, :, ::2, ::2]
        wanted = torch.einsum("nohw,nchw->oc", gradient.double(), seen.double())
        stride, pixels_of = (1, seen) if way == "detour" else (2, x)
        got = torch.ops.aten.convolution_backward(gradient, pixels_of, weight, None, [stride] * 2, [0, 0], [1, 1], False, [0, 0], 1, [False, True, False])[1]
        error = float((got.double()[:, :, 0, 0] - wanted).abs().max() / wanted.abs().max())
        if not error < 1e-4:
            sys.exit(3)


def right(way, isa):
    """Whether all cases come out right with oneDNN's instructions up to `isa`."""
    child = multiprocessing.get_context("fork").Process(target=compute, args=(way, isa))
    child.start()
    child.join(LIMIT_S)
    hangs = child.is_alive()
    child.kill()
    child.join()
    return not hangs and child.exitcode == 0


@unittest.skipUnless("avx2" in pathlib.Path("/proc/cpuinfo").read_text().split(), "oneDNN's code with this fault needs AVX2")
class OneDnnDetour(unittest.TestCase):
    def test_lanelabs_way_is_right(self):
        for isa in ("DEFAULT", "AVX2"):
            self.assertTrue(right("detour", isa), isa)

    def test_it_is_still_needed(self):
        if any(not right("direct", isa) for isa in ("AVX2", "DEFAULT")):
            return
        onednn = re.search(r"MKL-DNN v(\S+)", torch.__config__.show())
        self.fail(f"PyTorch {torch.__version__} (oneDNN {onednn and onednn.group(1)}) computes the gradients of strided 1x1 convolutions right. If all supported versions do, remove "
                  "overrunsOneDnn() and what calls it from engine/torch/graph/graph_convolution.cpp, and this test.")


if __name__ == "__main__":
    unittest.main()
