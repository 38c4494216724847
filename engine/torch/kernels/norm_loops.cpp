// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/kernels/norm_loops.h"

#include "engine/torch/kernels/norm_loops_sets.h"

namespace lanelab {

#ifdef __x86_64__

Simd widestSimd() {
  static const Simd widest =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
          ? Simd::Avx512
      : __builtin_cpu_supports("avx2") ? Simd::Avx2
                                       : Simd::Plain;
  return widest;
}

const NormLoops& normLoops(Simd simd) {
  if (simd == Simd::Avx512) return normLoopsAvx512();
  return simd == Simd::Avx2 ? normLoopsAvx2() : normLoopsPlain();
}

#else

Simd widestSimd() { return Simd::Plain; }
const NormLoops& normLoops(Simd) { return normLoopsPlain(); }

#endif

}  // namespace lanelab
