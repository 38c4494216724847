// SPDX-License-Identifier: GPL-3.0-only
#include "engine/files/clipped_name.h"

#include "base/utf8.h"

namespace lanelab {

namespace {

constexpr std::size_t kLongest = 80;
constexpr std::size_t kMostNames = 5;

}  // namespace

std::string clippedName(std::string_view name) {
  return name.size() <= kLongest ? std::string(name) : std::string(firstBytes(name, kLongest)) + "...";
}

std::string firstNames(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMostNames; ++i) text += (i ? ", " : "") + clippedName(names[i]);
  return names.size() > kMostNames ? text + " and " + std::to_string(names.size() - kMostNames) + " more" : text;
}

}  // namespace lanelab
