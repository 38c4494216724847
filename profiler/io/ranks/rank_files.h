// SPDX-License-Identifier: GPL-3.0-only
// Reads the traces of a job's ranks, from a folder or as a list, into one trace.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "profiler/io/source/import_limits.h"

namespace lanelab {

/// The files themselves, and of each folder those in it whose names end as traces do, in order of names with numbers
/// as numbers. Empty folders, and folders of something else, add none.
std::vector<std::string> traceFilesOf(const std::vector<std::string>& places);

/// The rank that a file name says: 3 of "rank-3.json.gz", "trace_rank03.json", "pp_r3.pt.trace.json"; nothing else.
std::optional<int> rankOfFileName(const std::string& path);

/// Of one file the trace itself; of several one joined trace (joined_ranks.h) with its ranks, and remarks about files
/// without a trace, ranks that are missing or recorded other steps, and clocks. Files of a folder that hold no trace
/// are left out, unless none does; of a list each has to be one. BadInput: no file; a file that cannot be read. Never
/// null.
ReadImport importRanks(const std::vector<std::string>& places, const ImportLimits& limits = {});
ReadImport importRanksByEnvironment(const std::vector<std::string>& places, const WorkControl& control = {});

}  // namespace lanelab
