// SPDX-License-Identifier: GPL-3.0-only
// The loops of row_loops.h as plain C++, which the compiler vectorises: see norm_loops_body.h.
#pragma once

#include "engine/torch/kernels/exponential_body.h"
#include "engine/torch/kernels/row_loops.h"

namespace lanelab {
namespace {

/// A sum along a row is of as many parts, whatever the instructions, so that it has the same bits.
constexpr std::int64_t kSums = 32;

/// The sum of term(c) over a row.
template <class Term>
inline float sumOf(std::int64_t width, const Term& term) {
  float sums[kSums] = {};
  std::int64_t c = 0;
  for (; c + kSums <= width; c += kSums)
    for (std::int64_t i = 0; i < kSums; ++i) sums[i] += term(c + i);
  for (std::int64_t i = 0; c < width; ++c, ++i) sums[i] += term(c);
  for (std::int64_t half = kSums / 2; half > 0; half /= 2)
    for (std::int64_t i = 0; i < half; ++i) sums[i] += sums[i + half];
  return sums[0];
}

void rms(const float* x, const float* weight, float* y, float* inverse, Rows rows, float epsilon) {
  const float part = 1.0F / static_cast<float>(rows.width);
  for (std::int64_t r = 0; r < rows.count; ++r) {
    const float* const __restrict__ from = x + r * rows.width;
    const float* const __restrict__ scale = weight;
    float* const __restrict__ to = y + r * rows.width;
    const float squares = sumOf(rows.width, [from](std::int64_t c) { return from[c] * from[c]; });
    const float root = 1.0F / __builtin_sqrtf(squares * part + epsilon);
    inverse[r] = root;
    for (std::int64_t c = 0; c < rows.width; ++c) to[c] = from[c] * root * scale[c];
  }
}

void rmsGradients(const float* gradient, const float* x, const float* weight, const float* inverse, float* dx,
                  float* dweight, Rows rows) {
  const float part = 1.0F / static_cast<float>(rows.width);
  float* const __restrict__ sums = dweight;
  for (std::int64_t c = 0; c < rows.width; ++c) sums[c] = 0;
  for (std::int64_t r = 0; r < rows.count; ++r) {
    const float* const __restrict__ g = gradient + r * rows.width, * const __restrict__ from = x + r * rows.width;
    const float* const __restrict__ scale = weight;
    float* const __restrict__ to = dx + r * rows.width;
    const float root = inverse[r];
    const float along = sumOf(rows.width, [=](std::int64_t c) { return g[c] * scale[c] * from[c]; });
    const float back = along * root * root * root * part;
    for (std::int64_t c = 0; c < rows.width; ++c) {
      to[c] = g[c] * scale[c] * root - from[c] * back;
      sums[c] += g[c] * from[c] * root;
    }
  }
}

void gate(const float* __restrict__ gate, const float* __restrict__ factor, float* __restrict__ y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = gate[i] * sigmoidOf(gate[i]) * factor[i];
}

void gateGradients(const float* __restrict__ gradient, const float* __restrict__ gate, const float* __restrict__ factor,
                   float* __restrict__ dgate, float* __restrict__ dfactor, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float share = sigmoidOf(gate[i]);
    const float made = gate[i] * share;
    dfactor[i] = gradient[i] * made;
    dgate[i] = gradient[i] * factor[i] * (share + made * (1.0F - share));
  }
}

void rotate(const float* __restrict__ x, const float* __restrict__ cosines, const float* __restrict__ sines,
            float* __restrict__ y, std::int64_t half) {
  for (std::int64_t i = 0; i < half; ++i) {
    y[i] = x[i] * cosines[i] - x[i + half] * sines[i];
    y[i + half] = x[i + half] * cosines[i + half] + x[i] * sines[i + half];
  }
}

void rotateGradients(const float* __restrict__ gradient, const float* __restrict__ cosines,
                     const float* __restrict__ sines, float* __restrict__ dx, std::int64_t half) {
  for (std::int64_t i = 0; i < half; ++i) {
    dx[i] = gradient[i] * cosines[i] + gradient[i + half] * sines[i + half];
    dx[i + half] = gradient[i + half] * cosines[i + half] - gradient[i] * sines[i];
  }
}

constexpr RowLoops kRowLoops = {rms, rmsGradients, gate, gateGradients, rotate, rotateGradients};

}  // namespace
}  // namespace lanelab
