// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/model_spec.h"

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "engine/model/resnet.h"
#include "engine/model/tutorial_models.h"

namespace lanelab {
namespace {

// Far above any picture; keeps every product of sizes within 64 bits.
constexpr std::int64_t kLargestSide = 65536;

Status checkImage(const std::string& arch, const Shape& input) {
  const std::string given = input.empty() ? "nothing" : formatShape(input);
  if (input.size() != 3 || input[0] != 3) {
    return Error::badInput("The input of {} is a colour image, 3xHxW, not {}: write for example 3x128x128.", arch,
                           given);
  }
  if (input[1] < 1 || input[2] < 1)
    return Error::badInput("An image of {} leaves nothing to compute: the smallest input of {} is 3x1x1.", given, arch);
  if (input[1] > kLargestSide || input[2] > kLargestSide) {
    return Error::badInput("An image of {} is too large: the largest input of {} is 3x65536x65536.", given, arch);
  }
  return {};
}

constexpr std::int64_t kMostFeatures = 1 << 24;

Status checkNumbers(const Shape& input) {
  std::int64_t features = input.empty() ? 0 : 1;
  for (const std::int64_t side : input)
    features = side < 1 || side > kMostFeatures ? 0 : std::min(features * side, kMostFeatures + 1);
  if (features >= 1 && features <= kMostFeatures) return {};
  return Error::badInput("The input of linear is a sample of 1 to {} numbers, not {}: write for example 5.",
                         kMostFeatures, input.empty() ? "nothing" : formatShape(input));
}

}  // namespace

std::optional<BlockId> ModelSpec::find(std::string_view block_name) const {
  const auto found = std::ranges::find(blocks, block_name, &BlockSpec::name);
  if (found == blocks.end()) return std::nullopt;
  return BlockId(static_cast<std::size_t>(found - blocks.begin()));
}

std::int64_t ModelSpec::parameters() const {
  return std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0},
                         [](std::int64_t sum, const BlockSpec& b) { return sum + b.parameters; });
}

std::int64_t ModelSpec::frozenParameters() const {
  return std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0},
                         [](std::int64_t sum, const BlockSpec& b) { return sum + b.frozen_parameters; });
}

std::int64_t ModelSpec::macs() const {
  return std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0},
                         [](std::int64_t sum, const BlockSpec& b) { return sum + b.macs; });
}

const std::vector<std::string>& knownArchitectures() {
  static const std::vector<std::string> names = {"resnet18",  "resnet34", "resnet50", "resnet101",
                                                 "resnet152", "toy",      "linear"};
  return names;
}

Result<ModelSpec> describeModel(const std::string& arch, int classes, const Shape& input) {
  const ResnetShape* resnet = findResnet(arch);
  if (!resnet && arch != "toy" && arch != "linear")
    return Error::badInput("Unknown model \"{}\": {}", arch, nearestHint(arch, knownArchitectures()));
  if (classes < 1) return Error::badInput("A model needs at least 1 class, not {}.", classes);
  if (arch == "linear") {
    if (const Status sample = checkNumbers(input); !sample.ok()) return sample.error();
    return describeLinear(classes, input);
  }
  if (!resnet) {
    if (input != Shape{kToyFeatures}) {
      return Error::badInput("The input of toy is 10 numbers, not {}: write 10.",
                             input.empty() ? "nothing" : formatShape(input));
    }
    return describeToy(classes);
  }
  if (const Status image = checkImage(arch, input); !image.ok()) return image.error();
  return describeResnet(*resnet, classes, input);
}

}  // namespace lanelab
