// SPDX-License-Identifier: GPL-3.0-only
// Whole files as tests read and write them, byte for byte.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace lanelab::test {

/// Empty where there is no file.
inline std::string contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void writeContent(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

}  // namespace lanelab::test
