// SPDX-License-Identifier: GPL-3.0-only
// Compares a text with a golden file.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace lanelab {

/// Fails unless `actual` equals tests/golden/data/<name>; then writes <name>.actual beside it and says how to accept
/// it.
inline void expectGolden(const std::string& name, const std::string& actual) {
  const std::filesystem::path golden = std::filesystem::path(LANELAB_SOURCE_DIR) / "tests/golden/data" / name;
  std::stringstream expected;
  expected << std::ifstream(golden, std::ios::binary).rdbuf();
  const std::string actual_path = golden.string() + ".actual";
  if (expected.str() == actual) {
    std::filesystem::remove(actual_path);
    return;
  }
  std::ofstream(actual_path, std::ios::binary) << actual;
  EXPECT_EQ(expected.str(), actual) << "If the new text is right: mv '" << actual_path << "' '" << golden.string()
                                    << "'";
}

}  // namespace lanelab
