// SPDX-License-Identifier: GPL-3.0-only
// A text written to a file as it grows: aside first, then renamed, gzipped when the name ends in ".gz".
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

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
  std::string& text();
  /// Call it now and then: hands a large text to a thread that compresses and writes it.
  void flushIfLarge();
  /// Errors name path and reason.
  Status finish();

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace lanelab
