// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/conv_products.h"

#include <algorithm>
#include <limits>

namespace lanelab {
namespace {

// Measured over ResNet-50's shapes, 64 and 128 px, 4 to 120 images. Pixels: images x height x width of the output. What
// oneDNN loses grows with the weights, so the pixels up to which a product is faster do, too: `floor`, or one for each
// `weights` weights if that is more.
struct PixelLimit {
  std::int64_t floor, weights;
};

struct PixelLimits {
  PixelLimit pointwise, pointwise_weight;  // 1x1 kernels: values, and the gradient of the weight
  PixelLimit spatial, spatial_weight;      // of 3x3, whose product copies all windows
};

// On one thread of a Zen 4 core and on one and two of a Xeon.
constexpr PixelLimits kAvx512{{512, 512}, {512, 256}, {0, 2048}, {384, 512}};
// On one and two threads of a Zen 3: there a product is the faster weight gradient of all 1x1 kernels.
constexpr PixelLimits kAvx2{{512, 128}, {std::numeric_limits<std::int64_t>::max(), 1}, {0, 4096}, {384, 32}};

bool isFew(const ConvGeometry& conv, PixelLimit limit) {
  const std::int64_t weights = conv.in * conv.out * conv.kernel * conv.kernel;
  return conv.pixels() <= std::max(limit.floor, weights / limit.weights);
}

}  // namespace

ProductChoice chooseProducts(const ConvGeometry& conv, Simd simd) {
  if (conv.kernel > kLargestProductKernel) return {};
  const PixelLimits& limits = simd == Simd::Avx512 ? kAvx512 : kAvx2;
  const bool pointwise = conv.kernel == 1;
  const bool values = isFew(conv, pointwise ? limits.pointwise : limits.spatial);
  return {values, values, isFew(conv, pointwise ? limits.pointwise_weight : limits.spatial_weight)};
}

}  // namespace lanelab
