// SPDX-License-Identifier: GPL-3.0-only
// A text written to a file as it grows: aside first, then renamed, gzipped when the name ends in ".gz".
#pragma once

#include <cstdio>
#include <future>
#include <string>

#include "base/atomic_file.h"
#include "base/result.h"

struct gzFile_s;  // of zlib

namespace lanelab {

class TextFile {
 public:
  /// zlib's level of compression; 1 is quick, 6 is small.
  explicit TextFile(const std::string& path, int level = 6);
  /// Without finish() nothing is left behind.
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  /// What is not yet written; append to it.
  std::string& text() { return m_text; }
  /// Call it now and then: hands a large text to a thread that compresses and writes it.
  void flushIfLarge();
  /// Errors name path and reason.
  Status finish();

 private:
  int put();
  void await();
  void hand();
  void close();

  std::string m_path;
  PartialFile m_partial;
  std::FILE* m_plain = nullptr;
  gzFile_s* m_zipped = nullptr;
  int m_reason = 0;  ///< errno of the first failure
  std::string m_text;
  std::string m_going;  ///< what the thread writes
  std::future<int> m_written;
};

}  // namespace lanelab
