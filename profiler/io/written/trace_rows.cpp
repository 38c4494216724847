// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/written/trace_rows.h"

#include <algorithm>
#include <compare>
#include <iterator>
#include <map>
#include <numeric>

#include "profiler/io/build/first_fit.h"

namespace lanelab {

namespace {

using Places = std::vector<SpanPlace>;

/// Each span on the first row on which it nests.
std::vector<Places> nestedRows(const Trace& trace, const Places& places) {
  std::vector<Places> rows;
  FirstFit fit;
  for (const SpanPlace place : places) {
    const std::size_t row = fit.rowOf(spanAt(trace, place));
    if (row == rows.size()) rows.emplace_back();
    rows[row].push_back(place);
  }
  return rows;
}

Places placesOf(const Trace& trace, std::size_t track) {
  Places places(trace.tracks[track].spans.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = {static_cast<std::uint32_t>(track), static_cast<std::uint32_t>(i)};
  if (trace.tracks[track].spans.sorted()) return places;
  const auto before = [&](SpanPlace a, SpanPlace b) { return kParentsFirst(spanAt(trace, a), spanAt(trace, b)); };
  std::stable_sort(places.begin(), places.end(), before);
  return places;
}

/// Moves those details into `row` that lie inside one of its spans without crossing another; the rest stays in
/// `details`.
void nestDetails(const Trace& trace, Places& row, Places& details) {
  Places merged;
  Places left;
  Nesting open;
  auto own = row.begin();
  const auto takeOwn = [&] {
    const Span span = spanAt(trace, *own);
    open.closeUntil(span.start);
    open.open(span);
    merged.push_back(*own++);
  };
  const auto goesFirst = [&](const Span& span, const Span& detail) {
    return span.start != detail.start ? span.start < detail.start : span.end >= detail.end;
  };
  const auto crossesAny = [&](Places::const_iterator next, const Span& detail) {
    for (; next != row.cend() && spanAt(trace, *next).start < detail.end; ++next)
      if (spanAt(trace, *next).end > detail.end) return true;
    return false;
  };
  for (const SpanPlace place : details) {
    const Span detail = spanAt(trace, place);
    while (own != row.end() && goesFirst(spanAt(trace, *own), detail)) takeOwn();
    open.closeUntil(detail.start);
    if (open.isOpen() && open.fits(detail) && !crossesAny(own, detail)) {
      merged.push_back(place);
      open.open(detail);
    } else {
      left.push_back(place);
    }
  }
  merged.insert(merged.end(), own, row.end());
  row = std::move(merged);
  details = std::move(left);
}

/// Blocks and operators belong into their action, on whatever track their recorder put them.
bool holdsDetails(const Track& track) {
  const auto isPart = [](const Span& span) { return isDetail(span.category); };
  return track.kind == Track::Kind::Detail ||
         (!track.spans.empty() && std::all_of(track.spans.begin(), track.spans.end(), isPart));
}

/// The kinds in their order, but steps first.
int order(Track::Kind kind) { return kind == Track::Kind::Step ? -1 : static_cast<int>(kind); }

/// Rows of one lane in the making.
class LaneRows {
 public:
  LaneRows(const Trace& trace, int lane) : m_trace(trace), m_lane(lane) {}

  void addTrack(std::size_t track, const std::vector<Places>& rows) {
    const std::string& name = m_trace.tracks[track].name;
    for (std::size_t i = 0; i < std::max<std::size_t>(rows.size(), 1); ++i) {
      const int tid = static_cast<int>(m_rows.size()) + 1;
      m_rows.push_back({m_lane, tid, track, i == 0 ? name : name + " (" + std::to_string(i + 1) + ")",
                        i < rows.size() ? rows[i] : Places{}});
    }
  }
  void addDetails(std::size_t track) {
    Places details = placesOf(m_trace, track);
    for (TraceRow& row : m_rows)
      if (m_trace.tracks[row.track].kind == Track::Kind::Compute) nestDetails(m_trace, row.spans, details);
    if (!details.empty() || m_trace.tracks[track].spans.empty()) addTrack(track, nestedRows(m_trace, details));
  }
  void moveTo(std::vector<TraceRow>& rows) { std::move(m_rows.begin(), m_rows.end(), std::back_inserter(rows)); }

 private:
  const Trace& m_trace;
  int m_lane;
  std::vector<TraceRow> m_rows;
};

struct ActionKey {
  int step = 0;
  int stage = 0;
  int micro_batch = 0;
  bool forward = false;
  auto operator<=>(const ActionKey&) const = default;
};

struct Taker {
  Nanoseconds start = 0;
  std::size_t row = 0;
  SpanPlace place;
};

}  // namespace

std::vector<TraceRow> layOutRows(const Trace& trace) {
  std::vector<std::size_t> tracks(trace.tracks.size());
  std::iota(tracks.begin(), tracks.end(), std::size_t{0});
  std::ranges::stable_sort(tracks, {}, [&](std::size_t track) {
    return std::pair(trace.tracks[track].lane, order(trace.tracks[track].kind));
  });

  std::vector<TraceRow> rows;
  for (std::size_t i = 0; i < tracks.size();) {
    const int lane = trace.tracks[tracks[i]].lane;
    LaneRows ofLane(trace, lane);
    for (; i < tracks.size() && trace.tracks[tracks[i]].lane == lane; ++i) {
      if (holdsDetails(trace.tracks[tracks[i]]) && trace.tracks[tracks[i]].kind != Track::Kind::Compute) {
        ofLane.addDetails(tracks[i]);
      } else {
        ofLane.addTrack(tracks[i], nestedRows(trace, placesOf(trace, tracks[i])));
      }
    }
    ofLane.moveTo(rows);
  }
  return rows;
}

std::vector<TransferFlow> transferFlows(const Trace& trace, const std::vector<TraceRow>& rows) {
  std::map<ActionKey, std::vector<Taker>> takers;
  const auto eachSpan = [&](const auto& visit) {
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (const SpanPlace place : rows[row].spans) visit(row, place, spanAt(trace, place));
  };
  eachSpan([&](std::size_t row, SpanPlace place, const Span& span) {
    if (span.category != Category::Action || (span.phase != Phase::Forward && !isBackward(span.phase))) return;
    takers[{span.step, span.stage, span.micro_batch, span.phase == Phase::Forward}].push_back({span.start, row, place});
  });
  for (auto& [key, list] : takers) std::ranges::stable_sort(list, {}, &Taker::start);

  std::vector<TransferFlow> flows;
  eachSpan([&](std::size_t row, SpanPlace place, const Span& span) {
    const bool forward = span.phase == Phase::Forward;
    if (span.category != Category::Transfer || (!forward && !isBackward(span.phase))) return;
    const auto found = takers.find({span.step, forward ? span.stage + 1 : span.stage - 1, span.micro_batch, forward});
    if (found == takers.end()) return;
    const auto taker = std::ranges::lower_bound(found->second, span.start, {}, &Taker::start);
    if (taker != found->second.end()) flows.push_back({row, place, taker->row, taker->place});
  });
  return flows;
}

}  // namespace lanelab
