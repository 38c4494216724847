#include "engine/torch/pointwise_conv.h"

#include <ATen/ops/linear.h>

namespace lanelab {

namespace {

/// Above this many pixels (images x height x width) oneDNN wins on the machines tried.
constexpr std::int64_t kFewPixels = 256;

}  // namespace

bool prefersMatrixProduct(const at::Tensor& x, std::int64_t kernel) {
  return kernel == 1 && x.is_cpu() && x.size(0) * x.size(2) * x.size(3) <= kFewPixels &&
         x.is_contiguous(at::MemoryFormat::ChannelsLast);
}

at::Tensor pointwiseConv(const at::Tensor& x, const at::Tensor& weight, std::int64_t stride) {
  at::Tensor pixels = stride == 1 ? x : x.slice(2, 0, x.size(2), stride).slice(3, 0, x.size(3), stride);
  pixels = pixels.permute({0, 2, 3, 1});
  return at::linear(pixels, weight.view({weight.size(0), weight.size(1)})).permute({0, 3, 1, 2});
}

}  // namespace lanelab
