#include "engine/torch/product_conv.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zeros.h>

namespace lanelab {

namespace {

ConvGeometry geometryOf(const at::Tensor& x, const at::Tensor& weight, std::int64_t stride) {
  return {x.size(0), x.size(1), x.size(2), x.size(3), weight.size(0), weight.size(2), stride};
}

/// [N,C,H,W] channels_last -> [N*H*W, C] without a copy.
at::Tensor rowsOf(const at::Tensor& image) {
  return image.contiguous(at::MemoryFormat::ChannelsLast).permute({0, 2, 3, 1}).view({-1, image.size(1)});
}

/// The inverse: rows of pixels as a channels_last image.
at::Tensor imageOf(const at::Tensor& rows, std::int64_t n, std::int64_t height, std::int64_t width) {
  return rows.view({n, height, width, rows.size(1)}).permute({0, 3, 1, 2});
}

/// weight [K,C,k,k] as [K, k*k*C]: no copy for a channels_last weight.
at::Tensor matrixOf(const at::Tensor& weight) { return weight.permute({0, 2, 3, 1}).reshape({weight.size(0), -1}); }

/// All windows of x as rows [pixels, k*k*C].
at::Tensor windowsOf(const at::Tensor& x, const ConvGeometry& g) {
  if (g.plain()) return rowsOf(x);
  at::Tensor image = x.contiguous(at::MemoryFormat::ChannelsLast).permute({0, 2, 3, 1});
  if (g.pad() > 0) image = at::constant_pad_nd(image, {0, 0, g.pad(), g.pad(), g.pad(), g.pad()});
  const auto s = image.strides();
  return image.as_strided({g.n, g.outHeight(), g.outWidth(), g.kernel, g.kernel, g.in}, {s[0], s[1] * g.stride, s[2] * g.stride, s[1], s[2], 1})
      .reshape({g.pixels(), -1});
}

/// Adds rows of window gradients up to the gradient of x.
at::Tensor foldWindows(const at::Tensor& windows, const ConvGeometry& g) {
  if (g.plain()) return imageOf(windows, g.n, g.height, g.width);
  const at::Tensor parts = windows.view({g.n, g.outHeight(), g.outWidth(), g.kernel, g.kernel, g.in});
  at::Tensor sum = at::zeros({g.n, g.height + 2 * g.pad(), g.width + 2 * g.pad(), g.in}, windows.options());
  for (std::int64_t row = 0; row < g.kernel; ++row) {
    for (std::int64_t column = 0; column < g.kernel; ++column) {
      sum.slice(1, row, row + (g.outHeight() - 1) * g.stride + 1, g.stride)
          .slice(2, column, column + (g.outWidth() - 1) * g.stride + 1, g.stride)
          .add_(parts.select(4, column).select(3, row));
    }
  }
  return sum.narrow(1, g.pad(), g.height).narrow(2, g.pad(), g.width).contiguous().permute({0, 3, 1, 2});
}

}  // namespace

ProductChoice chooseProducts(const at::Tensor& x, const at::Tensor& weight, std::int64_t stride) {
  const bool fits = x.is_cpu() && x.scalar_type() == at::kFloat && x.is_contiguous(at::MemoryFormat::ChannelsLast);
  return fits ? chooseProducts(geometryOf(x, weight, stride)) : ProductChoice{};
}

at::Tensor forwardProduct(const at::Tensor& x, const at::Tensor& weight, std::int64_t stride) {
  const ConvGeometry g = geometryOf(x, weight, stride);
  return imageOf(at::mm(windowsOf(x, g), matrixOf(weight).t()), g.n, g.outHeight(), g.outWidth());
}

at::Tensor inputProduct(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight, std::int64_t stride) {
  return foldWindows(at::mm(rowsOf(gradient), matrixOf(weight)), geometryOf(x, weight, stride));
}

at::Tensor weightProduct(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight, std::int64_t stride) {
  const ConvGeometry g = geometryOf(x, weight, stride);
  return at::mm(rowsOf(gradient).t(), windowsOf(x, g)).view({g.out, g.kernel, g.kernel, g.in}).permute({0, 3, 1, 2});
}

bool addWeightProduct(at::Tensor& sum, const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight, std::int64_t stride) {
  if (!sum.defined() || sum.requires_grad() || at::GradMode::is_enabled()) return false;
  const at::Tensor rows = sum.permute({0, 2, 3, 1});
  if (!rows.is_contiguous()) return false;
  const ConvGeometry g = geometryOf(x, weight, stride);
  rows.view({g.out, -1}).addmm_(rowsOf(gradient).t(), windowsOf(x, g));
  return true;
}

}  // namespace lanelab
