// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <stdlib.h>

#include <string>

#include "app/start/start_with_torch.h"

namespace lanelab {
namespace {

std::string variableOr(const char* name, const std::string& otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

TEST(LibraryPath, IsAgainWhatItWasBeforeLanelabAddedLibtorch) {
  const struct { std::string earlier, restored; } rows[] = {{"", "not set"}, {"/usr/lib/mine", "/usr/lib/mine"}};
  for (const auto& [earlier, restored] : rows) {
    ::setenv("LD_LIBRARY_PATH", ("/packages/torch/lib:" + earlier).c_str(), 1);
    ::setenv("LANELAB_LD_LIBRARY_PATH", earlier.c_str(), 1);
    restoreLibraryPath();
    EXPECT_EQ(variableOr("LD_LIBRARY_PATH", "not set"), restored);
    EXPECT_EQ(variableOr("LANELAB_LD_LIBRARY_PATH", "not set"), "not set");
  }
}

TEST(LibraryPath, StaysIfLanelabDidNotChangeIt) {
  ::setenv("LD_LIBRARY_PATH", "/usr/lib/mine", 1);
  restoreLibraryPath();
  EXPECT_EQ(variableOr("LD_LIBRARY_PATH", "not set"), "/usr/lib/mine");
}

}  // namespace
}  // namespace lanelab
