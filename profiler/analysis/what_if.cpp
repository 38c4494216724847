// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/what_if.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "base/parse_number.h"
#include "profiler/analysis/traced_actions.h"

namespace lanelab {

namespace {

double factorOf(const std::map<int, double>& factors, int key) {
  const auto found = factors.find(key);
  return found == factors.end() ? 1 : found->second;
}

Nanoseconds scaled(Nanoseconds length, double factor) {
  return factor == 1 ? length : std::llround(static_cast<double>(length) * factor);
}

/// The boundary that a result crosses: that of the lower stage.
template <class Traced>
int linkOf(const Traced& traced) {
  return traced.phase == Phase::Forward ? traced.stage : traced.stage - 1;
}

/// A stretch of an action that takes `more` times its length longer.
struct ScaledBlock {
  TimeRange range;
  double more = 0;
};

/// How far what was measured at a time moves.
struct Shift {
  Nanoseconds from = 0;  ///< of the measured time, until the next
  Nanoseconds by = 0;
};

class WhatIfReplay {
 public:
  WhatIfReplay(const Trace& trace, const WhatIf& what_if)
      : m_trace(trace),
        m_what_if(what_if),
        m_traced(tracedActions(trace)),
        m_starts(m_traced.actions.size()),
        m_place_of(m_traced.actions.size(), m_traced.actions.size()) {
    m_blocks.resize(trace.lanes.size());
    m_shifts.resize(trace.lanes.size());
    collectBlocks();
  }

  Trace replay() {
    Nanoseconds by = 0;  // how far the stretch begins later than it was measured to
    for (const Stretch& stretch : m_traced.stretches) by = replayStretch(stretch, by) - stretch.range.end;
    return result();
  }

 private:
  void collectBlocks() {
    for (const Track& track : m_trace.tracks) {
      if (m_trace.laneAt(track.lane) == nullptr || m_what_if.blocks.empty()) continue;
      for (const Span& span : track.spans) {
        if (span.category != Category::Block) continue;
        const auto factor = m_what_if.blocks.find(m_trace.nameOf(span));
        if (factor != m_what_if.blocks.end())
          m_blocks[static_cast<std::size_t>(track.lane)].push_back({span.range(), factor->second - 1});
      }
    }
    const auto startsFirst = [](const ScaledBlock& a, const ScaledBlock& b) { return a.range.start < b.range.start; };
    for (auto& blocks : m_blocks) std::stable_sort(blocks.begin(), blocks.end(), startsFirst);
  }

  Nanoseconds lengthOf(const TracedAction& action) const {
    const TimeRange range = action.range;
    const auto& blocks = m_blocks[static_cast<std::size_t>(action.lane)];
    const auto before = [](const ScaledBlock& block, Nanoseconds time) { return block.range.start < time; };
    double length = static_cast<double>(range.length());
    for (auto block = std::lower_bound(blocks.begin(), blocks.end(), range.start, before);
         block != blocks.end() && block->range.end <= range.end; ++block)
      length += static_cast<double>(block->range.length()) * block->more;
    return std::max<Nanoseconds>(0, std::llround(length * factorOf(m_what_if.stages, action.stage)));
  }

  Nanoseconds endOf(std::uint32_t item) const { return m_starts[item] + lengthOf(m_traced.actions[item]); }

  /// What was measured and what comes out of it.
  struct Moment {
    Nanoseconds measured;
    Nanoseconds replayed;
  };

  /// When the input was there; nothing where the action takes none that moves.
  std::optional<Moment> arrivalOf(const TracedAction& action, std::size_t place) const {
    if (action.producer == kNoItem || m_place_of[action.producer] >= place) return std::nullopt;
    const Nanoseconds made = endOf(action.producer);
    if (action.sent == kNever) return Moment{action.produced, made};
    const double factor = factorOf(m_what_if.links, linkOf(m_traced.actions[action.producer]));
    const Nanoseconds sent = made + (action.sent - action.produced);
    return Moment{std::max(action.arrived, action.produced),
                  std::max(made, sent + scaled(action.arrived - action.sent, factor))};
  }

  /// First begin and last end of a step's actions.
  struct Hull {
    Moment first;
    Moment last;
  };

