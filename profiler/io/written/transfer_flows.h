// SPDX-License-Identifier: GPL-3.0-only
// Which transfer an action waited for: the arrows of an exported trace.
#pragma once

#include <vector>

#include "profiler/io/written/trace_rows.h"

namespace lanelab {

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
