// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/conv_products.h"

#include <algorithm>

namespace lanelab {
namespace {

// Measured over ResNet-50's shapes, 64 and 128 px, 4 to 120 images, on one thread of a Zen 4 core and on one and two of
// a Xeon with AVX-512. Pixels: images x height x width of the output. What oneDNN loses grows with the weights, so the
// pixels up to which a product is faster do, too: `floor`, or one for each `weights` weights if that is more.
struct PixelLimit {
  std::int64_t floor, weights;
};

constexpr PixelLimit kPointwise{512, 512};
constexpr PixelLimit kPointwiseWeight{512, 256};  // weight gradient
constexpr PixelLimit kSpatial{0, 2048};           // of 3x3, whose product copies all windows
constexpr PixelLimit kSpatialWeight{384, 512};
constexpr std::int64_t kLargestKernel = 3;

bool isFew(const ConvGeometry& conv, PixelLimit limit) {
  const std::int64_t weights = conv.in * conv.out * conv.kernel * conv.kernel;
  return conv.pixels() <= std::max(limit.floor, weights / limit.weights);
}

}  // namespace

ProductChoice chooseProducts(const ConvGeometry& conv) {
  if (conv.kernel > kLargestKernel) return {};
  const bool pointwise = conv.kernel == 1;
  const bool values = isFew(conv, pointwise ? kPointwise : kSpatial);
  return {values, values, isFew(conv, pointwise ? kPointwiseWeight : kSpatialWeight)};
}

}  // namespace lanelab
