// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/row_names.h"

#include <algorithm>
#include <string_view>

#include "ui/look/plain_text.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

constexpr std::string_view kExchangeTrack = "replicas";  ///< as the engine names it
constexpr std::size_t kLooked = 64;                      ///< spans of a row that tell what it holds

bool holds(const Trace& trace, const Row& row, Category category) {
  const Track& track = trace.tracks[row.track];
  for (std::size_t i = 0; i < std::min(row.spans.size(), kLooked); ++i) {
    const Span span = track.spans[row.spans[i]];
    if (span.category == category) return true;
  }
  return false;
}

RowKind kindOf(const Trace& trace, const Row& row, bool lane_acts) {
  switch (row.kind) {
    case Track::Kind::Compute: return RowKind::Actions;
    case Track::Kind::Transfer: return RowKind::Transfers;
    case Track::Kind::Stream: return RowKind::Streams;
    case Track::Kind::Detail: return holds(trace, row, Category::Block) ? RowKind::Blocks : RowKind::Operators;
    case Track::Kind::Host:
      if (lane_acts && trace.tracks[row.track].name == kExchangeTrack) return RowKind::Exchange;
      return lane_acts && holds(trace, row, Category::CpuOp) ? RowKind::Operators : RowKind::HostThreads;
    case Track::Kind::Step: break;
  }
  return RowKind::Actions;
}

}  // namespace

QString replicaName(int replica) { return TimelineTexts::tr("Replica %1").arg(replica); }

std::vector<RowKind> rowKindsOf(const Trace& trace, const std::vector<Row>& rows) {
  std::vector<RowKind> kinds;
  kinds.reserve(rows.size());
  int acting = -1;  // rows come lane by lane, those of actions first
  for (const Row& row : rows) {
    if (row.holdsActions()) acting = row.lane;
    kinds.push_back(kindOf(trace, row, acting == row.lane));
  }
  return kinds;
}

QString rowName(const Trace& trace, const std::vector<Row>& rows, const std::vector<RowKind>& kinds, std::size_t row) {
  if (kinds[row] == RowKind::Actions) return {};
  if (row > 0 && rows[row - 1].track == rows[row].track && kinds[row - 1] == kinds[row]) return {};
  switch (kinds[row]) {
    case RowKind::Blocks: return TimelineTexts::tr("blocks");
    case RowKind::Operators: return TimelineTexts::tr("operators");
    case RowKind::Transfers: return TimelineTexts::tr("transfers");
    case RowKind::Exchange: return TimelineTexts::tr("exchange");
    default: break;
  }
  const std::string& name = trace.tracks[rows[row].track].name;
  if (!name.empty()) return look::shownName(name);
  return kinds[row] == RowKind::Streams ? TimelineTexts::tr("stream") : TimelineTexts::tr("thread");
}

}  // namespace lanelab
