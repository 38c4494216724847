// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/window_rows.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include <algorithm>

namespace lanelab {

namespace {

constexpr std::int64_t kGrain = 1 << 15;  ///< numbers a thread is worth

/// Rows of pixels that a thread takes at a time.
std::int64_t grainOf(std::int64_t numbers_a_row) {
  return std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, numbers_a_row));
}

void add(float* __restrict__ sum, const float* __restrict__ term, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) sum[i] += term[i];
}

/// One row of a window, k pixels beginning at `left` of an image's row; `row` is null where that lies outside.
void copyWindowRow(float* to, const float* row, std::int64_t left, const ConvGeometry& g) {
  const std::int64_t before = row ? std::clamp<std::int64_t>(-left, 0, g.kernel) : g.kernel;
  const std::int64_t after = row ? std::clamp<std::int64_t>(left + g.kernel - g.width, 0, g.kernel - before) : 0;
  const std::int64_t inside = g.kernel - before - after;
  std::fill_n(to, before * g.in, 0.0F);
  if (inside > 0) std::copy_n(row + (left + before) * g.in, inside * g.in, to + before * g.in);
  std::fill_n(to + (before + inside) * g.in, after * g.in, 0.0F);
}

/// The windows of one row of the output: `image` is the image's first number.
void copyWindows(float* to, const float* image, std::int64_t out_row, const ConvGeometry& g) {
  for (std::int64_t column = 0; column < g.outWidth(); ++column) {
    for (std::int64_t k = 0; k < g.kernel; ++k, to += g.kernel * g.in) {
      const std::int64_t row = out_row * g.stride + k - g.pad();
      const bool inside = row >= 0 && row < g.height;
      copyWindowRow(to, inside ? image + row * g.width * g.in : nullptr, column * g.stride - g.pad(), g);
    }
  }
}

/// Which of `count` windows has pixel `at` as its k-th; -1 where none.
std::int64_t windowOf(std::int64_t at, std::int64_t k, std::int64_t count, const ConvGeometry& g) {
  const std::int64_t first = at + g.pad() - k;
  return first >= 0 && first % g.stride == 0 && first / g.stride < count ? first / g.stride : -1;
}

/// The gradient of one pixel; `windows` are those of its image.
void sumPixel(float* sum, const float* windows, std::int64_t row, std::int64_t column, const ConvGeometry& g) {
  bool first = true;
  for (std::int64_t kr = 0; kr < g.kernel; ++kr) {
    const std::int64_t out_row = windowOf(row, kr, g.outHeight(), g);
    if (out_row < 0) continue;
    for (std::int64_t kc = 0; kc < g.kernel; ++kc) {
      const std::int64_t out_column = windowOf(column, kc, g.outWidth(), g);
      if (out_column < 0) continue;
      const float* const term =
          windows + (((out_row * g.outWidth() + out_column) * g.kernel + kr) * g.kernel + kc) * g.in;
      if (first)
        std::copy_n(term, g.in, sum);
      else
        add(sum, term, g.in);
      first = false;
    }
  }
  if (first) std::fill_n(sum, g.in, 0.0F);
}

}  // namespace

at::Tensor windowRows(const at::Tensor& x, const ConvGeometry& g) {
  const at::Tensor image = x.contiguous(at::MemoryFormat::ChannelsLast);
  const std::int64_t window = g.kernel * g.kernel * g.in, row_numbers = g.outWidth() * window;
  at::Tensor rows = at::empty({g.pixels(), window}, image.options().memory_format(at::MemoryFormat::Contiguous));
  const float* const from = image.const_data_ptr<float>();
  float* const to = rows.mutable_data_ptr<float>();
  at::parallel_for(0, g.n * g.outHeight(), grainOf(row_numbers), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      copyWindows(to + i * row_numbers, from + i / g.outHeight() * g.height * g.width * g.in, i % g.outHeight(), g);
  });
  return rows;
}

at::Tensor sumOfWindowRows(const at::Tensor& rows, const ConvGeometry& g) {
  at::Tensor sum =
      at::empty({g.n, g.in, g.height, g.width}, rows.options().memory_format(at::MemoryFormat::ChannelsLast));
  const std::int64_t row_numbers = g.width * g.in,
                     windows_numbers = g.outHeight() * g.outWidth() * g.kernel * g.kernel * g.in;
  const float* const from = rows.const_data_ptr<float>();
  float* const to = sum.mutable_data_ptr<float>();
  at::parallel_for(0, g.n * g.height, grainOf(row_numbers), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::int64_t column = 0; column < g.width; ++column) {
        sumPixel(to + i * row_numbers + column * g.in, from + i / g.height * windows_numbers, i % g.height, column, g);
      }
    }
  });
  return sum;
}

}  // namespace lanelab
