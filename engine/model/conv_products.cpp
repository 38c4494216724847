// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/conv_products.h"

#include <algorithm>

namespace lanelab {
namespace {

// Measured on one thread of a Zen 4 core over ResNet-50's shapes, 64 and 128 px, 4 to 64 images. Pixels: images x
// height x width of the output.
constexpr std::int64_t kPointwisePixels = 512;
constexpr std::int64_t kSpatialPixels = 128;  // forward and input gradient of 3x3, and only with many channels
constexpr std::int64_t kSpatialChannels = 512;
constexpr std::int64_t kWeightPixels = 384;  // weight gradient of 3x3
constexpr std::int64_t kLargestKernel = 3;

}  // namespace

ProductChoice chooseProducts(const ConvGeometry& conv) {
  if (conv.kernel > kLargestKernel) return {};
  if (conv.kernel == 1) {
    const bool few = conv.pixels() <= kPointwisePixels;
    return {few, few, few};
  }
  const bool spatial = conv.pixels() <= kSpatialPixels && std::min(conv.in, conv.out) >= kSpatialChannels;
  return {spatial, spatial, conv.pixels() <= kWeightPixels};
}

}  // namespace lanelab
