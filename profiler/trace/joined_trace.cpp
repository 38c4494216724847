// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/joined_trace.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "profiler/trace/name_table.h"

namespace lanelab {

namespace {

/// Places of a part's texts among those of all parts, each of which is there once.
std::vector<std::uint32_t> placesOf(const std::vector<std::string>& texts, NameTable& all) {
  std::vector<std::uint32_t> places;
  for (const std::string& text : texts) places.push_back(all.indexOf(text));
  return places;
}

/// Makes a span of one part one of the joined trace.
struct Mover {
  const ClockAlignment& clock;
  std::vector<std::uint32_t> names;
  std::vector<std::uint32_t> labels;

  bool changesNothing() const {
    const auto same = [](const std::vector<std::uint32_t>& places) {
      for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i] != i) return false;
      return true;
    };
    return clock.isOurs() && same(names) && same(labels);
  }
  Span operator()(Span span) const {
    span.start = clock.toOurs(span.start);
    span.end = clock.toOurs(span.end);
    if (span.mark != 0) span.mark = clock.toOurs(span.mark);
    span.name = names[span.name];
    if (span.label != 0) span.label = static_cast<std::uint16_t>(labels[span.label - 1U] + 1);
    return span;
  }
  SpanColumns operator()(const SpanColumns& spans) const {
    if (changesNothing()) return spans;
    SpanColumns moved;
    for (const Span& span : spans) moved.push_back((*this)(span));
    if (!moved.sorted()) moved.sort();  // two starts may have become one
    moved.seal();
    return moved;
  }
};

struct BothEnds {
  std::optional<Nanoseconds> sent, arrived;
};

class Joiner {
 public:
  explicit Joiner(std::span<const TracePart> parts) : m_machine(parts.front().machine) {
    const Trace& first = *parts.front().trace;
    m_joined->title = first.title;
    m_joined->origin = first.origin;
    m_joined->extent = first.extent;
    m_joined->epoch = first.epoch;
    m_joined->lanes = first.lanes;
    for (const TracePart& part : parts) add(part);
  }

  std::shared_ptr<const Trace> joined() {
    for (Track& track : m_joined->tracks)
      if (track.kind == Track::Kind::Transfer && !m_crossings.empty()) completeTransfers(track.spans);
    addSteps();
    m_joined->names = m_names.releaseTexts();
    m_joined->labels = m_labels.releaseTexts();
    return m_joined;
  }

 private:
  void add(const TracePart& part) {
    const Trace& trace = *part.trace;
    const Mover move{part.clock, placesOf(trace.names, m_names), placesOf(trace.labels, m_labels)};
    if (part.machine != m_machine) nameMachine(trace, part.machine);
    for (const Track& track : trace.tracks) addTrack(track, move);
    for (const Counter& counter : trace.counters) addCounter(counter, move);
    m_joined->dropped += trace.dropped;
  }

  /// Of the lanes that this part has rows of.
  void nameMachine(const Trace& trace, const std::string& machine) {
    std::set<std::size_t> lanes;
    for (const Track& track : trace.tracks)
      if (track.kind != Track::Kind::Step && track.lane >= 0) lanes.insert(static_cast<std::size_t>(track.lane));
    for (const std::size_t lane : lanes)
      if (lane < m_joined->lanes.size()) m_joined->lanes[lane].device += " of " + machine;
  }

  void addTrack(const Track& track, const Mover& move) {
    if (track.kind == Track::Kind::Step) {
      Nanoseconds ended = std::numeric_limits<Nanoseconds>::min();
      for (const Span& span : track.spans) {
        m_steps_overlap = m_steps_overlap || span.start < ended;
        ended = span.end;
        widenStep(move(span));
      }
    } else if (track.kind == Track::Kind::Transfer && track.name == kSentAway) {
      for (const Span& span : track.spans) m_crossings[actionIdOf(span)].sent = move(span).start;
    } else if (track.kind == Track::Kind::Transfer && track.name == kComeHere) {
      for (const Span& span : track.spans) m_crossings[actionIdOf(span)].arrived = move(span).end;
    } else {
      m_joined->tracks.push_back({track.lane, track.kind, track.name, move(track.spans)});
    }
  }

  void widenStep(const Span& span) {
    const auto [place, fresh] = m_steps.try_emplace(span.step, span);
    if (fresh) return;
    place->second.start = std::min(place->second.start, span.start);
    place->second.end = std::max(place->second.end, span.end);
  }

  void addCounter(Counter counter, const Mover& move) {
    const auto same = [&](const Counter& other) { return other.lane < 0 && other.name == counter.name; };
    const auto known = std::find_if(m_joined->counters.begin(), m_joined->counters.end(), same);
    const bool of_all = counter.lane < 0 && known != m_joined->counters.end();
    if (of_all && !known->times.empty()) return;
    for (Nanoseconds& time : counter.times) time = move.clock.toOurs(time);
    if (counter.label != 0) counter.label = static_cast<std::uint16_t>(move.labels[counter.label - 1U] + 1);
    if (of_all)
      *known = std::move(counter);
    else
      m_joined->counters.push_back(std::move(counter));
  }

  void completeTransfers(SpanColumns& spans) const {
    std::vector<Span> whole = spans.toVector();
    for (Span& span : whole) {
      const auto crossing = m_crossings.find(actionIdOf(span));
      if (span.category != Category::Transfer || crossing == m_crossings.end()) continue;
      span.start = std::max(span.start, crossing->second.sent.value_or(span.start));
      // Two clocks may disagree by more than a short way takes.
      span.end = std::max(span.start, crossing->second.arrived.value_or(span.end));
    }
    spans = SpanColumns(whole);
    spans.sort();
    spans.seal();
  }

  void addSteps() {
    if (m_steps.empty()) return;
    Track track{0, Track::Kind::Step, "steps", {}};
    Nanoseconds ended = std::numeric_limits<Nanoseconds>::min();
    for (const auto& [step, own] : m_steps) {
      Span span = own;
      // Processes that meet after each step do not overlap; their clocks may be off by a little.
      if (!m_steps_overlap) span.start = std::min(std::max(span.start, ended), span.end);
      ended = span.end;
      track.spans.push_back(span);
    }
    if (!track.spans.sorted()) track.spans.sort();
    track.spans.seal();
    m_joined->tracks.push_back(std::move(track));
  }

  std::shared_ptr<Trace> m_joined = std::make_shared<Trace>();
  const std::string m_machine;  ///< of the first part
  NameTable m_names, m_labels;
  std::map<int, Span> m_steps;
  bool m_steps_overlap = false;              ///< within a part
  std::map<ActionId, BothEnds> m_crossings;  ///< by what the transfer carries, which no two in a step share
};

}  // namespace

std::shared_ptr<const Trace> joinTraces(std::span<const TracePart> parts) { return Joiner(parts).joined(); }

}  // namespace lanelab
