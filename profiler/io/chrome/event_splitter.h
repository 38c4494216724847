// SPDX-License-Identifier: GPL-3.0-only
// Cuts a stream of Chrome trace JSON into its events without parsing them, so that one bad event never costs the others
// and a file that stops in the middle still gives what it holds. Any size of file: each event is a small document of
// its own, and only a window of the text is kept.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "profiler/io/source/byte_source.h"

namespace lanelab {

/// The text is an object with `traceEvents` or a bare array; closing brackets may be missing, commas may trail.
class EventSplitter {
 public:
  /// Both must outlive the cutter. Counts cut_file, damaged_text and damaged_event.
  EventSplitter(ByteSource& source, std::map<std::string, std::int64_t>& problems);
  ~EventSplitter();

  /// The next event, from its '{' to its '}' unless it is damaged; a view until the next call. Nothing at the end.
  std::optional<std::string_view> next();
  /// To be called for an event that could not be parsed: its front, where another event seems to begin within; next()
  /// then goes on with that one.
  std::optional<std::string_view> shorten();
  /// How many bytes may be read from the begin of the event that was given last.
  std::size_t readable() const;

  bool foundEvents() const;  ///< an array of events was found, be it empty
  bool foundText() const;    ///< something else than blanks
  /// Values at the top level that matter (baseTimeNanoseconds, otherData), as written; others by their key only.
  const std::map<std::string, std::string>& fields() const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace lanelab
