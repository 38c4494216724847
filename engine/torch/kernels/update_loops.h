// SPDX-License-Identifier: GPL-3.0-only
// The inner loops of SGD's and Adam's updates for each set of CPU instructions: each number is read and written once.
//
// Every product and sum is rounded as PyTorch 2.11's operators round it on such a CPU, fused multiply-add included
// (ATen/native/cpu: BinaryOpsKernel, PointwiseOpsKernel, Lerp.h), so that bits equal those of torch.optim's
// single-tensor forms. Square roots are not here: PyTorch asks MKL for them, whose last bit is its own.
#pragma once

#include <cstdint>

#include "engine/model/cpu_instructions.h"

namespace lanelab {

/// `decay` and `momentum` are left out where they are 0; `first`: the velocity becomes the gradient.
struct SgdNumbers {
  float lr, decay, momentum;
  bool nesterov, first;
};

struct AdamNumbers {
  float decay;                   ///< left out where it is 0
  float first, second, squared;  ///< 1 - beta1, beta2, 1 - beta2
  float root, epsilon;           ///< sqrt(1 - beta2^t)
  float rate;                    ///< lr / (1 - beta1^t)
};

/// Internal to parameter_update.cpp, which calls them for pieces from several threads. Pointers are to `count` numbers.
struct UpdateLoops {
  /// `velocity` may be null without momentum.
  void (*sgd)(float* parameter, const float* gradient, float* velocity, std::int64_t count, SgdNumbers numbers);
  void (*moments)(const float* parameter, const float* gradient, float* mean, float* square, std::int64_t count,
                  AdamNumbers numbers);
  /// `roots`: of `square`.
  void (*adam)(float* parameter, const float* mean, const float* roots, std::int64_t count, AdamNumbers numbers);
};

/// Null if there are none for these instructions.
const UpdateLoops* updateLoops(Simd simd);
/// By set of instructions, on x86-64 only.
const UpdateLoops& updateLoopsAvx2();
const UpdateLoops& updateLoopsAvx512();

}  // namespace lanelab
