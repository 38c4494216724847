// SPDX-License-Identifier: GPL-3.0-only
// A file of one test's own, so that tests that run at the same time do not write each other's; removed at the end.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace lanelab::test {

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name)
      : path((std::filesystem::path(::testing::TempDir()) / ("lanelab-" + std::to_string(::getpid()) + "-" + name))
                 .string()) {}
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string path;
};

}  // namespace lanelab::test
