// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/dependencies.h"

#include <algorithm>

namespace lanelab {
namespace {

bool sameBatch(const Span& a, const Span& b) { return a.step == b.step && a.micro_batch == b.micro_batch; }

/// Whether `action` takes what `result` (an action of its stage, or the transfer of what that made) brings.
bool takes(const Span& action, const Span& result) {
  return action.category == Category::Action && feeds(result, action);
}

bool carries(const Span& transfer, const Span& producer) {
  return transfer.category == Category::Transfer && sameBatch(transfer, producer) && transfer.stage == producer.stage &&
         transfer.phase == producer.phase;
}

bool isLastBackward(Phase phase) { return phase == Phase::Backward || phase == Phase::BackwardWeight; }

/// Within one stage: B takes what F kept, W what I did, and the update all of them.
bool followsWithin(const Span& later, const Span& earlier) {
  if (later.category != Category::Action || earlier.category != Category::Action || later.stage != earlier.stage ||
      later.step != earlier.step)
    return false;
  if (later.phase == Phase::Update) return isLastBackward(earlier.phase);
  if (later.micro_batch != earlier.micro_batch) return false;
  return (later.phase == Phase::BackwardWeight && earlier.phase == Phase::BackwardInput) ||
         (isBackward(later.phase) && earlier.phase == Phase::Forward);
}

enum class Direction { Back, Forth };

/// The first span of rows of this kind, in the run of `lane`, for which `wanted` holds, from `time` on backwards or
/// forwards; no further than spans of another step.
template <class Wanted>
std::optional<SpanRef> findFrom(const TimelineData& data, Track::Kind kind, int lane, Nanoseconds time, int step,
                                Direction direction, const Wanted& wanted) {
  for (std::size_t index = 0; index < data.rows().size(); ++index) {
    const Row& row = data.rows()[index];
    if (row.kind != kind || row.track == Row::kNoTrack || !data.sameRun(row.lane, lane)) continue;
    std::size_t place = visibleSpans(row, data.track(row), {time, time + 1}).first;
    if (direction == Direction::Back && place < row.spans.size() && data.span({index, place}).start <= time) ++place;
    while (direction == Direction::Back ? place > 0 : place < row.spans.size()) {
      const SpanRef ref{index, direction == Direction::Back ? --place : place++};
      const Span span = data.span(ref);
      if (span.step != step) break;
      if (wanted(span)) return ref;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<SpanRef> Dependencies::senderOf(SpanRef ref) const {
  const Span transfer = m_data.span(ref);
  return findFrom(m_data, Track::Kind::Compute, laneOf(ref), transfer.start, transfer.step, Direction::Back,
                  [&](const Span& span) { return span.category == Category::Action && carries(transfer, span); });
}

std::optional<SpanRef> Dependencies::takerOf(SpanRef ref) const {
  const Span result = m_data.span(ref);
  return findFrom(m_data, Track::Kind::Compute, laneOf(ref), result.end, result.step, Direction::Forth,
                  [&](const Span& span) { return takes(span, result); });
}

std::optional<SpanRef> Dependencies::transferOf(SpanRef ref) const {
  const Span producer = m_data.span(ref);
  return findFrom(m_data, Track::Kind::Transfer, laneOf(ref), producer.end, producer.step, Direction::Forth,
                  [&](const Span& span) { return carries(span, producer); });
}

std::optional<SpanRef> Dependencies::onSameStage(SpanRef ref, bool before) const {
  const Span span = m_data.span(ref);
  return findFrom(m_data, Track::Kind::Compute, laneOf(ref), before ? span.start - 1 : span.end, span.step,
                  before ? Direction::Back : Direction::Forth,
                  [&](const Span& other) { return before ? followsWithin(span, other) : followsWithin(other, span); });
}

/// The launch call of GPU work, or the GPU work of a launch call: the span of the other kind with the same correlation
/// id.
std::optional<SpanRef> Dependencies::launchPartner(SpanRef ref) const {
  if (!m_imported) return std::nullopt;
  const Row& row = m_data.rows()[ref.row];
  const Span span = m_data.span(ref);
  const bool gpu = isGpuWork(span.category);
  if ((!gpu && span.category != Category::Runtime) || row.track >= m_imported->rows.size()) return std::nullopt;
  const auto& own = m_imported->rows[row.track].correlations;
  const std::size_t place = row.spans[ref.position];
  if (place >= own.size() || own[place] < 0) return std::nullopt;
  const std::size_t tracks = std::min(m_imported->rows.size(), m_data.trace().tracks.size());
  for (std::size_t track = 0; track < tracks; ++track) {
    const auto& ids = m_imported->rows[track].correlations;
    const auto& spans = m_data.trace().tracks[track].spans;
    for (auto found = std::find(ids.begin(), ids.end(), own[place]); found != ids.end();
         found = std::find(found + 1, ids.end(), own[place])) {
      const auto partner = static_cast<std::size_t>(found - ids.begin());
      if (partner >= spans.size()) break;
      const Span other = spans[partner];
      if (gpu ? other.category == Category::Runtime : isGpuWork(other.category)) return m_data.refOf(track, partner);
    }
  }
  return std::nullopt;
}

std::optional<SpanRef> Dependencies::waitedOn(SpanRef ref) const {
  const Span span = m_data.span(ref);
  if (span.category == Category::Transfer) return senderOf(ref);
  if (isGpuWork(span.category)) return launchPartner(ref);
  if (span.category != Category::Action) return std::nullopt;
  if (const auto producer = m_data.producerOf(ref)) {
    const auto transfer = transferOf(*producer);
    return transfer ? transfer : producer;
  }
  return onSameStage(ref, true);
}

std::optional<SpanRef> Dependencies::waiting(SpanRef ref) const {
  const Span span = m_data.span(ref);
  if (span.category == Category::Transfer) return takerOf(ref);
  if (span.category == Category::Runtime) return launchPartner(ref);
  if (span.category != Category::Action) return std::nullopt;
  if (const auto taker = takerOf(ref)) {
    const auto transfer = transferOf(ref);
    return transfer ? transfer : taker;
  }
  return onSameStage(ref, false);
}

std::vector<Arrow> Dependencies::arrowsOf(SpanRef ref) const {
  std::vector<Arrow> arrows;
  const Span span = m_data.span(ref);
  const bool passes = span.category == Category::Transfer || span.category == Category::Runtime;
  if (const auto before = span.category == Category::Action && !m_data.producerOf(ref) ? std::nullopt : waitedOn(ref)) {
    if (m_data.span(*before).category == Category::Transfer) {
      if (const auto sender = senderOf(*before)) arrows.push_back({*sender, *before});
    }
    arrows.push_back({*before, ref});
  }
  if (const auto after = passes ? waiting(ref) : std::nullopt) arrows.push_back({ref, *after});
  return arrows;
}

}  // namespace lanelab
