// SPDX-License-Identifier: GPL-3.0-only
// What our own files say about themselves (`otherData.lanelab`), so that they come back as the same trace.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profiler/trace/imported_trace.h"

namespace lanelab {

std::string_view toString(Origin origin);     ///< "measured", "replayed", "predicted"
std::string_view toString(Extent extent);     ///< "whole", "unfinished", "warm-up"
std::string_view toString(Track::Kind kind);  ///< "compute", "detail", "transfer", "host", "stream", "step"

struct DeclaredTrace {
  Trace trace;                                              ///< without its spans
  std::map<std::pair<int, int>, std::size_t> track_of_row;  ///< by lane and tid
  std::set<std::string, std::less<>> run_counters;          ///< of no lane, though they lie on the first
};

/// `json` is the text of `otherData`; nothing when it is none of ours or damaged.
std::optional<DeclaredTrace> parseDeclaredTrace(std::string_view json);

/// Of a file that we wrote from another program's trace: what format that was; "" when it is none.
std::string parseImportedFormat(std::string_view json);
/// Of such a file: what the import said of it (ImportCounts::remarks), at most a few.
std::vector<std::string> parseImportedRemarks(std::string_view json);

/// Kineto's `distributedInfo`.
struct DistributedInfo {
  ImportedRank rank;
  std::vector<ProcessGroup> groups;  ///< of pg_config, at most 4096
};
/// Nothing of what is damaged or none.
DistributedInfo parseDistributedInfo(std::string_view json);

}  // namespace lanelab
