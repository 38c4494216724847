// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/kernels/row_loops.h"

namespace lanelab {

#ifdef __x86_64__

const RowLoops& rowLoops(Simd simd) {
  if (simd == Simd::Avx512) return rowLoopsAvx512();
  return simd == Simd::Avx2 ? rowLoopsAvx2() : rowLoopsPlain();
}

#else

const RowLoops& rowLoops(Simd) { return rowLoopsPlain(); }

#endif

}  // namespace lanelab
