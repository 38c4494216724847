// SPDX-License-Identifier: GPL-3.0-only
// A measured timeline as it would be with changes: the steps played again, in the places of the measured rows. Spans
// keep their identity, so that what is selected in one is found in the other.
//
// Immutable. Made on any thread, read on the GUI's.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "profiler/replay/changed_steps.h"
#include "ui/timeline/model/timeline_data.h"

namespace lanelab {

class ChangedTimeline {
 public:
  /// `steps` are those of `measured` with these changes.
  ChangedTimeline(std::shared_ptr<const TimelineData> measured, ChangedSteps steps, WhatIf changes);

  const TimelineData& data() const { return m_data; }
  const ChangedSteps& steps() const { return m_steps; }
  const WhatIf& changes() const { return m_changes; }

  /// The row of data() in the place of a measured one; nothing for rows that a replay leaves out, as those of blocks.
  std::optional<std::size_t> rowFor(std::size_t measured_row) const { return m_row_for[measured_row]; }
  /// Where a measured action or transfer is now.
  std::optional<SpanRef> now(SpanRef measured) const;
  /// The measured one that is there now, give or take `tolerance`.
  std::optional<SpanRef> measuredAt(std::size_t measured_row, Nanoseconds time, Nanoseconds tolerance) const;
  /// Measured spans that have another length or lane by a change, not only another time by what follows from it.
  const std::vector<SpanRef>& changed() const { return m_changed; }

 private:
  struct Pair {
    SpanRef from;
    SpanRef to;
  };
  void findRows();
  void pairSpans();
  void findChanged();

  std::shared_ptr<const TimelineData> m_measured;
  ChangedSteps m_steps;
  WhatIf m_changes;
  TimelineData m_data;
  std::vector<std::optional<std::size_t>> m_row_for;
  std::vector<Pair> m_now;          ///< from measured, by row and position
  std::vector<Pair> m_measured_of;  ///< the other way round
  std::vector<SpanRef> m_changed;
};

}  // namespace lanelab
