// SPDX-License-Identifier: GPL-3.0-only
// Batch norm in training together with what follows it, a residual sum and an activation, on a CPU: fp32 images in
// channels_last order.
//
// PyTorch's operators go over an activation 13 times for a batch norm and its ReLU (5 forward, 8 backward). Here the
// forward reads it for the statistics and once more to normalise, add and clamp; the backward reads gradient and input
// for the sums and again for the input's gradient, with the activation's mask made again. Values are those of
// at::native_batch_norm to rounding, and more exact for channels with a large mean. The same bits come out for any
// number of threads and with any CPU's instructions: rows are cut in chunks by the shape alone, and sums of chunks are
// joined in their order.
#pragma once

#include <ATen/core/Tensor.h>

#include "engine/torch/kernels/norm_loops.h"

namespace lanelab {

/// A batch norm's tensors, a number a channel. Running statistics may be missing; they move as BatchNorm2d's do.
struct NormTensors {
  at::Tensor weight, bias, running_mean, running_var;
  double momentum = 0.1, epsilon = 1e-5;
};

struct NormForward {
  at::Tensor output;
  at::Tensor line;  ///< what the backward needs of each channel
};

struct NormGradients {
  at::Tensor input, weight, bias;
  at::Tensor beside;  ///< of the second addend: the gradient behind the activation
};

/// Whether these kernels take such an image.
bool fitsFusedNorm(const at::Tensor& x);

/// activation(norm(x) + beside). `x` fits; `beside` is undefined or of its shape and layout. Throws what torch throws
/// where memory is short.
NormForward fusedNorm(const at::Tensor& x, const at::Tensor& beside, const NormTensors& norm, NormActivation activation,
                      Simd simd = widestSimd());

/// The forward's output once more, from its `x` and `line`, without a second addend.
at::Tensor fusedNormAgain(const at::Tensor& x, const at::Tensor& line, NormActivation activation,
                          Simd simd = widestSimd());

/// How a backward knows what the activation read: without a second addend from x.
GradientMask gradientMask(NormActivation activation, bool has_beside);

/// `gradient` of any layout; where nobody else holds it, its memory is used for the results. `output` is the forward's
/// where readsOutput(mask), else not read.
NormGradients fusedNormBackward(at::Tensor gradient, const at::Tensor& x, const at::Tensor& output,
                                const at::Tensor& line, GradientMask mask, bool has_beside, Simd simd = widestSimd());

}  // namespace lanelab
