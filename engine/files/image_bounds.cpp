// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "engine/files/image_pixels.h"

namespace lanelab {

std::string sizeProblem(std::int64_t height, std::int64_t width) {
  const std::string sides = "it is " + std::to_string(width) + " x " + std::to_string(height) + " pixels, ";
  if (height < 1 || width < 1) return sides + "which is none";
  if (height > kMostPixels / width)
    return sides + "and at most " + std::to_string(kMostPixels / 1'000'000) + " million are read";
  const auto [shorter, longer] = std::minmax(height, width);
  return longer / kLongestStrip <= shorter
             ? ""
             : sides + "one side more than " + std::to_string(kLongestStrip) + " times the other";
}

bool isImageName(const std::string& name) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array<std::string_view, 3> kEndings = {".png", ".jpg", ".jpeg"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return lower.ends_with(ending); });
}

}  // namespace lanelab
