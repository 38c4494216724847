// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/timeline_data.h"

#include <algorithm>
#include <utility>

#include "profiler/analysis/replica_lanes.h"
#include "profiler/analysis/traced_actions.h"
#include "ui/look/plain_text.h"
#include "ui/timeline/model/coordinates.h"

namespace lanelab {
namespace {

constexpr std::size_t kMostExplained = 100'000;  ///< spans; a live trace is explained again many times a second

bool holdsCommunication(const Track& track) {
  if (track.kind != Track::Kind::Stream) return false;
  for (std::size_t i = 0; i < track.spans.size(); ++i)
    if (track.spans[i].category == Category::Communication) return true;
  return false;
}

bool holdsEvaluation(const Track& track) {
  if (track.kind != Track::Kind::Compute) return false;
  for (std::size_t i = 0; i < track.spans.size(); i = track.spans.categoryEnd(i))
    if (track.spans[i].category == Category::Evaluation) return true;
  return false;
}

/// Whether all that is new is that the actions in progress are a little longer: no gap has opened or closed by that.
bool onlyGoesOn(const Trace& before, const Trace& now) {
  const auto same = [](const LiveLane& a, const LiveLane& b) { return a.lane == b.lane && a.running == b.running; };
  return !now.live.empty() && std::ranges::equal(before.live, now.live, same) && before.spanCount() == now.spanCount();
}

/// Of steps that overlap a moment is in two windows, with one cause.
std::vector<CausePiece> eachOnce(std::vector<CausePiece> pieces) {
  std::ranges::stable_sort(pieces, {}, [](const CausePiece& piece) { return piece.range.start; });
  std::vector<CausePiece> once;
  for (CausePiece piece : pieces) {
    if (!once.empty()) piece.range.start = std::max(piece.range.start, once.back().range.end);
    if (piece.range.empty()) continue;
    if (!once.empty() && once.back().cause == piece.cause && once.back().range.end == piece.range.start)
      once.back().range.end = piece.range.end;
    else
      once.push_back(piece);
  }
  return once;
}

}  // namespace

bool feeds(const Span& giver, const Span& taker) {
  if (giver.step != taker.step || giver.micro_batch != taker.micro_batch) return false;
  if (taker.phase == Phase::Forward) return giver.phase == Phase::Forward && giver.stage + 1 == taker.stage;
  return isBackward(taker.phase) && isBackward(giver.phase) && giver.stage == taker.stage + 1;
}

TimelineData::TimelineData(std::shared_ptr<const Trace> trace, const Trace* predicted, const TimelineData* earlier,
                           std::shared_ptr<const AlignedRuns> aligned)
    : m_trace(std::move(trace)),
      m_aligned(std::move(aligned)),
      m_digest(earlier ? TraceDigest(*m_trace, *earlier->m_trace, earlier->m_digest) : TraceDigest(*m_trace)),
      m_busy(m_trace->lanes.size()) {
  m_rows = earlier ? rowsOf(*m_trace, GrownFrom{*earlier->m_trace, earlier->m_rows}) : rowsOf(*m_trace);
  m_row_kinds = rowKindsOf(*m_trace, m_rows);
  m_computes =
      std::ranges::any_of(m_trace->tracks, [](const Track& track) { return track.kind == Track::Kind::Compute; });
  m_evaluates = (earlier && earlier->m_evaluates) || std::ranges::any_of(m_trace->tracks, holdsEvaluation);
  m_communicates = !m_computes && std::ranges::any_of(m_trace->tracks, holdsCommunication);
  if (predicted) m_prediction.emplace(*predicted);
  findPeriods();
  const std::vector<bool> used = lanesInUse(*m_trace);
  for (std::size_t lane = 0; lane < m_busy.size(); ++lane)
    if (used[lane]) findBusy(lane, earlier);
  findCauses(earlier);
  findReplicas(earlier);
  findFailures();
}

void TimelineData::findPeriods() {
  m_stretches = stretchesOf(*m_trace, steps());
  if (m_aligned || m_stretches.size() == steps().size()) return;
  for (std::size_t lane = 0; lane < m_trace->lanes.size(); ++lane)
    m_periods.push_back(periodsOf(m_digest.stepsOf(static_cast<int>(lane)), steps(), m_stretches));
}

void TimelineData::findFailures() {
  for (std::size_t row = 0; row < m_rows.size(); ++row) {
    if (m_rows[row].kind != Track::Kind::Compute || m_rows[row].spans.empty()) continue;
    const std::size_t last = m_rows[row].spans.size() - 1;  // nothing follows on a lane after an error
    if (m_trace->failed(span({row, last}))) m_failures.push_back({row, last});
  }
}

/// A step or two are enough, so later snapshots need not be looked at.
void TimelineData::findReplicas(const TimelineData* earlier) {
  if (m_aligned) return;
  constexpr std::size_t kEnoughSteps = 3;
  m_replicas = earlier && earlier->steps().size() > kEnoughSteps ? earlier->m_replicas : replicasOfLanes(*m_trace);
}

void TimelineData::findCauses(const TimelineData* earlier) {
  if (m_aligned) {
    m_causes = m_aligned->causes;
    return;
  }
  if (earlier && onlyGoesOn(*earlier->m_trace, *m_trace)) {
    m_causes = earlier->m_causes;
    m_order = earlier->m_order;
    return;
  }
  m_causes.resize(m_trace->lanes.size());
  // Of another program's trace the lanes that are idle are GPUs or threads, not the lanes drawn here.
  if (m_trace->spanCount() > kMostExplained || !m_digest.holdsActions()) return;
  // Of all time that lanes may idle in, also before the first period and after the last.
  m_order = explainIdle(*m_trace, WindowKind::Step);
  if (stepsOverlap()) m_order->window_kind = WindowKind::Period;
  for (LaneCauses& lane : std::exchange(m_order->lanes, {})) {
    if (lane.hasWork() && lane.lane >= 0 && static_cast<std::size_t>(lane.lane) < m_causes.size())
      m_causes[static_cast<std::size_t>(lane.lane)] = stepsOverlap() ? eachOnce(lane.pieces) : std::move(lane.pieces);
  }
}

CauseTimes TimelineData::causesWithin(int lane, TimeRange range) const {
  CauseTimes times;
  const std::vector<CausePiece>& pieces = causesOf(lane);
  auto piece = std::ranges::upper_bound(pieces, range.start, {}, [](const CausePiece& one) { return one.range.end; });
  for (; piece != pieces.end() && piece->range.start < range.end; ++piece)
    times[piece->cause] += intersection(piece->range, range).length();
  return times;
}

/// A step that ended before anything new keeps what was found of it.
void TimelineData::findBusy(std::size_t lane, const TimelineData* earlier) {
  LaneBusy& found = m_busy[lane];
  const LaneBusy* const known = earlier != nullptr && lane < earlier->m_busy.size() ? &earlier->m_busy[lane] : nullptr;
  const Nanoseconds new_from = m_digest.newFrom()[lane];
  Nanoseconds window = 0, busy = 0;
  found.windows = windowsOf(static_cast<int>(lane));
  for (std::size_t i = 0; i < found.windows.size(); ++i) {
    const StepWindow& step = found.windows[i];
    const bool same = known != nullptr && i < known->windows.size() && known->windows[i].step == step.step &&
                      known->windows[i].range == step.range && step.range.end <= new_from;
    found.by_window.push_back(same ? known->by_window[i] : busyWithin(static_cast<int>(lane), step.range));
    busy += found.by_window.back();
    window += step.range.length();
  }
  if (window > 0) found.share = static_cast<double>(busy) / static_cast<double>(window);
}

bool TimelineData::isRunning(SpanRef ref) const {
  const Row& row = m_rows[ref.row];
  return row.kind == Track::Kind::Compute && !m_trace->live.empty() && m_trace->running(row.lane, span(ref));
}

std::optional<Nanoseconds> TimelineData::knownUntil(int lane) const {
  if (!m_trace->live.empty()) {
    const LiveLane* const live = m_trace->liveLane(lane);
    return live ? std::optional(live->until) : std::nullopt;
  }
  if (!mayBeCut(*m_trace)) return std::nullopt;
  std::optional<Nanoseconds> until;  // of a repeat that did not end nobody knows why a lane idled at last
  for (const Track& track : m_trace->tracks)
    if (track.lane == lane && track.kind == Track::Kind::Compute && !track.spans.empty())
      until = std::max(until.value_or(0), track.spans.back().end);
  return until;
}

bool TimelineData::sameRun(int lane, int other) const {
  return !m_aligned || m_aligned->lanes[static_cast<std::size_t>(lane)].side ==
                           m_aligned->lanes[static_cast<std::size_t>(other)].side;
}

const std::vector<CounterRow>& TimelineData::counters() const {
  const auto own = [this](int lane) -> const std::vector<StepWindow>& { return windowsOf(lane); };
  if (!m_counters) m_counters = counterRowsOf(*m_trace, own, m_causes);
  return *m_counters;
}

/// Rows of one track are disjoint, but a lane with several compute rows may compute twice at a time: only a union is
/// right then.
Nanoseconds TimelineData::busyWithin(int lane, TimeRange range) const {
  std::vector<TimeRange> pieces;
  for (const Row& row : m_rows) {
    if (row.lane != lane || !row.holdsActions()) continue;
    const RowSlice slice = visibleSpans(row, track(row), range);
    for (std::size_t i = slice.first; i < slice.last; ++i) {
      const Span action = track(row).spans[row.spans[i]];
      if (action.category == Category::Action) pieces.push_back(intersection(action.range(), range));
    }
  }
  return lengthOf(unionOf(std::move(pieces)));
}

Span TimelineData::span(SpanRef ref) const {
  const Row& row = m_rows[ref.row];
  return track(row).spans[row.spans[ref.position]];
}

std::optional<SpanRef> TimelineData::refOf(std::size_t track, std::size_t span) const {
  for (std::size_t row = 0; row < m_rows.size(); ++row) {
    if (m_rows[row].track != track) continue;
    const SpanIndices& spans = m_rows[row].spans;
    const std::size_t position = spans.firstFrom(static_cast<std::uint32_t>(span));
    if (position < spans.size() && spans[position] == span) return SpanRef{row, position};
  }
  return {};
}

SpanIdentity TimelineData::identityOf(SpanRef ref) const {
  const Row& row = m_rows[ref.row];
  const Span one = span(ref);
  return {row.lane, row.kind, row.depth, one.start, m_trace->nameOf(one)};
}

std::optional<SpanRef> TimelineData::find(const SpanIdentity& identity) const {
  for (std::size_t index = 0; index < m_rows.size(); ++index) {
    const Row& row = m_rows[index];
    if (row.lane != identity.lane || row.kind != identity.kind || row.depth != identity.depth || row.spans.empty())
      continue;
    const std::size_t position = visibleSpans(row, track(row), {identity.start, identity.start + 1}).first;
    if (position >= row.spans.size()) continue;
    const Span found = span({index, position});
    if (found.start == identity.start && m_trace->nameOf(found) == identity.name) return SpanRef{index, position};
  }
  return {};
}

QString TimelineData::laneName(int lane) const {
  const LaneInfo& info = m_trace->lanes[static_cast<std::size_t>(lane)];
  return look::shownName(info.name.empty() ? info.device : info.name);
}

QString TimelineData::laneDevice(int lane) const {
  const LaneInfo& info = m_trace->lanes[static_cast<std::size_t>(lane)];
  return info.name.empty() || info.name == info.device ? QString() : look::shownName(info.device);
}

QString TimelineData::label(const Span& span) const {
  if (span.category != Category::Action || span.phase == Phase::None) return look::shownName(m_trace->nameOf(span));
  QString text = namesStages() && span.stage >= 0 ? QString::number(span.stage) : QString();
  text += QLatin1Char(letterOf(span.phase));
  return span.phase == Phase::Update || span.micro_batch < 0 ? text : text + QString::number(span.micro_batch);
}

/// Walks back from the action's start, row by row, no further than its own step: a few spans a lane.
std::optional<SpanRef> TimelineData::producerOf(SpanRef ref) const {
  const Span taker = span(ref);
  if (taker.category != Category::Action) return {};
  for (std::size_t index = 0; index < m_rows.size(); ++index) {
    const Row& row = m_rows[index];
    if (!row.holdsActions() || !sameRun(row.lane, m_rows[ref.row].lane)) continue;
    for (std::size_t i = visibleSpans(row, track(row), {taker.start, taker.start + 1}).first; i-- > 0;) {
      const Span giver = span({index, i});
      if (giver.step != taker.step) break;
      if (giver.category == Category::Action && feeds(giver, taker)) return SpanRef{index, i};
    }
  }
  return {};
}

Nanoseconds TimelineData::idleBefore(SpanRef ref) const {
  const Span action = span(ref);
  Nanoseconds free_since = action.start;
  const auto note = [&](TimeRange range) {
    if (range.start <= action.start && action.start < range.end) free_since = range.start;
  };
  if (stepsOverlap())  // a lane's idle time continues from step to step
    for (const Stretch& stretch : m_stretches) note(stretch.range);
  else
    for (const StepWindow& step : stepsOf(m_rows[ref.row].lane)) note(step.range);
  if (ref.position > 0) free_since = std::max(free_since, span({ref.row, ref.position - 1}).end);
  return std::max<Nanoseconds>(action.start - free_since, 0);
}

std::optional<Nanoseconds> TimelineData::expectedLength(SpanRef ref) const {
  const auto expected = m_prediction ? m_prediction->find(m_rows[ref.row].lane, span(ref)) : std::nullopt;
  if (!expected) return std::nullopt;
  return expected->length();
}

std::optional<SpanRef> TimelineData::spanAt(std::size_t row_index, Nanoseconds time, Nanoseconds tolerance) const {
  const Row& row = m_rows[row_index];
  if (row.track == Row::kNoTrack) return {};
  const auto longest = [&](RowSlice slice) {
    std::optional<SpanRef> best;
    for (std::size_t i = slice.first; i < slice.last; ++i) {
      const SpanRef ref{row_index, i};
      if (!best || span(ref).range().length() > span(*best).range().length()) best = ref;
    }
    return best;
  };
  if (const auto exact = longest(visibleSpans(row, track(row), {time, time + 1}))) return exact;
  return longest(visibleSpans(row, track(row), {time - tolerance, time + tolerance + 1}));
}

}  // namespace lanelab
