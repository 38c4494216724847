// SPDX-License-Identifier: GPL-3.0-only
// What each root of idle time costs and what the critical path is made of, as rows, sentences and JSON. C locale.
#pragma once

#include <string>

#include "profiler/analysis/path_parts.h"
#include "profiler/analysis/root_costs.h"
#include "profiler/io/tables/gap_tables.h"

namespace lanelab {

/// "transfers between stage 0 and 1", "data on cpu:0".
std::string rootText(const Trace& trace, const Root& root);

/// Without what, step, saved: the largest first, at most `most`; only the headers where no root costs anything.
TableRows rootRows(const Trace& trace, const RootCosts& roots, std::size_t most);
/// The slowest replica; "" where none is slower than the others.
std::string stragglerSentence(const Trace& trace, const RootCosts& roots);
/// [ { "root", "text", "stage" or "lane", "cause", "step_us", "saved_us", "saved_share" } ]
std::string rootsJson(const Trace& trace, const RootCosts& roots);

/// Stage and phase, share of the path, slack: the largest share first, at most `most`.
TableRows pathRows(const Trace& trace, const PathParts& path, std::size_t most);
/// Which blocks the path consists of; "" where none are recorded.
std::string pathBlocksSentence(const PathParts& path);
/// { "parts": [ { "stage", "phase", "lane", "time_us", "share", "slack_us" } ], "blocks": [ { "name", "time_us",
/// "share" } ] }
std::string pathJson(const PathParts& path);

}  // namespace lanelab
