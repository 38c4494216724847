// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/architectures.h"

#include <algorithm>

#include "base/text.h"

namespace lanelab {
namespace {

constexpr std::int64_t kToyFeatures = 10;  // of the model-parallel tutorial

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

Status checkToy(const Shape& input) {
  if (input == Shape{kToyFeatures}) return {};
  return Error::badInput("The input of toy is 10 numbers, not {}: write 10.",
                         input.empty() ? "nothing" : formatShape(input));
}

}  // namespace

const std::vector<std::string>& knownArchitectures() {
  static const std::vector<std::string> names = {"resnet18",  "resnet34", "resnet50", "resnet101",
                                                 "resnet152", "toy",      "linear"};
  return names;
}

Status checkArchitecture(const std::string& arch, int classes, const Shape& input) {
  if (std::ranges::find(knownArchitectures(), arch) == knownArchitectures().end())
    return Error::badInput("Unknown model \"{}\": {}", arch, nearestHint(arch, knownArchitectures()));
  if (classes < 1) return Error::badInput("A model needs at least 1 class, not {}.", classes);
  if (arch == "linear") return checkNumbers(input);
  return arch == "toy" ? checkToy(input) : checkImage(arch, input);
}

int usualClasses(const std::string& arch) { return arch == "toy" ? 5 : arch == "linear" ? 2 : 1000; }

Shape usualInput(const std::string& arch) {
  return arch == "toy" ? Shape{kToyFeatures} : arch == "linear" ? Shape{5} : Shape{3, 128, 128};
}

}  // namespace lanelab
