// SPDX-License-Identifier: GPL-3.0-only
// Clipping of gradients by their norm, as torch.nn.utils.clip_grad_norm_: the norm of all parameters' norms.
//
// Norms are combined in the order of the parameters' names, so that the bits are the same wherever the parameters are.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

namespace lanelab {

/// By parameter. A parameter that several stages use has one.
using GradientNorms = std::map<std::string, float>;

/// Of the parameters that have a gradient; `names` are theirs. Waits for the device.
GradientNorms gradientNorms(const std::vector<std::string>& names, const std::vector<at::Tensor>& parameters);

/// What the gradients are multiplied by, so that their norm is at most `most`: at most 1, in single precision as
/// PyTorch computes it. Not a number if a norm is none.
double clipFactor(const GradientNorms& norms, double most);

/// Each gradient that is there times `factor`, in place.
void scaleGradients(const std::vector<at::Tensor>& parameters, double factor);

}  // namespace lanelab
