// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/timeline_content.h"

#include <algorithm>
#include <utility>

#include "ui/timeline/layout/action_difference.h"

namespace lanelab {
namespace {

/// Spans of a track are sorted, so that this costs a look at each track.
std::optional<Nanoseconds> startOf(const Trace& trace) {
  std::optional<Nanoseconds> start;
  for (const Track& track : trace.tracks) {
    if (!track.spans.empty()) start = std::min(start.value_or(track.spans.startOf(0)), track.spans.startOf(0));
  }
  return start;
}

bool sameLanes(const Trace& a, const Trace& b) {
  return std::equal(
      a.lanes.begin(), a.lanes.end(), b.lanes.begin(), b.lanes.end(),
      [](const LaneInfo& one, const LaneInfo& other) { return one.name == other.name && one.device == other.device; });
}

/// Whether `next` is the same run a little later, not another one. Two snapshots of one recording have its clock; what
/// began first may be recorded later.
bool continues(const Trace& before, const Trace& next) {
  const bool same_recording = !before.live.empty() && before.epoch != 0 && before.epoch == next.epoch;
  return before.title == next.title && before.origin == next.origin &&
         (same_recording || startOf(before) == startOf(next)) && sameLanes(before, next);
}

/// A file may have the names of the recording that it stores in another order.
bool keepsNames(const Trace& before, const Trace& next) {
  return before.names.size() <= next.names.size() &&
         std::equal(before.names.begin(), before.names.end(), next.names.begin());
}

}  // namespace

TraceChange TimelineContent::setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const AlignedRuns> aligned) {
  const std::shared_ptr<const TimelineData> before = m_data;
  TraceChange change;
  change.continued =
      before && trace && !aligned && !before->aligned() && !before->empty() && continues(before->trace(), *trace);
  if (!change.continued) m_predicted.reset();
  m_imported.reset();
  m_changed.reset();
  m_data = trace ? std::make_shared<const TimelineData>(std::move(trace), m_predicted.get(),
                                                        change.continued ? before.get() : nullptr, std::move(aligned))
                 : nullptr;
  change.same_names = before && m_data && keepsNames(before->trace(), m_data->trace());
  change.same_lanes = before && m_data && sameLanes(before->trace(), m_data->trace());
  findPaths();
  return change;
}

bool TimelineContent::setPrediction(std::shared_ptr<const Trace> predicted) {
  if (!m_data || m_data->aligned() || predicted == m_predicted) return false;
  m_predicted = std::move(predicted);
  m_data = std::make_shared<const TimelineData>(m_data->shared(), m_predicted.get(), m_data.get());
  return true;
}

void TimelineContent::setImported(std::shared_ptr<const ImportedTrace> imported) {
  m_imported = imported && m_data && imported->trace == m_data->shared() ? std::move(imported) : nullptr;
}

bool TimelineContent::hasDifferences() const { return m_data && lanelab::hasDifferences(*m_data); }

bool TimelineContent::setShowCriticalPath(bool show) {
  if (std::exchange(m_shows_path, show) == show) return false;
  findPaths();
  return true;
}

void TimelineContent::findPaths() {
  m_paths.clear();
  if (!m_shows_path || empty()) return;
  m_paths = m_data->aligned() ? m_data->aligned()->paths : criticalPaths(m_data->trace());
}

}  // namespace lanelab
