// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/slowdown/late_waits.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "base/quantile.h"
#include "profiler/analysis/busy_pieces.h"
#include "profiler/analysis/slowdown/pass_times.h"
#include "profiler/analysis/slowdown/step_bound.h"
#include "profiler/trace/profiler_step.h"

namespace lanelab {

namespace {

constexpr double kLeastGain = 0.03;  ///< of the step, that is worth a word

/// What the lanes recorded beside their operations.
struct LaneRecords {
  std::vector<std::vector<TimeRange>> data;            ///< by lane: sorted and disjoint
  std::vector<std::map<int, Nanoseconds>> step_marks;  ///< by lane: begins of the profiler's steps
};

LaneRecords recordsOf(const Trace& trace) {
  LaneRecords records{std::vector<std::vector<TimeRange>>(trace.lanes.size()),
                      std::vector<std::map<int, Nanoseconds>>(trace.lanes.size())};
  std::map<std::uint32_t, int> marks;
  for (std::uint32_t name = 0; name < trace.names.size(); ++name)
    if (const auto step = profilerStepOf(trace.names[name])) marks.emplace(name, *step);
  for (const Track& track : trace.tracks) {
    if (trace.laneAt(track.lane) == nullptr || track.kind == Track::Kind::Stream) continue;
    const auto lane = static_cast<std::size_t>(track.lane);
    for (const Span& span : track.spans) {
      if (span.category == Category::Data) records.data[lane].push_back(span.range());
      if (marks.empty() || span.category != Category::Other) continue;
      if (const auto mark = marks.find(span.name); mark != marks.end())
        records.step_marks[lane].emplace(mark->second, span.start);
    }
  }
  for (std::vector<TimeRange>& ranges : records.data) ranges = unionOf(std::move(ranges));
  return records;
}

double secondsOf(Nanoseconds time) { return static_cast<double>(time) * kNanosecond; }

double meanOf(const std::vector<double>& values) {
  return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// By step: when the first of the ranks began it.
std::vector<std::optional<Nanoseconds>> beginsOf(const JobModel& model, const LaneRecords& records) {
  std::vector<std::optional<Nanoseconds>> begins(model.steps.size());
  for (std::size_t step = 0; step < begins.size(); ++step) {
    for (const std::map<int, Nanoseconds>& marks : records.step_marks) {
      const auto mark = marks.find(model.steps[step]);
      if (mark != marks.end()) begins[step] = std::min(begins[step].value_or(mark->second), mark->second);
    }
  }
  return begins;
}

/// The transfers from one lane of a replica to another.
struct Link {
  std::size_t replica = 0;
  int from = 0, to = 0;               ///< places
  std::vector<std::uint32_t> passes;  ///< that take what it carries, in PassTimes::passes
  std::vector<double> transfers;      ///< by step, the median
  std::vector<double> sends;          ///< by step, the part of them until the value is sent
};

class WaitFinder {
 public:
  WaitFinder(const Trace& trace, const JobModel& model)
      : m_model(model), m_records(recordsOf(trace)), m_times(model, beginsOf(model, m_records)) {}

  LateWaits find() {
    LateWaits found;
    found.steps = static_cast<int>(m_model.steps.size());
    m_step = m_times.stepSeconds();
    if (m_times.passes().empty() || m_step <= 0) return found;
    findLinks(found);
    m_between = betweenSteps();
    for (std::size_t replica = 0; replica < m_model.replicas(); ++replica) {
      for (std::size_t place = 0; place < m_model.pipeline_rank.size(); ++place) {
        findData(found, replica, static_cast<int>(place));
        findStart(found, replica, static_cast<int>(place));
      }
    }
    const auto by_share = [](const auto& one) { return one.share; };
    std::ranges::stable_sort(found.links, std::greater(), by_share);
    std::ranges::stable_sort(found.data, std::greater(), by_share);
    std::ranges::stable_sort(found.starts, std::greater(), by_share);
    return found;
  }

 private:
  const std::vector<TimedPass>& passes() const { return m_times.passes(); }
  int placeOf(const TimedPass& pass) const { return m_model.operations[pass.operation].place; }
  int laneAt(std::size_t replica, int place) const { return m_model.lanes[replica][static_cast<std::size_t>(place)]; }
  std::size_t occurrence(std::size_t step, std::size_t replica) const { return step * m_model.replicas() + replica; }

  /// By step, the part of it that goes if passes of the replica begin earlier by cut(pass, occurrence).
  template <class Cut>
  std::vector<double> gains(std::size_t replica, const Cut& cut) const {
    std::vector<double> shares;
    for (std::size_t step = 0; step < m_model.steps.size(); ++step) {
      const std::size_t k = occurrence(step, replica);
      shares.push_back(secondsOf(m_times.gained(k, [&](const TimedPass& pass) { return cut(pass, k); })) / m_step);
    }
    return shares;
  }

  // Links

  void findLinks(LateWaits& found) {
    std::vector<Link> links = recordedLinks();
    if (links.size() < 2) return;
    std::vector<double> usual;
    for (std::size_t step = 0; step < m_model.steps.size(); ++step) {
      std::vector<double> transfers;
      for (const Link& link : links) transfers.push_back(link.transfers[step]);
      usual.push_back(lowerMedian(std::move(transfers)));
    }
    for (const Link& link : links) judgeLink(found, link, usual);
  }

  std::vector<Link> recordedLinks() const {
    std::map<std::pair<int, int>, std::vector<std::uint32_t>> passes_of;
    for (std::uint32_t i = 0; i < passes().size(); ++i) {
      const TimedPass& pass = passes()[i];
      if (pass.send != kNoOperation && pass.receive != kNoOperation)
        passes_of[{placeOf(passes()[pass.producer]), placeOf(pass)}].push_back(i);
    }
    std::vector<Link> links;
    for (const auto& [ends, taking] : passes_of) {
      for (std::size_t replica = 0; replica < m_model.replicas(); ++replica) {
        Link& link = links.emplace_back(Link{replica, ends.first, ends.second, taking, {}, {}});
        for (std::size_t step = 0; step < m_model.steps.size(); ++step) measureLink(link, occurrence(step, replica));
      }
    }
    return links;
  }

  /// The parts of a transfer that nothing else hides, each by its median over the step.
  void measureLink(Link& link, std::size_t k) const {
    std::array<std::vector<double>, 3> parts;
    for (const std::uint32_t i : link.passes) {
      const TimedPass& pass = passes()[i];
      const Nanoseconds made = m_times.rangeOf(passes()[pass.producer].operation, k).end;
      const Nanoseconds sent = m_times.rangeOf(pass.send, k).start;
      const TimeRange received = m_times.rangeOf(pass.receive, k);
      const Nanoseconds begun = m_times.rangeOf(pass.operation, k).start;
      parts[0].push_back(secondsOf(std::max<Nanoseconds>(0, sent - made)));
      if (std::max(received.start, laneFree(pass, k)) <= sent)
        parts[1].push_back(secondsOf(std::max<Nanoseconds>(0, received.end - sent)));
      parts[2].push_back(secondsOf(std::max<Nanoseconds>(0, begun - std::max(received.end, m_times.ready(pass, k)))));
    }
    link.sends.push_back(medianOf(std::move(parts[0])));
    link.transfers.push_back(link.sends.back() + medianOf(std::move(parts[1])) + medianOf(std::move(parts[2])));
  }

  /// A receive that is posted ahead ends when its lane looks for it, so what arrived meanwhile says nothing of the
  /// wire.
  Nanoseconds laneFree(const TimedPass& pass, std::size_t k) const {
    return pass.before == kNoOperation ? m_times.laneReady(pass, k)
                                       : m_times.rangeOf(passes()[pass.before].operation, k).end;
  }

  void judgeLink(LateWaits& found, const Link& link, const std::vector<double>& usual) const {
    std::vector<double> longer;
    for (std::size_t step = 0; step < usual.size(); ++step) longer.push_back(link.transfers[step] - usual[step]);
    if (boundOfMedian(longer) <= 0) return;
    const auto excess = [&](const std::vector<double>& own, std::size_t k) {
      const std::size_t step = k / m_model.replicas();
      return static_cast<Nanoseconds>(std::max(0.0, own[step] - usual[step]) / kNanosecond);
    };
    const std::vector<double> shares = gains(link.replica, [&](const TimedPass& pass, std::size_t k) {
      if (pass.receive != kNoOperation && isOf(link, pass)) return excess(link.transfers, k);
      return isHeldBySend(link, pass) ? excess(link.sends, k) : 0;
    });
    if (boundOfMedian(shares) < kLeastGain) return;
    found.links.push_back({laneAt(link.replica, link.from), laneAt(link.replica, link.to), medianOf(link.transfers),
                           medianOf(usual), medianOf(shares)});
  }

  bool isOf(const Link& link, const TimedPass& pass) const {
    return placeOf(pass) == link.to && pass.producer != kNoOperation && placeOf(passes()[pass.producer]) == link.from;
  }

  /// Whether the lane sends over the link just before the pass, which may block it.
  bool isHeldBySend(const Link& link, const TimedPass& pass) const {
    if (placeOf(pass) != link.from || pass.before == kNoOperation) return false;
    return std::ranges::any_of(link.passes, [&](std::uint32_t i) { return passes()[i].producer == pass.before; });
  }

  // Data and starts

  /// By step: when a lane was busy with something else than what others waited for.
  using Absences = std::vector<std::vector<TimeRange>>;

  /// By step, the part of it that goes without the absences of a lane. Its peers may wait for it in their sends, so
  /// that it holds their passes back, too.
  std::vector<double> gainsWithout(const Absences& absences, std::size_t replica) const {
    return gains(replica, [&](const TimedPass& pass, std::size_t k) {
      const TimeRange delay{m_times.ready(pass, k), m_times.rangeOf(pass.operation, k).start};
      return delay.empty() ? 0 : coveredTime(absences[k / m_model.replicas()], delay);
    });
  }

  static double secondsIn(const std::vector<TimeRange>& ranges) { return secondsOf(lengthOf(ranges)); }

  void findData(LateWaits& found, std::size_t replica, int place) const {
    const int lane = laneAt(replica, place);
    const std::vector<TimeRange>& data = m_records.data[static_cast<std::size_t>(lane)];
    if (data.empty()) return;
    Absences waits(m_model.steps.size());
    for (std::size_t step = 0; step < waits.size(); ++step) {
      const std::size_t k = occurrence(step, replica);
      for (const TimedPass& pass : passes())
        if (placeOf(pass) == place)
          addWithin(waits[step], data, {m_times.ready(pass, k), m_times.rangeOf(pass.operation, k).start});
      waits[step] = unionOf(std::move(waits[step]));
    }
    const std::vector<double> shares = gainsWithout(waits, replica);
    std::vector<double> waiting;
    for (std::size_t step = 0; step < shares.size(); ++step)
      if (shares[step] >= kLeastGain) waiting.push_back(secondsIn(waits[step]));
    const std::size_t least = std::min<std::size_t>(2, shares.size());
    if (meanOf(shares) < kLeastGain || waiting.size() < least) return;
    found.data.push_back({lane, meanOf(waiting), static_cast<int>(waiting.size()), meanOf(shares)});
  }

  /// The parts of the window that the ranges cover, which are sorted and disjoint.
  static void addWithin(std::vector<TimeRange>& parts, const std::vector<TimeRange>& ranges, TimeRange window) {
    auto range = std::ranges::upper_bound(ranges, window.start, {}, &TimeRange::end);
    for (; range != ranges.end() && range->start < window.end; ++range) parts.push_back(intersection(*range, window));
  }

  void findStart(LateWaits& found, std::size_t replica, int place) const {
    const auto first = std::ranges::find_if(
        passes(), [&](const TimedPass& pass) { return placeOf(pass) == place && pass.before == kNoOperation; });
    if (first == passes().end() || (first->producer != kNoOperation && first->receive == kNoOperation)) return;
    if (!m_between) return;
    const int lane = laneAt(replica, place);
    Absences late;
    std::vector<double> seconds;
    for (std::size_t step = 0; step < m_model.steps.size(); ++step) {
      late.push_back(lateness(*first, lane, occurrence(step, replica)));
      seconds.push_back(secondsIn(late.back()));
    }
    std::vector<double> shares = gainsWithout(late, replica);
    if (boundOfMedian(shares) >= kLeastGain) {
      found.starts.push_back({lane, medianOf(seconds), medianOf(std::move(shares)), std::nullopt});
    } else if (shares.front() > 1) {
      found.starts.push_back({lane, seconds.front(), shares.front(), m_model.steps.front()});
    }
  }

  /// From when the first pass has what it needs of others until its lane asks for it, without waits for data, beyond
  /// what ranks usually need between two steps.
  std::vector<TimeRange> lateness(const TimedPass& first, int lane, std::size_t k) const {
    TimeRange late{m_times.laneReady(first, k), m_times.rangeOf(first.operation, k).start};
    if (first.producer != kNoOperation) {
      const Nanoseconds sent = first.send == kNoOperation ? m_times.rangeOf(passes()[first.producer].operation, k).end
                                                          : m_times.rangeOf(first.send, k).start;
      late = {std::max(late.start, sent), m_times.rangeOf(first.receive, k).start};
    }
    late.start += static_cast<Nanoseconds>(*m_between / kNanosecond);
    std::vector<TimeRange> parts;
    const std::vector<TimeRange>& data = m_records.data[static_cast<std::size_t>(lane)];
    auto wait = std::ranges::upper_bound(data, late.start, {}, &TimeRange::end);
    for (; wait != data.end() && wait->start < late.end; ++wait) {
      parts.push_back({late.start, wait->start});
      late.start = wait->end;
    }
    parts.push_back(late);
    return unionOf(std::move(parts));
  }

  /// What ranks usually do from their last operation of a step to the begin of the next; nothing without its marks.
  std::optional<double> betweenSteps() const {
    std::vector<double> times;
    for (std::size_t step = 1; step < m_model.steps.size(); ++step) {
      if (m_model.steps[step] != m_model.steps[step - 1] + 1) continue;
      for (const TimedPass& pass : passes()) {
        if (pass.before != kNoOperation) continue;
        for (std::size_t replica = 0; replica < m_model.replicas(); ++replica) {
          const auto& marks = m_records.step_marks[static_cast<std::size_t>(laneAt(replica, placeOf(pass)))];
          const auto mark = marks.find(m_model.steps[step]);
          if (mark == marks.end()) return std::nullopt;
          const Nanoseconds done = m_times.laneReady(pass, occurrence(step, replica));
          times.push_back(secondsOf(std::max<Nanoseconds>(0, mark->second - done)));
        }
      }
    }
    return times.empty() ? std::nullopt : std::optional(lowerMedian(std::move(times)));
  }

  const JobModel& m_model;
  LaneRecords m_records;
  PassTimes m_times;
  double m_step = 0;                ///< median, in seconds
  std::optional<double> m_between;  ///< betweenSteps()
};

}  // namespace

LateWaits lateWaits(const Trace& trace, const JobModel& model) { return WaitFinder(trace, model).find(); }

}  // namespace lanelab
