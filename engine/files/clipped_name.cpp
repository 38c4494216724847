// SPDX-License-Identifier: GPL-3.0-only
#include "engine/files/clipped_name.h"

namespace lanelab {

namespace {

constexpr std::size_t kLongest = 80;
constexpr std::size_t kMostNames = 5;

bool continuesCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

}  // namespace

std::string clippedName(const std::string& name) {
  if (name.size() <= kLongest) return name;
  std::size_t end = kLongest;
  while (end > 0 && continuesCharacter(name[end])) --end;
  return name.substr(0, end) + "...";
}

std::string firstNames(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMostNames; ++i) text += (i ? ", " : "") + clippedName(names[i]);
  return names.size() > kMostNames ? text + " and " + std::to_string(names.size() - kMostNames) + " more" : text;
}

}  // namespace lanelab
