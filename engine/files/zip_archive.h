// SPDX-License-Identifier: GPL-3.0-only
// The records of a zip archive, with every size checked against the file before memory is asked for.
//
// Format: records, each behind a header of its own, and a directory at the end (APPNOTE.TXT of PKWARE, with its 64-bit
// fields). Records may be stored or deflated; encrypted and split archives are refused.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "engine/files/readable_bytes.h"

namespace lanelab {

struct ZipRecord {
  std::uint64_t header_at = 0;     ///< of the record's own header, in the file
  std::uint64_t end_limit = 0;     ///< where the next record or the directory begins
  std::uint64_t packed_bytes = 0;  ///< in the file
  std::uint64_t bytes = 0;         ///< unpacked
  bool deflated = false;
  std::uint32_t crc = 0;  ///< CRC-32 of the unpacked bytes; read() does not check it
};

/// Immutable; any thread. Errors are the reason alone, without the file's name.
class ZipArchive {
 public:
  static Result<ZipArchive> open(ReadableBytes source);

  /// The folder that the first record lies in, with its slash; empty if it lies in none.
  const std::string& folder() const { return m_folder; }
  /// Of all records, sorted.
  std::vector<std::string> names() const;
  /// Null if there is none.
  const ZipRecord* find(const std::string& name) const;
  /// Fills `to` with record.bytes bytes.
  Status read(const ZipRecord& record, void* to) const;
  /// A record of at most `most` bytes.
  Result<std::string> text(const ZipRecord& record, std::uint64_t most) const;

  /// Where its bytes begin in the file, packed if it is deflated.
  Result<std::uint64_t> dataAt(const ZipRecord& record) const;

 private:
  explicit ZipArchive(ReadableBytes source) : m_source(std::move(source)) {}
  Status readStored(std::uint64_t at, void* to, std::uint64_t bytes) const;
  Status inflate(const ZipRecord& record, std::uint64_t at, void* to) const;

  ReadableBytes m_source;
  std::string m_folder;
  std::unordered_map<std::string, ZipRecord> m_records;
};

}  // namespace lanelab
