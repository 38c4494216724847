// SPDX-License-Identifier: GPL-3.0-only
// The loops of update_loops.h as plain C++, which the compiler vectorises: included once by each file that compiles
// them for a set of instructions. Nothing here may be visible to other files, or the linker could choose a version that
// the CPU lacks; so no function of the standard library is called either.
#pragma once

#include "engine/torch/kernels/update_loops.h"

namespace lanelab {
namespace {

inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

template <bool kDecay>
inline float direction(float gradient, float parameter, float decay) {
  return kDecay ? fused(parameter, decay, gradient) : gradient;
}

template <bool kDecay, bool kMomentum>
inline void sgdRows(float* __restrict__ p, const float* __restrict__ g, float* __restrict__ v, std::int64_t count,
                    SgdNumbers n) {
  for (std::int64_t i = 0; i < count; ++i) {
    float d = direction<kDecay>(g[i], p[i], n.decay);
    if constexpr (kMomentum) {
      const float next = n.first ? d : v[i] * n.momentum + d;
      v[i] = next;
      d = n.nesterov ? fused(next, n.momentum, d) : next;
    }
    p[i] = fused(d, -n.lr, p[i]);
  }
}

void sgd(float* p, const float* g, float* v, std::int64_t count, SgdNumbers n) {
  if (n.momentum != 0) {
    n.decay != 0 ? sgdRows<true, true>(p, g, v, count, n) : sgdRows<false, true>(p, g, v, count, n);
  } else {
    n.decay != 0 ? sgdRows<true, false>(p, g, v, count, n) : sgdRows<false, false>(p, g, v, count, n);
  }
}

template <bool kDecay>
inline void momentRows(const float* __restrict__ p, const float* __restrict__ g, float* __restrict__ mean,
                       float* __restrict__ square, std::int64_t count, AdamNumbers n) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float d = direction<kDecay>(g[i], p[i], n.decay);
    mean[i] = fused(n.first, d - mean[i], mean[i]);
    square[i] = fused(n.squared * d, d, square[i] * n.second);
  }
}

void moments(const float* p, const float* g, float* mean, float* square, std::int64_t count, AdamNumbers n) {
  n.decay != 0 ? momentRows<true>(p, g, mean, square, count, n) : momentRows<false>(p, g, mean, square, count, n);
}

void adam(float* __restrict__ p, const float* __restrict__ mean, const float* __restrict__ roots, std::int64_t count,
          AdamNumbers n) {
  for (std::int64_t i = 0; i < count; ++i) p[i] += (-n.rate * mean[i]) / (roots[i] / n.root + n.epsilon);
}

constexpr UpdateLoops kLoops{sgd, moments, adam};

}  // namespace
}  // namespace lanelab
