// SPDX-License-Identifier: GPL-3.0-only
// A program of the system that is run for the lines that it prints. It has no terminal, no standard input and a process
// group of its own, so that Ctrl+C reaches LaneLab alone, which then ends the whole group.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanelab {

/// Called with each line, without its end, as soon as it is complete; on the thread of runChild(), one call at a time.
struct ChildLines {
  std::function<void(const std::string& line)> output;    ///< standard output
  std::function<void(const std::string& line)> messages;  ///< standard error
};

struct ChildEnd {
  int exit_code = 0;
  int signal = 0;  ///< that ended it; 0: it ended by itself
};

/// Blocks until the program has ended. words[0] is a path, or is looked up in PATH. A stop request kills the program
/// and all that it started, and the answer is Cancelled. Failed: it cannot be started, and why. Any thread.
Result<ChildEnd> runChild(std::vector<std::string> words, const ChildLines& lines, const std::stop_token& stop);

}  // namespace lanelab
