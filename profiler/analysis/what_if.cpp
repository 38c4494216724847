// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/what_if.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "base/parse_number.h"
#include "profiler/analysis/replica_waits.h"

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
  WhatIfReplay(const Trace& trace, const TracedActions& traced, const WhatIf& what_if)
      : m_trace(trace),
        m_what_if(what_if),
        m_traced(traced),
        m_replicas(replicaWaits(traced, trace.lanes.size())),
        m_starts(traced.actions.size()),
        m_delays(traced.actions.size()),
        m_free(traced.actions.size()),
        m_place_of(traced.actions.size(), traced.actions.size()),
        m_transfer_factors(traced.actions.size(), 1.0) {
    m_blocks.resize(trace.lanes.size());
    m_shifts.resize(trace.lanes.size());
    collectBlocks();
    findLengths();
    findUsualTransfers();
    for (const auto& row : what_if.order)
      for (std::size_t rank = 0; rank < row.size(); ++rank) m_ranks.try_emplace(row[rank], rank);
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

  void findLengths() {
    std::vector<double> factors(m_traced.actions.size(), 1.0);
    for (const ScaledSpans& spans : m_what_if.spans) {
      std::vector<double>& scaled = spans.transfers ? m_transfer_factors : factors;
      for (std::size_t item = 0; item < m_traced.actions.size(); ++item)
        if (means(spans, m_traced.actions[item])) scaled[item] *= spans.factor;
    }
    m_lengths.reserve(m_traced.actions.size());
    for (std::size_t item = 0; item < m_traced.actions.size(); ++item)
      m_lengths.push_back(lengthOf(m_traced.actions[item], factors[item]));
  }

  Nanoseconds lengthOf(const TracedAction& action, double factor) const {
    const TimeRange range = action.range;
    const auto& blocks = m_blocks[static_cast<std::size_t>(action.lane)];
    const auto before = [](const ScaledBlock& block, Nanoseconds time) { return block.range.start < time; };
    double length = static_cast<double>(range.length());
    for (auto block = std::lower_bound(blocks.begin(), blocks.end(), range.start, before);
         block != blocks.end() && block->range.end <= range.end; ++block)
      length += static_cast<double>(block->range.length()) * block->more;
    factor *= factorOf(m_what_if.stages, action.stage) * factorOf(m_what_if.ranks, action.lane);
    return std::max<Nanoseconds>(0, std::llround(length * factor));
  }

  /// Of each direction, queue included, for boundaries that nothing crossed.
  void findUsualTransfers() {
    if (m_what_if.lanes.empty()) return;
    std::array<double, 2> sums{}, counts{};
    for (const TracedAction& action : m_traced.actions) {
      if (action.sent == kNever || action.produced == kNever) continue;
      const std::size_t direction = action.phase == Phase::Forward ? 0 : 1;
      sums[direction] += static_cast<double>(std::max<Nanoseconds>(0, action.arrived - action.produced));
      counts[direction] += 1;
    }
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (counts[i] > 0) m_usual_transfers[i] = std::llround(sums[i] / counts[i]);
  }

  int laneOf(const TracedAction& action) const {
    const auto moved = m_what_if.lanes.find(action.stage);
    const bool known = moved != m_what_if.lanes.end() && m_trace.laneAt(moved->second) != nullptr;
    return known ? moved->second : action.lane;
  }

  Nanoseconds endOf(std::uint32_t item) const { return m_starts[item] + m_lengths[item]; }

  /// What was measured and what comes out of it.
  struct Moment {
    Nanoseconds measured;
    Nanoseconds replayed;
  };

  /// Only what began before it, so that the replay ends whatever a file says.
  bool waitsFor(std::uint32_t item, std::uint32_t other) const {
    return other != kNoItem && m_place_of[other] < m_place_of[item];
  }

  /// When the input was there; kNever where the action takes none that moves.
  Nanoseconds measuredArrival(std::uint32_t item) const {
    const TracedAction& action = m_traced.actions[item];
    if (!waitsFor(item, action.producer)) return kNever;
    return action.sent == kNever ? action.produced : std::max(action.arrived, action.produced);
  }

  Nanoseconds replayedArrival(std::uint32_t item) const {
    const TracedAction& action = m_traced.actions[item];
    if (!waitsFor(item, action.producer)) return kNever;
    const TracedAction& producer = m_traced.actions[action.producer];
    const Nanoseconds made = endOf(action.producer);
    const bool crossed = producer.lane != action.lane;
    if (laneOf(producer) == laneOf(action) && crossed) return made;
    if (!crossed && laneOf(producer) != laneOf(action))
      return made + m_usual_transfers[action.phase == Phase::Forward ? 0 : 1];
    if (action.sent == kNever) return made;
    const double factor = factorOf(m_what_if.links, linkOf(producer)) * m_transfer_factors[action.producer];
    const Nanoseconds sent = made + (action.sent - action.produced);
    return std::max(made, sent + scaled(action.arrived - action.sent, factor));
  }

  /// When the last of the replicas that an update waits for had its gradients; `end` of each.
  template <class End>
  Nanoseconds replicasEnd(std::uint32_t item, const End& end) const {
    Nanoseconds last = kNever;
    const auto waits = m_replicas.find(item);
    if (waits == m_replicas.end()) return last;
    for (const std::uint32_t other : waits->second)
      if (waitsFor(item, other)) last = std::max(last, end(other));
    return last;
  }

  /// How long each action waited after its lane was free and its input there, which is retained.
  void measureDelays(const Stretch& stretch) {
    m_free_at_end.assign(m_trace.lanes.size(), stretch.range.start);
    for (const std::uint32_t item : m_traced.itemsOf(stretch)) {
      const TracedAction& action = m_traced.actions[item];
      m_place_of[item] = m_placed++;
      m_senders.try_emplace(actionIdOf(action), item);
      Nanoseconds& free = m_free_at_end[static_cast<std::size_t>(action.lane)];
      const Nanoseconds replicas =
          replicasEnd(item, [this](std::uint32_t other) { return m_traced.actions[other].range.end; });
      m_free[item] = free;
      m_delays[item] = action.range.start - std::max({free, measuredArrival(item), replicas});
      free = action.range.end;
    }
  }

  /// Each behind what it waits for, and those of a lane as that lane does them.
  std::vector<std::uint32_t> sequenceOf(const Stretch& stretch) {
    const auto items = m_traced.itemsOf(stretch);
    std::vector<std::uint32_t> sequence(items.begin(), items.end());
    if (m_ranks.empty()) return sequence;
    std::vector<std::vector<std::uint32_t>> rows(m_trace.lanes.size());
    for (const std::uint32_t item : items) {
      if (!m_ranks.contains(orderedOf(item))) return sequence;
      rows[static_cast<std::size_t>(laneOf(m_traced.actions[item]))].push_back(item);
    }
    const auto goesFirst = [this](std::uint32_t a, std::uint32_t b) {
      const int step = m_traced.actions[a].step, other = m_traced.actions[b].step;
      return step != other ? step < other : m_ranks.at(orderedOf(a)) < m_ranks.at(orderedOf(b));
    };
    for (auto& row : rows) std::stable_sort(row.begin(), row.end(), goesFirst);
    std::vector<std::uint32_t> merged = merge(rows);
    return merged.size() == sequence.size() ? merged : sequence;
  }

  OrderedAction orderedOf(std::uint32_t item) const {
    const TracedAction& action = m_traced.actions[item];
    return {action.stage, action.phase, action.phase == Phase::Update ? 0 : action.micro_batch};
  }

  /// As far as the rows can be done: all of them, unless they wait for each other.
  std::vector<std::uint32_t> merge(const std::vector<std::vector<std::uint32_t>>& rows) {
    std::vector<std::uint32_t> merged;
    std::vector<bool> done(m_traced.actions.size());
    std::vector<std::size_t> next(rows.size(), 0);
    const auto isReady = [&](std::uint32_t item) {
      const std::uint32_t producer = m_traced.actions[item].producer;
      return !waitsFor(item, producer) || done[producer];
    };
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t lane = 0; lane < rows.size(); ++lane) {
        for (; next[lane] < rows[lane].size() && isReady(rows[lane][next[lane]]); ++next[lane], moved = true) {
          merged.push_back(rows[lane][next[lane]]);
          done[merged.back()] = true;
        }
      }
    }
    return merged;
  }

  /// When the stretch ends. Steps that overlapped follow each other as they did, without a barrier.
  Nanoseconds replayStretch(const Stretch& stretch, Nanoseconds by) {
    measureDelays(stretch);
    const Moment begin{stretch.range.start, stretch.range.start + by};
    std::vector<Nanoseconds> free(m_trace.lanes.size(), begin.replayed);
    for (const std::uint32_t item : sequenceOf(stretch)) {
      Nanoseconds& lane = free[static_cast<std::size_t>(laneOf(m_traced.actions[item]))];
      const Nanoseconds replicas = replicasEnd(item, [this](std::uint32_t other) { return endOf(other); });
      m_starts[item] = std::max({lane, replayedArrival(item), replicas}) + m_delays[item];
      lane = endOf(item);
    }
    return placeSteps(stretch, begin);
  }

  /// First begin and last end of a step's actions.
  struct Hull {
    Moment first;
    Moment last;
  };

  Nanoseconds placeSteps(const Stretch& stretch, const Moment& begin) {
    Moment last = begin;
    std::map<int, Hull> steps;
    for (const std::uint32_t item : m_traced.itemsOf(stretch)) {
      const TracedAction& action = m_traced.actions[item];
      const Moment begun{action.range.start, m_starts[item]}, ended{action.range.end, endOf(item)};
      m_shifts[static_cast<std::size_t>(action.lane)].push_back({m_free[item], begun.replayed - begun.measured});
      last = laterOf(last, ended);
      Hull& hull = steps.try_emplace(action.step, Hull{begun, ended}).first->second;
      hull = {earlierOf(hull.first, begun), laterOf(hull.last, ended)};
    }
    for (std::size_t lane = 0; lane < m_free_at_end.size(); ++lane)
      m_shifts[lane].push_back({m_free_at_end[lane], last.replayed - last.measured});
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
    for (std::size_t lane = 0; lane < m_trace.lanes.size(); ++lane)
      trace.tracks.push_back({static_cast<int>(lane), Track::Kind::Compute, "compute", {}});
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

  /// To the lane that does them now.
  void addActions(Trace& trace, std::size_t lane) const {
    auto item = static_cast<std::uint32_t>(m_traced.lane_begins[lane]);
    for (const Track& from : m_trace.tracks) {
      if (from.lane != static_cast<int>(lane)) continue;
      for (const Span& action : from.spans) {
        if (action.category != Category::Action) continue;
        Span issued = action;
        issued.mark = m_traced.actions[item].issued;
        if (action.step >= 0)
          trace.tracks[static_cast<std::size_t>(laneOf(m_traced.actions[item]))].spans.push_back(
              movedTo(issued, m_starts[item], endOf(item)));
        ++item;
      }
    }
  }

  /// Transfers and what the host did move with what they go before on their lane; transfers, with the action that sent
  /// them.
  void addOthers(Trace& trace, const Track& from) const {
    Track apart{from.lane, from.kind, from.name, {}};
    // What a lane did between its actions, such as evaluation, remains in their row.
    Track& own = from.kind == Track::Kind::Compute ? trace.tracks[static_cast<std::size_t>(from.lane)] : apart;
    std::map<int, Track> moved;
    for (const Span& span : from.spans) {
      if (span.category == Category::Transfer) {
        const std::optional<int> lane = laneOfTransfer(span, from.lane);
        if (!lane) continue;
        Track& to =
            *lane == from.lane ? own : moved.try_emplace(*lane, Track{*lane, from.kind, from.name, {}}).first->second;
        to.spans.push_back(transferAt(span, static_cast<std::size_t>(from.lane)));
      } else if (isHostWork(span.category) || span.category == Category::Wait) {
        const Nanoseconds by = shiftAt(static_cast<std::size_t>(from.lane), span.start);
        own.spans.push_back(movedTo(span, span.start + by, span.end + by));
      }
    }
    if (!apart.spans.empty()) trace.tracks.push_back(std::move(apart));
    for (auto& [lane, of_lane] : moved) trace.tracks.push_back(std::move(of_lane));
  }

  /// With the stage that sends or takes it, on whose lane it was; nothing where both are on one lane now.
  std::optional<int> laneOfTransfer(const Span& transfer, int lane) const {
    const int taker = transfer.phase == Phase::Forward ? transfer.stage + 1 : transfer.stage - 1;
    const auto from = m_what_if.lanes.find(transfer.stage), to = m_what_if.lanes.find(taker);
    if (from == m_what_if.lanes.end() && to == m_what_if.lanes.end()) return lane;
    const auto sender = m_senders.find(actionIdOf(transfer));
    const auto received = m_senders.find({transfer.step, taker, transfer.phase, transfer.micro_batch});
    if (sender == m_senders.end() || received == m_senders.end()) return lane;
    const TracedAction &sent = m_traced.actions[sender->second], &taken = m_traced.actions[received->second];
    if (laneOf(sent) == laneOf(taken)) return std::nullopt;
    return lane == sent.lane ? laneOf(sent) : lane == taken.lane ? laneOf(taken) : lane;
  }

  Span transferAt(const Span& span, std::size_t lane) const {
    const auto sender = m_senders.find(actionIdOf(span));
    const bool known = sender != m_senders.end();
    const double factor = factorOf(m_what_if.links, linkOf(span)) * (known ? m_transfer_factors[sender->second] : 1.0);
    const Nanoseconds start = span.start + (known ? endOf(sender->second) - m_traced.actions[sender->second].range.end
                                                  : shiftAt(lane, span.start));
    return movedTo(span, start, start + scaled(span.range().length(), factor));
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
  const TracedActions& m_traced;
  ReplicaWaits m_replicas;
  std::vector<Nanoseconds> m_lengths;  ///< replayed, by action, as the next
  std::vector<Nanoseconds> m_starts;
  std::vector<Nanoseconds> m_delays;               ///< measured, by action, as the next
  std::vector<Nanoseconds> m_free;                 ///< when its lane was
  std::vector<std::size_t> m_place_of;             ///< in the measured order, of the actions seen so far
  std::size_t m_placed = 0;                        ///< actions so far
  std::vector<double> m_transfer_factors;          ///< by the action that sends
  std::array<Nanoseconds, 2> m_usual_transfers{};  ///< forward, backward
  std::vector<Nanoseconds> m_free_at_end;          ///< of the stretch that was measured last, by lane
  std::map<OrderedAction, std::size_t> m_ranks;    ///< of What If's order
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
       {std::pair(std::string_view("stage:"), &what_if.stages), std::pair(std::string_view("rank:"), &what_if.ranks),
        std::pair(std::string_view("link:"), &what_if.links)}) {
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
  std::set<int> stages, lanes, links;
  std::set<std::string_view> blocks;
  for (const Track& track : trace.tracks) {
    for (const Span& span : track.spans) {
      if (span.category == Category::Action) stages.insert(span.stage), lanes.insert(track.lane);
      if (span.category == Category::Transfer) links.insert(linkOf(span));
      if (span.category == Category::Block) blocks.insert(trace.nameOf(span));
    }
  }
  for (const auto& [stage, factor] : what_if.stages)
    if (!stages.contains(stage)) return "stage " + std::to_string(stage);
  for (const auto& [lane, factor] : what_if.ranks)
    if (!lanes.contains(lane)) return "rank " + std::to_string(lane);
  for (const auto& [link, factor] : what_if.links)
    if (!links.contains(link)) return "link " + std::to_string(link);
  for (const auto& [block, factor] : what_if.blocks)
    if (!blocks.contains(block)) return "block " + block;
  return {};
}

Trace replayWith(const Trace& trace, const WhatIf& what_if) { return replayWith(trace, tracedActions(trace), what_if); }

Trace replayWith(const Trace& trace, const TracedActions& traced, const WhatIf& what_if) {
  return WhatIfReplay(trace, traced, what_if).replay();
}

bool means(const ScaledSpans& spans, const TracedAction& action) {
  if (action.stage != spans.id.stage || action.phase != spans.id.phase) return false;
  if (spans.all) return true;
  const bool updates = action.phase == Phase::Update;
  return action.step == spans.id.step && (updates || action.micro_batch == spans.id.micro_batch) &&
         (spans.transfers || action.lane == spans.lane);
}

}  // namespace lanelab