  /// When the stretch ends. Steps that overlapped follow each other as they did, without a barrier.
  Nanoseconds replayStretch(const Stretch& stretch, Nanoseconds by) {
    const Moment begin{stretch.range.start, stretch.range.start + by};
    std::vector<Moment> free(m_trace.lanes.size(), begin);
    Moment last = begin;
    std::map<int, Hull> steps;
    for (const std::uint32_t item : m_traced.itemsOf(stretch)) {
      const TracedAction& action = m_traced.actions[item];
      const std::size_t place = m_place_of[item] = m_replayed++;
      m_senders.try_emplace(actionIdOf(action), item);
      Moment& lane = free[static_cast<std::size_t>(action.lane)];
      const std::optional<Moment> input = arrivalOf(action, place);
      // What was the later in the measurement showed when the action could begin; its delay after that is retained.
      const Nanoseconds ready = std::max(lane.measured, input ? input->measured : kNever);
      const Nanoseconds start =
          std::max(lane.replayed, input ? input->replayed : kNever) + (action.range.start - ready);
      m_starts[item] = start;
      m_shifts[static_cast<std::size_t>(action.lane)].push_back({lane.measured, start - action.range.start});
      lane = {action.range.end, endOf(item)};
      last = laterOf(last, lane);
      const Moment begun{action.range.start, start};
      Hull& hull = steps.try_emplace(action.step, Hull{begun, lane}).first->second;
      hull = {earlierOf(hull.first, begun), laterOf(hull.last, lane)};
    }
    for (std::size_t lane = 0; lane < free.size(); ++lane)
      m_shifts[lane].push_back({free[lane].measured, last.replayed - last.measured});
    for (std::size_t i = stretch.first; i < stretch.first + stretch.count; ++i) {
      const TimeRange window = m_traced.windows[i].range;
      const auto hull = steps.find(m_traced.windows[i].step);
      const Hull moved = hull == steps.end() ? Hull{begin, begin} : hull->second;
      const Moment first = i == stretch.first ? begin : moved.first;
      const Moment end = i == stretch.first ? laterOf(begin, moved.last) : moved.last;
      m_windows.push_back(
          {first.replayed + (window.start - first.measured), end.replayed + (window.end - end.measured)});
    }
    return last.replayed + (stretch.range.end - last.measured);
  }

  static Moment laterOf(const Moment& a, const Moment& b) {
    return {std::max(a.measured, b.measured), std::max(a.replayed, b.replayed)};
  }
  static Moment earlierOf(const Moment& a, const Moment& b) {
    return {std::min(a.measured, b.measured), std::min(a.replayed, b.replayed)};
  }

  Trace result() {
    Trace trace;
    trace.title = m_trace.title;
    trace.origin = Origin::Replayed;
    trace.lanes = m_trace.lanes;
    trace.names = m_trace.names;
    trace.labels = m_trace.labels;
    for (std::size_t lane = 0; lane < m_trace.lanes.size(); ++lane) addActions(trace, lane);
    for (const Track& track : m_trace.tracks)
      if (m_trace.laneAt(track.lane) != nullptr) addOthers(trace, track);
    addSteps(trace);
    for (Track& track : trace.tracks) track.spans.sort();
    return trace;
  }

  static Span movedTo(Span span, Nanoseconds start, Nanoseconds end) {
    if (span.mark != 0) span.mark += start - span.start;
    span.start = start;
    span.end = end;
    return span;
  }

  void addActions(Trace& trace, std::size_t lane) const {
    Track track{static_cast<int>(lane), Track::Kind::Compute, "compute", {}};
    auto item = static_cast<std::uint32_t>(m_traced.lane_begins[lane]);
    for (const Track& from : m_trace.tracks) {
      if (from.lane != track.lane) continue;
      for (const Span& action : from.spans) {
        if (action.category != Category::Action) continue;
        Span issued = action;
        issued.mark = m_traced.actions[item].issued;
        if (action.step >= 0) track.spans.push_back(movedTo(issued, m_starts[item], endOf(item)));
        ++item;
      }
    }
    trace.tracks.push_back(std::move(track));
  }

  /// Transfers and what the host did move with what they go before on their lane; transfers, with the action that sent
  /// them.
  void addOthers(Trace& trace, const Track& from) const {
    Track track{from.lane, from.kind, from.name, {}};
    for (const Span& span : from.spans) {
      if (span.category == Category::Transfer) {
        track.spans.push_back(transferAt(span, static_cast<std::size_t>(from.lane)));
      } else if (isHostWork(span.category) || span.category == Category::Wait) {
        const Nanoseconds by = shiftAt(static_cast<std::size_t>(from.lane), span.start);
        track.spans.push_back(movedTo(span, span.start + by, span.end + by));
      }
    }
    if (!track.spans.empty()) trace.tracks.push_back(std::move(track));
  }

