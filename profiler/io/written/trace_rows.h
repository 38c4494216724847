// SPDX-License-Identifier: GPL-3.0-only
// Lays the tracks of a trace out on rows (pid and tid) on which spans nest and never partly overlap, as trace viewers
// demand, and finds the arrows between them: which transfer an action waited for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

/// A span by its place in the trace.
struct SpanPlace {
  std::uint32_t track = 0;
  std::uint32_t span = 0;
};
inline Span spanAt(const Trace& trace, SpanPlace place) { return trace.tracks[place.track].spans[place.span]; }

/// One row: its spans nest, in order of start, parents first.
struct TraceRow {
  int lane = 0;
  int tid = 0;            ///< from 1 within the lane, in the order in which rows are shown
  std::size_t track = 0;  ///< the track whose row it is; details of other tracks may lie nested in its actions
  std::string name;       ///< the track's name; "compute (2)" for what did not nest in the first row
  std::vector<SpanPlace> spans;
};

/// Steps, compute, transfers, host, streams, lane by lane. Details go onto the row of the action that contains them,
/// else onto rows of their own; a span that does not nest goes to the first further row of its track on which it does.
std::vector<TraceRow> layOutRows(const Trace& trace);

/// An arrow from a transfer to the action that takes what it brings, both by row and place.
struct TransferFlow {
  std::size_t from_row = 0;
  SpanPlace from;
  std::size_t to_row = 0;
  SpanPlace to;
};

/// F goes to the next stage, B and I to the one before, same micro-batch and step; of several such actions the first
/// that begins after the transfer began. Transfers that no action took have no arrow.
std::vector<TransferFlow> transferFlows(const Trace& trace, const std::vector<TraceRow>& rows);

}  // namespace lanelab
