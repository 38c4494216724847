#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "engine/torch/image_file.h"

namespace lanelab {

bool isImageName(const std::string& name) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array<std::string_view, 3> endings = {".png", ".jpg", ".jpeg"};
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return lower.ends_with(ending); });
}

}  // namespace lanelab
