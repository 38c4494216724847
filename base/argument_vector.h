// SPDX-License-Identifier: GPL-3.0-only
// Words as the system's calls that start programs take them.
#pragma once

#include <string>
#include <vector>

namespace lanelab {

/// Pointers to the texts, which must outlive them, and a null at the end.
inline std::vector<char*> argumentVector(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace lanelab
