// SPDX-License-Identifier: GPL-3.0-only
// Writes a zip archive, over minizip. Files that are packed already are stored, others deflated.
#pragma once

#include <stop_token>
#include <string>

#include "base/atomic_file.h"
#include "base/result.h"

namespace lanelab {

/// Used by one thread at a time. Errors name the archive's final path.
class ZipWriter {
 public:
  /// Writes to `partial`, which must outlive it; finish() puts it in the place of `path`.
  static Result<ZipWriter> create(PartialFile& partial, const std::string& path);
  ZipWriter(ZipWriter&&) noexcept;
  ~ZipWriter();

  Status add(const std::string& name, const std::string& content);
  /// The content of a file, with its time. Read in parts; a stop ends it with Cancelled.
  Status addFile(const std::string& name, const std::string& file, const std::stop_token& stop);
  Status finish();

 private:
  ZipWriter(const PartialFile& partial, const std::string& path, void* zip);
  Status begin(const std::string& name, std::int64_t time, std::uint64_t bytes);

  const PartialFile* m_partial;
  std::string m_path;
  void* m_zip;  ///< minizip's
};

}  // namespace lanelab
