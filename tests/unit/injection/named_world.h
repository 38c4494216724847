// SPDX-License-Identifier: GPL-3.0-only
// A run and traces in which every text that somebody else chooses is one name.
#pragma once

#include <string>

#include "engine/record/bookmarks.h"
#include "engine/record/run_record.h"
#include "engine/report/report.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// Two variants with repeats, lanes, memory, epochs, predictions, a fix, warnings, an error and an environment.
RunRecord recordNamed(const std::string& name);
std::vector<ReportFigure> figuresNamed(const std::string& name);
/// Two lanes with actions, transfers, blocks, counters.
Trace traceNamed(const std::string& name);
std::vector<Bookmark> bookmarksNamed(const std::string& name);
/// A trace of another program: processes, threads, categories, names, instants, counters, flows, ids. Names reach it
/// without a reader's repair.
ImportedTrace importNamed(const std::string& name);

}  // namespace lanelab
