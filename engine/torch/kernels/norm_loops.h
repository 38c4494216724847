// SPDX-License-Identifier: GPL-3.0-only
// The inner loops of batch norm with what follows it, over rows of pixels (channels_last, fp32), for each set of CPU
// instructions.
//
// One source (norm_loops_body.h) is compiled for each set. Loops run over channels, each channel adds its rows in their
// order, and products and sums are rounded apart (no fused multiply-add), so all sets come to the same bits.
//
// Notation as in Ioffe and Szegedy, Batch Normalization (2015). Sums are taken of x less a shift near the mean (Chan,
// Golub, LeVeque 1983), in fp32 over a few rows and in double beyond, so that a large mean cancels nothing.
#pragma once

#include <cstdint>

#include "engine/model/cpu_instructions.h"
#include "engine/model/norm_activation.h"

namespace lanelab {

/// Rows x of channels; all pointers of rows have the same layout.
struct NormRows {
  std::int64_t count, channels;
};

/// What a channel's numbers become: (x - mean) * scale + offset. Each points to a number a channel.
struct NormLine {
  const float *mean, *scale, *offset;
};

/// How a gradient passes the activation behind the norm. What the activation read follows from x, or for those that end
/// in Output from what it made.
enum class GradientMask { None, Relu, Relu6, Silu, Hardswish, ReluOutput, Relu6Output };

/// Whether the mask is costly, or follows from what only the first pass of a backward reads: that pass leaves the
/// gradient behind the activation to the second.
constexpr bool isLeftMasked(GradientMask mask) { return mask > GradientMask::Relu6; }
constexpr bool readsOutput(GradientMask mask) {
  return mask == GradientMask::ReluOutput || mask == GradientMask::Relu6Output;
}

/// By channel, all in double: a mean, and the sum of squared deviations from it.
struct ChannelMoments {
  double *mean, *squares;
};

/// A channel's sums in a backward pass: of the gradients, and of gradient times (x - mean).
struct GradientSums {
  double *gradient, *product;
};

/// Internal to fused_norm.cpp, which checks shapes, cuts rows in chunks and calls these from several threads.
struct NormLoops {
  /// Of a chunk of rows. `scratch`: 3 numbers a channel.
  void (*moments)(const float* x, NormRows rows, float* scratch, ChannelMoments moments);
  /// Joins the moments of `added` more rows to those of `before`.
  void (*join)(ChannelMoments sum, ChannelMoments part, std::int64_t before, std::int64_t added, std::int64_t channels);
  /// sum += part.
  void (*add)(double* sum, const double* part, std::int64_t count);
  /// y = x's line, plus `beside` where it is not null, and the activation of that.
  void (*normalise)(const float* x, const float* beside, float* y, NormRows rows, NormLine line,
                    NormActivation activation);
  /// Of a chunk. `y` is read where readsOutput(mask); where isLeftMasked(mask), `masked` gets the gradient behind the
  /// activation, and may be `gradient` itself. `scratch`: 2 numbers a channel.
  void (*sumGradients)(const float* gradient, const float* x, const float* y, float* masked, NormRows rows,
                       NormLine line, GradientMask mask, float* scratch, GradientSums sums);
  /// dx = gradient * scale - ((x - mean) * slope + level). Where isLeftMasked(mask), the gradient was masked before.
  /// `dx` may be `gradient` itself.
  void (*inputGradient)(const float* gradient, const float* x, float* dx, NormRows rows, NormLine line,
                        const float* slope, const float* level, GradientMask mask);
};

/// The loops of a set, or of the widest below it that the program was built with.
const NormLoops& normLoops(Simd simd);
/// By set of instructions; those beside Plain exist on x86-64 only.
const NormLoops& normLoopsPlain();
const NormLoops& normLoopsAvx2();
const NormLoops& normLoopsAvx512();

}  // namespace lanelab
