// SPDX-License-Identifier: GPL-3.0-only
// A file in the process's address space: its bytes are read from disk when they are touched.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"

namespace lanelab {

/// Unmapped when the last owner goes. Any thread.
class FileMapping {
 public:
  /// Of a regular file of exactly that size. Errors (BadInput) name the file and the fix.
  static Result<std::shared_ptr<const FileMapping>> open(const std::string& path, std::uint64_t bytes);
  ~FileMapping();
  FileMapping(const FileMapping&) = delete;
  FileMapping& operator=(const FileMapping&) = delete;

  char* at(std::uint64_t offset) const { return m_data + offset; }
  /// Where in the file a place in memory is; nothing for memory of others.
  std::optional<std::uint64_t> offsetOf(const void* place) const;
  /// Reads these bytes from disk unless they are in memory; returns when that is done.
  void read(std::uint64_t begin, std::uint64_t end) const;
  /// Unmaps whole pages among them; pages that hold other bytes too stay.
  void drop(std::uint64_t begin, std::uint64_t end) const;

 private:
  FileMapping(char* data, std::uint64_t bytes) : m_data(data), m_bytes(bytes) {}

  char* m_data;
  std::uint64_t m_bytes;
};

}  // namespace lanelab
