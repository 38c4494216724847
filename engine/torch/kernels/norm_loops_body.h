// SPDX-License-Identifier: GPL-3.0-only
// The loops of norm_loops.h as plain C++, which the compiler vectorises: included once by each file that compiles them
// for a set of instructions. Nothing here may be visible to other files, or the linker could choose a version that the
// CPU lacks; so no function of the standard library is called either.
#pragma once

#include "engine/torch/kernels/exponential_body.h"
#include "engine/torch/kernels/norm_loops.h"

namespace lanelab {
namespace {

using Count = std::int64_t;

constexpr Count kGroup = 4;       ///< rows that are added up before their sum is
constexpr Count kFloatRows = 32;  ///< rows that are added up in fp32
constexpr Count kShiftRows = 8;   ///< rows whose mean is the shift

inline Count lesser(Count a, Count b) { return a < b ? a : b; }

/// One row or four: sums[0] += x - shift, sums[1] += (x - shift)^2, by channel.
inline void addOne(const float* __restrict__ x, const float* __restrict__ shift, Count channels,
                   float* __restrict__ first, float* __restrict__ second) {
  for (Count c = 0; c < channels; ++c) {
    const float d = x[c] - shift[c];
    first[c] += d;
    second[c] += d * d;
  }
}

inline void addFour(const float* __restrict__ x, const float* __restrict__ shift, Count channels,
                    float* __restrict__ first, float* __restrict__ second) {
  for (Count c = 0; c < channels; ++c) {
    const float d0 = x[c] - shift[c], d1 = x[c + channels] - shift[c], d2 = x[c + 2 * channels] - shift[c],
                d3 = x[c + 3 * channels] - shift[c];
    first[c] += (d0 + d1) + (d2 + d3);
    second[c] += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3);
  }
}

/// Moves sums in fp32 to those in double.
inline void drain(float* __restrict__ from, double* __restrict__ to, Count channels) {
  for (Count c = 0; c < channels; ++c) {
    to[c] += static_cast<double>(from[c]);
    from[c] = 0;
  }
}

template <class Number>
inline void clear(Number* __restrict__ numbers, Count count) {
  for (Count c = 0; c < count; ++c) numbers[c] = 0;
}

/// The mean of the first rows.
inline void shiftOf(const float* __restrict__ x, NormRows rows, float* __restrict__ shift) {
  const Count taken = lesser(rows.count, kShiftRows);
  clear(shift, rows.channels);
  const float part = 1.0F / static_cast<float>(taken);
  for (Count r = 0; r < taken; ++r) {
    for (Count c = 0; c < rows.channels; ++c) shift[c] += x[r * rows.channels + c] * part;
  }
}

void moments(const float* x, NormRows rows, float* scratch, ChannelMoments to) {
  const Count channels = rows.channels;
  float *const shift = scratch, *const first = scratch + channels, *const second = first + channels;
  shiftOf(x, rows, shift);
  clear(first, 2 * channels);
  clear(to.mean, channels);
  clear(to.squares, channels);
  for (Count begin = 0; begin < rows.count; begin += kFloatRows) {
    const Count end = lesser(begin + kFloatRows, rows.count);
    Count r = begin;
    for (; r + kGroup <= end; r += kGroup) addFour(x + r * channels, shift, channels, first, second);
    for (; r < end; ++r) addOne(x + r * channels, shift, channels, first, second);
    drain(first, to.mean, channels);
    drain(second, to.squares, channels);
  }
  const double part = 1.0 / static_cast<double>(rows.count);
  double* const __restrict__ mean = to.mean, * const __restrict__ squares = to.squares;
  for (Count c = 0; c < channels; ++c) {
    const double apart = mean[c] * part;
    squares[c] -= mean[c] * apart;
    mean[c] = static_cast<double>(shift[c]) + apart;
  }
}

void join(ChannelMoments to, ChannelMoments part, Count before, Count added, Count channels) {
  const double share = static_cast<double>(added) / static_cast<double>(before + added);
  const double weight = static_cast<double>(before) * share;
  double* const __restrict__ mean = to.mean, * const __restrict__ squares = to.squares;
  const double* const __restrict__ part_mean = part.mean, * const __restrict__ part_squares = part.squares;
  for (Count c = 0; c < channels; ++c) {
    const double apart = part_mean[c] - mean[c];
    squares[c] += part_squares[c] + apart * apart * weight;
    mean[c] += apart * share;
  }
}

void add(double* __restrict__ sum, const double* __restrict__ part, Count count) {
  for (Count c = 0; c < count; ++c) sum[c] += part[c];
}

// Not above 0 is 0, and what is not a number stays so.
inline float reluOf(float v) { return 0.0F > v ? 0.0F : v; }
inline float atMostSix(float v) { return v > 6.0F ? 6.0F : v; }

template <NormActivation kActivation>
inline float activated(float v) {
  if constexpr (kActivation == NormActivation::Relu) return reluOf(v);
  if constexpr (kActivation == NormActivation::Relu6) return atMostSix(reluOf(v));
  if constexpr (kActivation == NormActivation::Silu) return v * sigmoidOf(v);
  if constexpr (kActivation == NormActivation::Hardswish) return v * atMostSix(reluOf(v + 3.0F)) * (1.0F / 6.0F);
  return v;
}

template <bool kBeside, NormActivation kActivation>
inline void normaliseRows(const float* __restrict__ x, const float* __restrict__ beside, float* __restrict__ y,
                          NormRows rows, NormLine line) {
  const float* const __restrict__ mean = line.mean, * const __restrict__ scale = line.scale, * const __restrict__ offset = line.offset;
  for (Count r = 0; r < rows.count; ++r) {
    const Count at = r * rows.channels;
    for (Count c = 0; c < rows.channels; ++c) {
      float v = (x[at + c] - mean[c]) * scale[c] + offset[c];
      if constexpr (kBeside) v += beside[at + c];
      y[at + c] = activated<kActivation>(v);
    }
  }
}

template <NormActivation kActivation>
inline void normaliseAndActivate(const float* x, const float* beside, float* y, NormRows rows, NormLine line) {
  beside ? normaliseRows<true, kActivation>(x, beside, y, rows, line)
         : normaliseRows<false, kActivation>(x, x, y, rows, line);
}

void normalise(const float* x, const float* beside, float* y, NormRows rows, NormLine line, NormActivation activation) {
  switch (activation) {
    case NormActivation::None: return normaliseAndActivate<NormActivation::None>(x, beside, y, rows, line);
    case NormActivation::Relu: return normaliseAndActivate<NormActivation::Relu>(x, beside, y, rows, line);
    case NormActivation::Relu6: return normaliseAndActivate<NormActivation::Relu6>(x, beside, y, rows, line);
    case NormActivation::Silu: return normaliseAndActivate<NormActivation::Silu>(x, beside, y, rows, line);
    case NormActivation::Hardswish: return normaliseAndActivate<NormActivation::Hardswish>(x, beside, y, rows, line);
  }
}

/// The gradient behind the activation, at the bounds as PyTorch's operators. `from`: the activation's output where the
/// mask reads that; else x less its mean.
template <GradientMask kMask>
inline float passed(float gradient, float from, float scale, float offset) {
  if constexpr (kMask == GradientMask::None) return gradient;
  const float v = readsOutput(kMask) ? from : from * scale + offset;
  if constexpr (kMask == GradientMask::Relu || kMask == GradientMask::ReluOutput) return v <= 0.0F ? 0.0F : gradient;
  if constexpr (kMask == GradientMask::Relu6 || kMask == GradientMask::Relu6Output)
    return v <= 0.0F || v >= 6.0F ? 0.0F : gradient;
  if constexpr (kMask == GradientMask::Silu) {
    const float s = sigmoidOf(v);
    return gradient * (s * (1.0F + v * (1.0F - s)));
  }
  const float inside = gradient * (v * (1.0F / 3.0F) + 0.5F);
  return v < -3.0F ? 0.0F : v <= 3.0F ? inside : gradient;
}

/// Where `masked` gets the gradient behind the activation.
enum class Masked { Nowhere, Apart, InPlace };

/// kGroupRows rows: first += gradient behind the activation, second += the same times (x - mean).
template <GradientMask kMask, Masked kMasked, Count kGroupRows>
inline void addGradients(const float* __restrict__ gradient, const float* __restrict__ x, const float* __restrict__ y,
                         float* __restrict__ masked, Count channels, NormLine line, float* __restrict__ first,
                         float* __restrict__ second) {
  const float* const __restrict__ mean = line.mean, * const __restrict__ scale = line.scale, * const __restrict__ offset = line.offset;
  for (Count c = 0; c < channels; ++c) {
    float sum = 0, product = 0;
    for (Count r = 0; r < kGroupRows; ++r) {
      const Count at = r * channels + c;
      const float d = x[at] - mean[c];
      const float g = kMasked == Masked::InPlace ? masked[at] : gradient[at];
      const float p = passed<kMask>(g, readsOutput(kMask) ? y[at] : d, scale[c], offset[c]);
      if constexpr (kMasked != Masked::Nowhere) masked[at] = p;
      sum += p;
      product += p * d;
    }
    first[c] += sum;
    second[c] += product;
  }
}

template <GradientMask kMask, Masked kMasked>
inline void sumRows(const float* gradient, const float* x, const float* y, float* masked, NormRows rows, NormLine line,
                    float* scratch, GradientSums sums) {
  const Count channels = rows.channels;
  float *const first = scratch, *const second = scratch + channels;
  clear(scratch, 2 * channels);
  clear(sums.gradient, channels);
  clear(sums.product, channels);
  const auto add = [&]<Count kRows>(Count r) {
    const Count at = r * channels;
    addGradients<kMask, kMasked, kRows>(gradient + at, x + at, y + at,
                                        kMasked == Masked::Nowhere ? nullptr : masked + at, channels, line, first,
                                        second);
  };
  for (Count begin = 0; begin < rows.count; begin += kFloatRows) {
    const Count end = lesser(begin + kFloatRows, rows.count);
    Count r = begin;
    for (; r + kGroup <= end; r += kGroup) add.template operator()<kGroup>(r);
    for (; r < end; ++r) add.template operator()<1>(r);
    drain(first, sums.gradient, channels);
    drain(second, sums.product, channels);
  }
}

template <GradientMask kMask>
inline void sumMasked(const float* gradient, const float* x, const float* y, float* masked, NormRows rows,
                      NormLine line, float* scratch, GradientSums sums) {
  const float* const from = readsOutput(kMask) ? y : x;
  if constexpr (!isLeftMasked(kMask)) {
    sumRows<kMask, Masked::Nowhere>(gradient, x, from, masked, rows, line, scratch, sums);
  } else if (masked == gradient) {
    sumRows<kMask, Masked::InPlace>(gradient, x, from, masked, rows, line, scratch, sums);
  } else {
    sumRows<kMask, Masked::Apart>(gradient, x, from, masked, rows, line, scratch, sums);
  }
}

void sumGradients(const float* gradient, const float* x, const float* y, float* masked, NormRows rows, NormLine line,
                  GradientMask mask, float* scratch, GradientSums sums) {
  const auto sum = [&]<GradientMask kMask>() { sumMasked<kMask>(gradient, x, y, masked, rows, line, scratch, sums); };
  switch (mask) {
    case GradientMask::None: return sum.template operator()<GradientMask::None>();
    case GradientMask::Relu: return sum.template operator()<GradientMask::Relu>();
    case GradientMask::Relu6: return sum.template operator()<GradientMask::Relu6>();
    case GradientMask::Silu: return sum.template operator()<GradientMask::Silu>();
    case GradientMask::Hardswish: return sum.template operator()<GradientMask::Hardswish>();
    case GradientMask::ReluOutput: return sum.template operator()<GradientMask::ReluOutput>();
    case GradientMask::Relu6Output: return sum.template operator()<GradientMask::Relu6Output>();
  }
}

template <GradientMask kMask, bool kInPlace>
inline void gradientRows(const float* __restrict__ gradient, const float* __restrict__ x, float* __restrict__ dx,
                         NormRows rows, NormLine line, const float* __restrict__ slope,
                         const float* __restrict__ level) {
  const float* const __restrict__ mean = line.mean, * const __restrict__ scale = line.scale, * const __restrict__ offset = line.offset;
  for (Count r = 0; r < rows.count; ++r) {
    const Count at = r * rows.channels;
    for (Count c = 0; c < rows.channels; ++c) {
      const float d = x[at + c] - mean[c];
      const float p = passed<kMask>(kInPlace ? dx[at + c] : gradient[at + c], d, scale[c], offset[c]);
      dx[at + c] = p * scale[c] - (d * slope[c] + level[c]);
    }
  }
}

template <GradientMask kMask>
inline void gradientOf(const float* gradient, const float* x, float* dx, NormRows rows, NormLine line,
                       const float* slope, const float* level) {
  dx == gradient ? gradientRows<kMask, true>(gradient, x, dx, rows, line, slope, level)
                 : gradientRows<kMask, false>(gradient, x, dx, rows, line, slope, level);
}

void inputGradient(const float* gradient, const float* x, float* dx, NormRows rows, NormLine line, const float* slope,
                   const float* level, GradientMask mask) {
  if (mask == GradientMask::Relu) return gradientOf<GradientMask::Relu>(gradient, x, dx, rows, line, slope, level);
  if (mask == GradientMask::Relu6) return gradientOf<GradientMask::Relu6>(gradient, x, dx, rows, line, slope, level);
  gradientOf<GradientMask::None>(gradient, x, dx, rows, line, slope, level);
}

constexpr NormLoops kLoops{moments, join, add, normalise, sumGradients, inputGradient};

}  // namespace
}  // namespace lanelab
