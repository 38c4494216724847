// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/cpu_instructions.h"

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

#else

Simd widestSimd() { return Simd::Plain; }

#endif

}  // namespace lanelab
