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

namespace lanelab {

/// Rows x of channels; all pointers of rows have the same layout.
struct NormRows {
  std::int64_t count, channels;
};

/// What a channel's numbers become: (x - mean) * scale + offset. Each points to a number a channel.
struct NormLine {
  const float *mean, *scale, *offset;
};

/// How a gradient passes the ReLU behind the norm: where what the ReLU read is not above 0, it is 0.
enum class ReluMask {
  None,       ///< there is no ReLU
  Recompute,  ///< what the ReLU read follows from x
  Output      ///< follows from the ReLU's output
};

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
  /// y = x's line, plus `beside` where it is not null, with ReLU if asked for.
  void (*normalise)(const float* x, const float* beside, float* y, NormRows rows, NormLine line, bool relu);
  /// Of a chunk. `y` is read for ReluMask::Output; there `masked` gets the gradient behind the ReLU, and may be
  /// `gradient` itself. `scratch`: 2 numbers a channel.
  void (*sumGradients)(const float* gradient, const float* x, const float* y, float* masked, NormRows rows,
                       NormLine line, ReluMask mask, float* scratch, GradientSums sums);
  /// dx = gradient * scale - ((x - mean) * slope + level). The gradient is masked here for ReluMask::Recompute, and was
  /// before for Output. `dx` may be `gradient` itself.
  void (*inputGradient)(const float* gradient, const float* x, float* dx, NormRows rows, NormLine line,
                        const float* slope, const float* level, ReluMask mask);
};

/// The loops of a set, or of the widest below it that the program was built with.
const NormLoops& normLoops(Simd simd);

}  // namespace lanelab
