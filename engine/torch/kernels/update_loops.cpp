// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/kernels/update_loops.h"

namespace lanelab {

#ifdef __x86_64__

const UpdateLoops* updateLoops(Simd simd) {
  if (!__builtin_cpu_supports("fma")) return nullptr;
  if (simd == Simd::Avx512) return &updateLoopsAvx512();
  return simd == Simd::Avx2 ? &updateLoopsAvx2() : nullptr;
}

#else

const UpdateLoops* updateLoops(Simd) { return nullptr; }

#endif

}  // namespace lanelab
