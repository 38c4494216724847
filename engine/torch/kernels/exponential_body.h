// SPDX-License-Identifier: GPL-3.0-only
// e^x for loops that are compiled for each set of instructions; for the *_loops_body.h alone, as they say.
#pragma once

namespace lanelab {
namespace {

/// e^x for a sigmoid, to 2 units in the last place up to |x| = 60 and as at 60 beyond, with products and sums alone, so
/// that all sets of instructions come to the same bits. Method and numbers: Cephes, expf.c (Moshier 1989): x = n ln 2 +
/// r, a polynomial of r, n put into the exponent.
inline float exponentialOf(float x) {
  // Compilers take the results at the limits as constants and multiply all numbers by them. Where a product is below
  // the normal numbers, a core needs over a hundred cycles for it: sigmoid(-87) was such a constant.
  constexpr float kLimit = 60.0F;
  constexpr float kRounder = 12582912.0F;  // 1.5 * 2^23: added and taken off, it rounds to an integer
  x = x > kLimit ? kLimit : x;
  x = x < -kLimit ? -kLimit : x;
  const float shifted = x * 1.44269504F + kRounder;
  const float n = shifted - kRounder;
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  const float mantissa = p * (r * r) + r + 1.0F;
  const unsigned exponent = (__builtin_bit_cast(unsigned, shifted) - __builtin_bit_cast(unsigned, kRounder) + 127U)
                            << 23;
  return mantissa * __builtin_bit_cast(float, exponent);
}

inline float sigmoidOf(float v) { return 1.0F / (1.0F + exponentialOf(-v)); }

}  // namespace
}  // namespace lanelab