  Span transferAt(const Span& span, std::size_t lane) const {
    const Nanoseconds by = senderShift(span, lane);
    const Nanoseconds start = span.start + by;
    return movedTo(span, start, start + scaled(span.range().length(), factorOf(m_what_if.links, linkOf(span))));
  }

  /// How far the end of the action moves that made the result.
  Nanoseconds senderShift(const Span& transfer, std::size_t lane) const {
    const auto sender = m_senders.find(actionIdOf(transfer));
    return sender == m_senders.end() ? shiftAt(lane, transfer.start)
                                     : endOf(sender->second) - m_traced.actions[sender->second].range.end;
  }

  Nanoseconds shiftAt(std::size_t lane, Nanoseconds time) const {
    const auto& shifts = m_shifts[lane];
    const auto after = std::ranges::upper_bound(shifts, time, {}, &Shift::from);
    return after == shifts.begin() ? 0 : (after - 1)->by;
  }

  void addSteps(Trace& trace) const {
    Track track{0, Track::Kind::Step, "steps", {}};
    auto stretch = m_traced.stretches.begin();
    for (std::size_t step = 0; step < m_windows.size(); ++step) {
      if (step == stretch->first + stretch->count) ++stretch;
      const int number = m_traced.windows[step].step;
      track.spans.push_back({.start = m_windows[step].start,
                             .end = m_windows[step].end,
                             .mark = m_windows[stretch->first].start,
                             .name = static_cast<std::uint32_t>(trace.names.size()),
                             .step = number,
                             .category = Category::Step});
      trace.names.push_back("step " + std::to_string(number));
    }
    trace.tracks.push_back(std::move(track));
  }

  const Trace& m_trace;
  const WhatIf& m_what_if;
  TracedActions m_traced;
  std::vector<Nanoseconds> m_starts;    ///< replayed, by action
  std::vector<std::size_t> m_place_of;  ///< in the order of the replay, of the actions replayed so far
  std::size_t m_replayed = 0;           ///< actions so far
  std::map<ActionId, std::uint32_t> m_senders;
  std::vector<std::vector<ScaledBlock>> m_blocks;  ///< by lane, sorted
  std::vector<std::vector<Shift>> m_shifts;        ///< by lane
  std::vector<TimeRange> m_windows;
};

}  // namespace

bool addFactor(WhatIf& what_if, std::string_view text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  const std::string_view name = text.substr(0, equals);
  const auto factor = parseNumber<double>(text.substr(equals + 1));
  if (!factor || !(*factor >= 0 && *factor <= 1000)) return false;
  for (const auto& [prefix, factors] :
       {std::pair(std::string_view("stage:"), &what_if.stages), std::pair(std::string_view("link:"), &what_if.links)}) {
    if (!name.starts_with(prefix)) continue;
    const auto index = parseNumber<int>(name.substr(prefix.size()));
    if (!index || *index < 0) return false;
    (*factors)[*index] = *factor;
    return true;
  }
  what_if.blocks[std::string(name)] = *factor;
  return true;
}

std::string unknownName(const Trace& trace, const WhatIf& what_if) {
  std::set<int> stages;
  std::set<int> links;
  std::set<std::string_view> blocks;
  for (const Track& track : trace.tracks) {
    for (const Span& span : track.spans) {
      if (span.category == Category::Action) stages.insert(span.stage);
      if (span.category == Category::Transfer) links.insert(linkOf(span));
      if (span.category == Category::Block) blocks.insert(trace.nameOf(span));
    }
  }
  for (const auto& [stage, factor] : what_if.stages)
    if (!stages.contains(stage)) return "stage " + std::to_string(stage);
  for (const auto& [link, factor] : what_if.links)
    if (!links.contains(link)) return "link " + std::to_string(link);
  for (const auto& [block, factor] : what_if.blocks)
    if (!blocks.contains(block)) return "block " + block;
  return {};
}

Trace replayWith(const Trace& trace, const WhatIf& what_if) { return WhatIfReplay(trace, what_if).replay(); }

}  // namespace lanelab
