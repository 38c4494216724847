// SPDX-License-Identifier: GPL-3.0-only
// Where the bytes of a file come from, piece by piece; gzip is known by content and unzipped on the way.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "profiler/io/source/import_limits.h"

namespace lanelab {

class ByteSource {
 public:
  ByteSource() = default;
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Up to `room` bytes; 0 at the end, and where damage ends it.
  virtual std::size_t read(char* to, std::size_t room) = 0;
  /// After the end: whether gzip data was cut or damaged, or the disk gave up.
  virtual bool damaged() const { return false; }
  /// After the end: whether a limit ended the bytes before their own end.
  enum class Ended { Itself, TooLarge, Cancelled };
  virtual Ended ended() const { return Ended::Itself; }
};

/// `text` must outlive the source.
std::unique_ptr<ByteSource> memorySource(std::string_view text);

/// `front`, then what `rest` gives, which must outlive the source.
std::unique_ptr<ByteSource> sourceBehind(std::string front, ByteSource& rest);
/// Up to `most` bytes of the source, fewer at its end.
std::string readSome(ByteSource& source, std::size_t most);

struct OpenedSource {
  std::unique_ptr<ByteSource> source;       ///< null when the file cannot be read
  std::string error;                        ///< then one sentence
  std::string head;                         ///< the first bytes of the file as it lies on disk, at most 16
  std::shared_ptr<ProgressCount> progress;  ///< the source counts its bytes in it; a part is left for what follows
};
/// Regular files only. A thread of its own reads and unzips ahead. The limit of unpacked bytes counts only for gzip: no
/// other file can hold more than it is long.
OpenedSource openSource(const std::string& path, const ImportLimits& limits = {});

}  // namespace lanelab
