// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/trace_digest.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "profiler/trace/step_periods.h"

namespace lanelab {
namespace {

constexpr std::int16_t kUnknown = -2;

/// Whether so much of `earlier` is in `trace` that it can only be what it grew from.
bool grewFrom(const Trace& trace, const Trace& earlier) {
  std::size_t shared = 0;
  for (std::size_t index = 0; index < std::min(trace.tracks.size(), earlier.tracks.size()); ++index)
    shared += trace.tracks[index].spans.sharedWith(earlier.tracks[index].spans);
  return shared > 0 && 2 * shared >= earlier.spanCount();
}

}  // namespace

TraceDigest::TraceDigest(const Trace& trace, const Trace& earlier, const TraceDigest& digested) {
  const bool grown = grewFrom(trace, earlier);
  if (grown) *this = digested;
  read(trace, grown ? &earlier : nullptr);
}

void TraceDigest::read(const Trace& trace, const Trace* earlier) {
  m_stage_of_lane.resize(trace.lanes.size(), kUnknown);
  m_ended_lane_steps.resize(trace.lanes.size());
  m_new_from.assign(trace.lanes.size(), std::numeric_limits<Nanoseconds>::max());
  for (std::size_t index = 0; index < trace.tracks.size(); ++index) {
    const Track& track = trace.tracks[index];
    const std::size_t known =
        earlier != nullptr && index < earlier->tracks.size() ? track.spans.sharedWith(earlier->tracks[index].spans) : 0;
    if (known >= track.spans.size()) continue;
    if (track.lane >= 0 && static_cast<std::size_t>(track.lane) < m_new_from.size()) {
      Nanoseconds& from = m_new_from[static_cast<std::size_t>(track.lane)];
      from = std::min(from, track.spans.startOf(known));
    }
    for (std::size_t i = known; i < track.spans.size(); ++i) {
      const Span span = track.spans[i];
      if (!trace.running(track.lane, span)) add(track, span);
    }
  }
  m_shown_range = m_range;
  m_steps = windows(m_step_spans, m_actions);
  m_lane_steps = m_ended_lane_steps;
  if (!trace.live.empty()) addRunning(trace);
}

/// Apart from what has ended, with which the digest of the next snapshot begins.
void TraceDigest::addRunning(const Trace& trace) {
  StepHulls actions = m_actions;
  for (const Track& track : trace.tracks) {
    if (track.kind != Track::Kind::Compute || track.spans.empty()) continue;
    const Span last = track.spans.back();
    if (!trace.running(track.lane, last)) continue;
    m_shown_range = m_shown_range.empty()
                        ? last.range()
                        : TimeRange{std::min(m_shown_range.start, last.start), std::max(m_shown_range.end, last.end)};
    if (last.step >= 0) actions.add(last.step, last.range());
    note(m_lane_steps, track.lane, last);
    m_holds_actions = true;
    noteStage(track.lane, last.stage);
  }
  m_steps = windows(m_step_spans, actions);
}

void TraceDigest::StepHulls::add(int step, TimeRange range) {
  if (last >= by_step.size() || by_step[last].step != step) {
    const auto place = std::ranges::lower_bound(by_step, step, {}, &StepWindow::step);
    last = static_cast<std::size_t>(place - by_step.begin());
    if (place == by_step.end() || place->step != step) by_step.insert(place, {step, range});
  }
  TimeRange& hull = by_step[last].range;
  hull = {std::min(hull.start, range.start), std::max(hull.end, range.end)};
}

std::vector<StepWindow> TraceDigest::windows(const StepHulls& steps, const StepHulls& actions) {
  std::vector<StepWindow> all;
  all.reserve(std::max(steps.by_step.size(), actions.by_step.size()));
  std::ranges::set_union(steps.by_step, actions.by_step, std::back_inserter(all), {}, &StepWindow::step,
                         &StepWindow::step);
  return all;
}

void TraceDigest::add(const Track& track, const Span& span) {
  m_range.start = m_any ? std::min(m_range.start, span.start) : span.start;
  m_range.end = m_any ? std::max(m_range.end, span.end) : span.end;
  m_any = true;
  if (span.step >= 0 && span.category == Category::Step) m_step_spans.add(span.step, span.range());
  if (beginsStep(span)) note(m_ended_lane_steps, track.lane, span);
  if (span.category != Category::Action) return;
  if (span.step >= 0) m_actions.add(span.step, span.range());
  m_holds_actions = true;
  noteStage(track.lane, span.stage);
}

void TraceDigest::note(std::vector<StepHulls>& lanes, int lane, const Span& span) {
  if (span.step >= 0 && lane >= 0 && static_cast<std::size_t>(lane) < lanes.size())
    lanes[static_cast<std::size_t>(lane)].add(span.step, span.range());
}

void TraceDigest::noteStage(int lane, std::int16_t of_action) {
  if (lane < 0 || static_cast<std::size_t>(lane) >= m_stage_of_lane.size()) return;
  std::int16_t& stage = m_stage_of_lane[static_cast<std::size_t>(lane)];
  if (stage == kUnknown) stage = of_action;
  m_several_stages = m_several_stages || stage != of_action;
}

}  // namespace lanelab
