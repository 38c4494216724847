// SPDX-License-Identifier: GPL-3.0-only
// The inner loops of what transformers do row by row (fp32), for each set of CPU instructions, as in norm_loops.h: one
// source, the same bits.
#pragma once

#include <cstdint>

#include "engine/model/cpu_instructions.h"

namespace lanelab {

/// Numbers x in rows of `width`, one behind the other.
struct Rows {
  std::int64_t count, width;
};

/// Internal to row_functions.cpp of engine/torch/nn, which cuts rows in chunks and calls these from several threads.
struct RowLoops {
  /// y = x * inverse * weight, where inverse = 1 / sqrt(mean of x^2 + epsilon) of each row. Zhang, Sennrich (2019).
  void (*rms)(const float* x, const float* weight, float* y, float* inverse, Rows rows, float epsilon);
  /// dx, and the sums over these rows of the weight's gradients, a number a column.
  void (*rmsGradients)(const float* gradient, const float* x, const float* weight, const float* inverse, float* dx,
                       float* dweight, Rows rows);
  /// y = silu(gate) * factor.
  void (*gate)(const float* gate, const float* factor, float* y, std::int64_t count);
  void (*gateGradients)(const float* gradient, const float* gate, const float* factor, float* dgate, float* dfactor,
                        std::int64_t count);
  /// One row of two halves: y = x cos + (-second half, first half) sin.
  void (*rotate)(const float* x, const float* cosines, const float* sines, float* y, std::int64_t half);
  void (*rotateGradients)(const float* gradient, const float* cosines, const float* sines, float* dx,
                          std::int64_t half);
};

/// The loops of a set, or of the widest below it that the program was built with.
const RowLoops& rowLoops(Simd simd);
/// By set of instructions; those beside Plain exist on x86-64 only.
const RowLoops& rowLoopsPlain();
const RowLoops& rowLoopsAvx2();
const RowLoops& rowLoopsAvx512();

}  // namespace lanelab
