// SPDX-License-Identifier: GPL-3.0-only
// Holds a written trace against the rules of the format and of the dialect, reading it as another program would.
#pragma once

#include <string>

namespace lanelab {

/// Empty when all holds, otherwise the first thing that does not: spans nest on each (pid, tid), each flow has both
/// ends and lies in spans, each pid and tid that is used has a name and a place in the order.
std::string whatIsWrong(const std::string& json);

/// The same for a trace of another program, whose arrows may begin and end anywhere and which has instants and counters
/// besides.
std::string whatIsWrongWithImport(const std::string& json);

}  // namespace lanelab
