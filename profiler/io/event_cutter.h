// Cuts the text of a Chrome trace into its events without parsing them, so that one bad event never costs the others and a file that
// stops in the middle still gives what it holds. Any size of file: each event is a small document of its own.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanelab {

/// Views into the text.
struct CutTrace {
  std::vector<std::string_view> events;            ///< each from its '{' to its '}'
  std::map<std::string, std::string_view> fields;  ///< the other values at the top level, by key as written
  bool has_events = false;                         ///< an array of events was found, be it empty
  std::map<std::string, std::int64_t> problems;    ///< cut_file, damaged_text
};

/// The text is an object with `traceEvents` or a bare array; closing brackets may be missing, commas may trail.
CutTrace cutTrace(std::string_view text);

}  // namespace lanelab
