// SPDX-License-Identifier: GPL-3.0-only
// Sets of CPU instructions that LaneLab and PyTorch's libraries have other code for.
#pragma once

namespace lanelab {

enum class Simd { Plain, Avx2, Avx512 };

/// The widest that this CPU has, as PyTorch counts: AVX-512 with F, DQ and VL.
Simd widestSimd();

}  // namespace lanelab
