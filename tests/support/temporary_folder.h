// SPDX-License-Identifier: GPL-3.0-only
// Folders and files of one test's own, so that tests that run at the same time do not write each other's.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "tests/support/file_content.h"

namespace lanelab::test {

/// Removed with all it holds when it goes.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    std::string pattern = (parent / "lanelab-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder could be made in " + parent.string());
    m_path = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return m_path; }
  /// The path of a file in it.
  std::string file(const std::string& name) const { return m_path + "/" + name; }
  /// Writes a file, makes the folders that its name has, and returns its path.
  std::string write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories(std::filesystem::path(file(name)).parent_path());
    writeContent(file(name), content);
    return file(name);
  }

 private:
  std::string m_path;
};

/// The path of a file that is removed when it goes; the test writes it.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name) : path(m_folder.file(name)) {}

 private:
  const TemporaryFolder m_folder;

 public:
  const std::string path;
};

}  // namespace lanelab::test
