// SPDX-License-Identifier: GPL-3.0-only
// Normal numbers between two bounds, as torch.nn.init.trunc_normal_ draws them in the PyTorch that LaneLab is built
// against.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include "engine/exported/graph/exported_graph.h"

namespace lanelab {

/// Fills a contiguous tensor with the numbers that `generator` gives, bit for bit PyTorch's, and leaves the generator
/// where PyTorch leaves it. Up to 2.11: inverse of the distribution; from 2.12 on: rejection, of normal numbers where
/// most lie between the bounds, else of uniform ones (torch/nn/init.py). May be cancelled (stop_point.h).
void drawTruncatedNormal(at::Tensor& tensor, const WeightDraw& draw, const at::Generator& generator);

}  // namespace lanelab
