// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/product_conv.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/mm.h>

#include "engine/torch/nn/window_rows.h"

namespace lanelab {

namespace {

ConvGeometry geometryOf(const at::Tensor& x, const at::Tensor& weight, std::int64_t stride) {
  return {x.size(0), x.size(1), x.size(2), x.size(3), weight.size(0), weight.size(2), stride};
}

// Views are made by as_strided at once: through permute, view and reshape each would be three operators, of a
// microsecond each.

/// [N,C,H,W] channels_last -> [N*H*W, C] without a copy.
at::Tensor rowsOf(const at::Tensor& image) {
  const std::int64_t channels = image.size(1);
  return image.contiguous(at::MemoryFormat::ChannelsLast)
      .as_strided({image.size(0) * image.size(2) * image.size(3), channels}, {channels, 1});
}

/// The inverse: contiguous rows of pixels as a channels_last image.
at::Tensor imageOf(const at::Tensor& rows, std::int64_t n, std::int64_t height, std::int64_t width) {
  const std::int64_t channels = rows.size(1);
  return rows.as_strided({n, channels, height, width}, {height * width * channels, 1, width * channels, channels});
}

/// weight [K,C,k,k] as [K, k*k*C]: no copy for a channels_last weight.
at::Tensor matrixOf(const at::Tensor& weight) {
  const std::int64_t window = weight.size(1) * weight.size(2) * weight.size(3);
  return weight.contiguous(at::MemoryFormat::ChannelsLast).as_strided({weight.size(0), window}, {window, 1});
}

/// A contiguous matrix.
at::Tensor transposed(const at::Tensor& matrix) {
  return matrix.as_strided({matrix.size(1), matrix.size(0)}, {1, matrix.size(1)});
}

/// All windows of x as rows [pixels, k*k*C].
at::Tensor windowsOf(const at::Tensor& x, const ConvGeometry& g) { return g.plain() ? rowsOf(x) : windowRows(x, g); }

}  // namespace

ProductChoice chooseProducts(const at::Tensor& x, const at::Tensor& weight, std::int64_t stride) {
  const bool fits = x.is_cpu() && x.scalar_type() == at::kFloat && x.is_contiguous(at::MemoryFormat::ChannelsLast);
  return fits ? chooseProducts(geometryOf(x, weight, stride), widestSimd()) : ProductChoice{};
}

at::Tensor forwardProduct(const at::Tensor& x, const at::Tensor& weight, std::int64_t stride) {
  const ConvGeometry g = geometryOf(x, weight, stride);
  return imageOf(at::mm(windowsOf(x, g), transposed(matrixOf(weight))), g.n, g.outHeight(), g.outWidth());
}

at::Tensor inputProduct(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight,
                        std::int64_t stride) {
  const ConvGeometry g = geometryOf(x, weight, stride);
  const at::Tensor windows = at::mm(rowsOf(gradient), matrixOf(weight));
  return g.plain() ? imageOf(windows, g.n, g.height, g.width) : sumOfWindowRows(windows, g);
}

at::Tensor weightProduct(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight,
                         std::int64_t stride) {
  const ConvGeometry g = geometryOf(x, weight, stride);
  const at::Tensor sum = at::mm(transposed(rowsOf(gradient)), windowsOf(x, g));
  const std::int64_t window = g.kernel * g.kernel * g.in;
  return sum.as_strided({g.out, g.in, g.kernel, g.kernel}, {window, 1, g.kernel * g.in, g.in});
}

bool addWeightProduct(at::Tensor& sum, const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight,
                      std::int64_t stride) {
  if (!sum.defined() || sum.requires_grad() || at::GradMode::is_enabled()) return false;
  if (!sum.is_contiguous(at::MemoryFormat::ChannelsLast)) return false;
  const ConvGeometry g = geometryOf(x, weight, stride);
  matrixOf(sum).addmm_(transposed(rowsOf(gradient)), windowsOf(x, g));
  return true;
}

}  // namespace lanelab
