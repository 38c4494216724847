// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/changed_timeline.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lanelab {
namespace {

bool isReplayed(Category category) { return category == Category::Action || category == Category::Transfer; }

/// What a span differs by from the others, wherever and whenever it is.
struct PlacedSpan {
  bool transfer = false;
  ActionId id;
  int lane = 0;  ///< replicas update a stage on several
  SpanRef ref;
  auto key() const { return std::tie(transfer, id, lane); }
};

std::vector<PlacedSpan> placedSpans(const TimelineData& data, const WhatIf& changes) {
  std::vector<PlacedSpan> placed;
  for (std::size_t row = 0; row < data.rows().size(); ++row) {
    const Row& of = data.rows()[row];
    if ((of.kind != Track::Kind::Compute && of.kind != Track::Kind::Transfer) || of.track == Row::kNoTrack) continue;
    const Track& track = data.track(of);
    for (std::size_t position = 0; position < of.spans.size(); ++position) {
      const Span span = track.spans[of.spans[position]];
      if (!isReplayed(span.category)) continue;
      const bool transfer = span.category == Category::Transfer;
      const bool elsewhere = transfer || changes.lanes.contains(span.stage);
      placed.push_back({transfer, actionIdOf(span), elsewhere ? -1 : of.lane, {row, position}});
    }
  }
  std::ranges::stable_sort(placed, [](const PlacedSpan& a, const PlacedSpan& b) { return a.key() < b.key(); });
  return placed;
}

auto rowAndPosition(SpanRef ref) { return std::pair(ref.row, ref.position); }

template <class Pairs>
std::optional<SpanRef> pairedWith(const Pairs& pairs, SpanRef from) {
  const auto pair = std::ranges::lower_bound(pairs, rowAndPosition(from), {},
                                             [](const auto& one) { return rowAndPosition(one.from); });
  return pair != pairs.end() && pair->from == from ? std::optional(pair->to) : std::nullopt;
}

}  // namespace

ChangedTimeline::ChangedTimeline(std::shared_ptr<const TimelineData> measured, ChangedSteps steps, WhatIf changes)
    : m_measured(std::move(measured)),
      m_steps(std::move(steps)),
      m_changes(std::move(changes)),
      m_data(m_steps.trace),
      m_row_for(m_measured->rows().size()) {
  findRows();
  pairSpans();
  findChanged();
}

/// Rows of actions, transfers and hosts, in their order on the lane.
void ChangedTimeline::findRows() {
  std::vector<bool> taken(m_data.rows().size());
  for (std::size_t row = 0; row < m_row_for.size(); ++row) {
    const Row& measured = m_measured->rows()[row];
    for (std::size_t other = 0; other < taken.size() && !m_row_for[row]; ++other) {
      const Row& now = m_data.rows()[other];
      if (taken[other] || now.lane != measured.lane || now.kind != measured.kind || now.depth != measured.depth)
        continue;
      taken[other] = true;
      m_row_for[row] = other;
    }
  }
}

void ChangedTimeline::pairSpans() {
  const std::vector<PlacedSpan> before = placedSpans(*m_measured, m_changes), after = placedSpans(m_data, m_changes);
  auto now = after.begin();
  for (const PlacedSpan& measured : before) {
    while (now != after.end() && now->key() < measured.key()) ++now;
    if (now == after.end() || now->key() != measured.key()) continue;
    m_now.push_back({measured.ref, now->ref});
    m_measured_of.push_back({now->ref, measured.ref});
    ++now;
  }
  const auto goesFirst = [](const Pair& a, const Pair& b) { return rowAndPosition(a.from) < rowAndPosition(b.from); };
  std::ranges::sort(m_now, goesFirst);
  std::ranges::sort(m_measured_of, goesFirst);
}

void ChangedTimeline::findChanged() {
  for (const Pair& pair : m_now) {
    const Span before = m_measured->span(pair.from), after = m_data.span(pair.to);
    const bool moved = m_measured->rows()[pair.from.row].lane != m_data.rows()[pair.to.row].lane;
    if (before.range().length() != after.range().length() || (moved && before.category == Category::Action))
      m_changed.push_back(pair.from);
  }
}

std::optional<SpanRef> ChangedTimeline::now(SpanRef measured) const { return pairedWith(m_now, measured); }

std::optional<SpanRef> ChangedTimeline::measuredAt(std::size_t measured_row, Nanoseconds time,
                                                   Nanoseconds tolerance) const {
  const auto row = rowFor(measured_row);
  const auto there = row ? m_data.spanAt(*row, time, tolerance) : std::nullopt;
  return there ? pairedWith(m_measured_of, *there) : std::nullopt;
}

}  // namespace lanelab
