// SPDX-License-Identifier: GPL-3.0-only
// What a span waited on and what waited on it: results that go from stage to stage over transfers, and the calls of an
// imported trace that launched GPU work. Walks no further than the span's own step.
#pragma once

#include <optional>
#include <vector>

#include "profiler/trace/imported_trace.h"
#include "ui/timeline/model/timeline_data.h"

namespace lanelab {

/// From the end of one span to the start of another.
struct Arrow {
  SpanRef from;
  SpanRef to;
  bool operator==(const Arrow&) const = default;
};

class Dependencies {
 public:
  /// `imported`: null, or what `data` shows. Both must outlive it.
  Dependencies(const TimelineData& data, const ImportedTrace* imported) : m_data(data), m_imported(imported) {}

  /// Arrows that lead to the span, the first one first; of a transfer and a launch call also the one away from it.
  std::vector<Arrow> arrowsOf(SpanRef ref) const;
  /// What the arrow to the span begins at. Of actions without one: of the last stage's backward its own forward, of
  /// weights their inputs, of an update the lane's last backward.
  std::optional<SpanRef> waitedOn(SpanRef ref) const;
  /// What an arrow leads to from the span, the other way round.
  std::optional<SpanRef> waiting(SpanRef ref) const;

 private:
  int laneOf(SpanRef ref) const { return m_data.rows()[ref.row].lane; }
  std::optional<SpanRef> senderOf(SpanRef transfer) const;
  std::optional<SpanRef> takerOf(SpanRef result) const;
  std::optional<SpanRef> transferOf(SpanRef producer) const;
  std::optional<SpanRef> onSameStage(SpanRef ref, bool before) const;
  std::optional<SpanRef> launchPartner(SpanRef ref) const;

  const TimelineData& m_data;
  const ImportedTrace* m_imported;
};

}  // namespace lanelab
