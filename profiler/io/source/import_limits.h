// SPDX-License-Identifier: GPL-3.0-only
// What the import of a trace may take: a file from somebody else must neither fill the memory nor run for ever; what is
// known besides the file; and what the import gives.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "base/progress.h"
#include "base/result.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

struct ActionMap;  ///< profiler/io/names/action_map.h

/// The trace, never null. Errors name the file and the repair: BadInput, or Cancelled when the import was stopped.
using ReadImport = Result<std::shared_ptr<const ImportedTrace>>;

struct ImportLimits {
  /// Bytes after gunzip; more is refused with a sentence that names the override.
  std::int64_t unpacked_bytes = std::int64_t{8} << 30;
  /// Ends the import within a fraction of a second; its error then says that it was cancelled.
  std::stop_token stop = {};
  /// Counts the bytes of the file, and what is done with them once they are read. Called on threads of the import.
  ReportProgress report = {};
  /// What the names of spans mean besides the built-in ones; null without.
  std::shared_ptr<const ActionMap> actions = {};
  /// Of a file among those of other ranks: that of its name, in case that the file does not say it.
  std::optional<int> rank = {};
};

class StoppedError : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped on request"; }
};

/// Call it once a step; it costs next to nothing, since the token is looked at in every 1024th step only. One thread.
class StopCheck {
 public:
  explicit StopCheck(std::stop_token stop) : m_stop(std::move(stop)) {}
  /// Throws StoppedError once a stop was requested.
  void operator()() {
    constexpr std::uint32_t kEvery = 1024;
    if (++m_steps % kEvery == 0) now();
  }
  void now() const {
    if (m_stop.stop_requested()) throw StoppedError();
  }

 private:
  std::stop_token m_stop;
  std::uint32_t m_steps = 0;
};

/// Sets unpacked_bytes to what the environment variable LANELAB_MAX_UNPACKED says, if it is set.
Status readEnvironment(ImportLimits& limits);

/// Bytes of a size as users write it: "5000000", "20 GB", "20GiB" (kB is 1000 bytes, KiB is 1024); nothing for other
/// texts and for less than a byte.
std::optional<std::int64_t> bytesOfSize(std::string_view text);
/// "8 GiB", "1500 bytes"
std::string sizeOfBytes(std::int64_t bytes);

/// The sentence about a file that has more than the limit.
Message unpackedTooFar(const std::string& path, const ImportLimits& limits);

}  // namespace lanelab
