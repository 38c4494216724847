// SPDX-License-Identifier: GPL-3.0-only
// Where the user of a window was. A value that prints and reads back. Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/words.h"

namespace lanelab {

/// What the window showed beside the open experiment.
struct ShownPlace {
  enum class Kind { Nothing, OwnRun, ViewedRun, Trace };
  Kind kind = Kind::Nothing;
  std::string path;  ///< folder of the run, file or folder of the trace

  bool operator==(const ShownPlace&) const = default;
};
constexpr std::array<Word<ShownPlace::Kind>, 4> wordTable(ShownPlace::Kind) {
  return {{{ShownPlace::Kind::Nothing, "nothing"},
           {ShownPlace::Kind::OwnRun, "own_run"},
           {ShownPlace::Kind::ViewedRun, "viewed_run"},
           {ShownPlace::Kind::Trace, "trace"}}};
}

struct SessionState {
  std::string path;     ///< of the experiment's file, absolute; empty: never saved
  std::string saved;    ///< the experiment when it was last opened or saved, as JSON
  std::string edited;   ///< with its unsaved edits, as JSON; empty: there are none
  std::string variant;  ///< whose tab is chosen
  ShownPlace shown;
  std::int64_t time = 0;  ///< of the last change, in seconds since 1970
  bool closed = false;    ///< by the user; else the program ended in another way

  bool isUnsaved() const { return !edited.empty(); }
  bool operator==(const SessionState&) const = default;
};

std::string toJson(const SessionState& state);
/// Errors (BadInput) begin with `place`.
Result<SessionState> parseSession(std::string_view json, const std::string& place);

}  // namespace lanelab
