// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/kernels/norm_loops.h"

namespace lanelab {

#ifdef __x86_64__

const NormLoops& normLoops(Simd simd) {
  if (simd == Simd::Avx512) return normLoopsAvx512();
  return simd == Simd::Avx2 ? normLoopsAvx2() : normLoopsPlain();
}

#else

const NormLoops& normLoops(Simd) { return normLoopsPlain(); }

#endif

}  // namespace lanelab
