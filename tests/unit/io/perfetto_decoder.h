// SPDX-License-Identifier: GPL-3.0-only
// Reads what the Perfetto writer wrote, as another program would: wire format, interned names, slices by their begins
// and ends, arrows.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanelab {

struct PerfettoSlice {
  std::string process, track, category, name;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  int depth = 0;
  std::map<std::string, std::string> annotations;
};

struct PerfettoArrow {
  std::string from, to;  ///< names of the slices
};

struct PerfettoTrace {
  std::string fault;  ///< the first break of a rule; empty when all holds
  std::vector<PerfettoSlice> slices;
  std::vector<PerfettoArrow> arrows;
  std::vector<std::string> instants;  ///< "name at time on track"
  std::vector<std::string> counters;  ///< "track time=value"
};

/// Rules: the wire format holds, names are interned before they are used, tracks are described before they are used,
/// times of a track's slices never go back, each end has its begin and each begin its end, each arrow has one begin and
/// one end in slices.
PerfettoTrace decodePerfetto(std::string_view bytes);
/// As viewers do: packets may lie compressed in packets, and events go by time, those of one time as they lie in the
/// file.
PerfettoTrace decodePerfettoByTime(std::string_view bytes);

}  // namespace lanelab
