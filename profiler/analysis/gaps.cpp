#include "profiler/analysis/gaps.h"

#include <algorithm>

namespace lanelab {

namespace {

/// A maximal stretch of compute on a lane and the name of the action that begins it.
struct BusyPiece {
  TimeRange range;
  const std::string* first = nullptr;
};

using LanePieces = std::vector<std::vector<BusyPiece>>;

/// Of actions that start together the longest names the piece; spans without length cover nothing and begin nothing.
bool startsBefore(const BusyPiece& a, const BusyPiece& b) {
  return a.range.start != b.range.start ? a.range.start < b.range.start : a.range.end > b.range.end;
}

void joinTouching(std::vector<BusyPiece>& pieces) {
  if (!std::is_sorted(pieces.begin(), pieces.end(), startsBefore)) std::stable_sort(pieces.begin(), pieces.end(), startsBefore);
  std::size_t kept = 0;
  for (const BusyPiece& piece : pieces) {
    if (kept > 0 && piece.range.start <= pieces[kept - 1].range.end) {
      pieces[kept - 1].range.end = std::max(pieces[kept - 1].range.end, piece.range.end);
    } else {
      pieces[kept++] = piece;
    }
  }
  pieces.resize(kept);
}

LanePieces busyPieces(const Trace& trace) {
  LanePieces lanes(trace.lanes.size());
  for (const Track& track : trace.tracks) {
    if (track.lane < 0 || static_cast<std::size_t>(track.lane) >= lanes.size()) continue;
    auto& pieces = lanes[static_cast<std::size_t>(track.lane)];
    for (const Span& span : track.spans)
      if (span.category == Category::Action && !span.range().empty()) pieces.push_back({span.range(), &trace.nameOf(span)});
  }
  for (auto& pieces : lanes) joinTouching(pieces);
  return lanes;
}

void addGap(LaneIdle& lane, TimeRange range, int step, const std::string& before) {
  if (range.empty()) return;
  lane.idle += range.length();
  lane.gaps.push_back({range, step, before});
}

void sweep(LaneIdle& lane, const std::vector<BusyPiece>& pieces, TimeRange window, int step) {
  if (window.empty()) return;
  lane.window += window.length();
  Nanoseconds covered = window.start;
  auto piece =
      std::upper_bound(pieces.begin(), pieces.end(), window.start, [](Nanoseconds start, const BusyPiece& p) { return start < p.range.end; });
  for (; piece != pieces.end() && piece->range.start < window.end; ++piece) {
    addGap(lane, {covered, piece->range.start}, step, *piece->first);
    const TimeRange inside{std::max(piece->range.start, window.start), std::min(piece->range.end, window.end)};
    lane.busy += inside.length();
    covered = inside.end;
  }
  addGap(lane, {covered, window.end}, step, "end");
}

std::vector<LaneIdle> idleOver(const Trace& trace, const std::vector<StepWindow>& windows) {
  const LanePieces pieces = busyPieces(trace);
  std::vector<LaneIdle> lanes(pieces.size());
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    lanes[i].lane = static_cast<int>(i);
    for (const StepWindow& window : windows) sweep(lanes[i], pieces[i], window.range, window.step);
    std::stable_sort(lanes[i].gaps.begin(), lanes[i].gaps.end(), [](const Gap& a, const Gap& b) { return a.range.start < b.range.start; });
  }
  return lanes;
}

}  // namespace

std::vector<LaneIdle> findGaps(const Trace& trace) { return idleOver(trace, stepWindows(trace)); }

std::vector<LaneIdle> busyWithin(const Trace& trace, TimeRange range) { return idleOver(trace, {{-1, range}}); }

std::vector<TimeRange> unionOf(std::vector<TimeRange> ranges) {
  std::erase_if(ranges, [](const TimeRange& range) { return range.empty(); });
  std::sort(ranges.begin(), ranges.end(), [](const TimeRange& a, const TimeRange& b) { return a.start < b.start; });
  std::vector<TimeRange> joined;
  for (const TimeRange& range : ranges) {
    if (!joined.empty() && range.start <= joined.back().end) {
      joined.back().end = std::max(joined.back().end, range.end);
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

}  // namespace lanelab
