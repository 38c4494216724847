// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/statistics/step_profile.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "profiler/analysis/replica_lanes.h"
#include "profiler/trace/profiler_step.h"
#include "profiler/trace/step_periods.h"

namespace lanelab {

namespace {

constexpr std::size_t kProfiledBetweenStops = 65536;
constexpr std::size_t kComputed = static_cast<std::size_t>(TimePart::Compute);

/// Names of steps and of a pipeline's actions, as PyTorch annotates them: they differ from step to step, or have
/// stages.
bool marksStepOrAction(std::string_view name) { return profilerStepOf(name) || name.starts_with("PP:"); }

StepTime momentsOf(double sum, double squares, std::size_t steps) {
  StepTime time{steps > 0 ? sum / static_cast<double>(steps) : 0, 0, static_cast<int>(steps)};
  if (steps > 1) time.squared_error = squares / static_cast<double>(steps - 1) / static_cast<double>(steps);
  return time;
}

/// Numbers of steps as places in order.
class StepNumbers {
 public:
  explicit StepNumbers(std::vector<int> steps) : m_steps(std::move(steps)) {}

  std::optional<std::size_t> of(int step) const {
    if (m_steps.empty()) return 0;
    const auto found = std::ranges::lower_bound(m_steps, step);
    if (found == m_steps.end() || *found != step) return std::nullopt;
    return static_cast<std::size_t>(found - m_steps.begin());
  }
  std::size_t count() const { return std::max<std::size_t>(1, m_steps.size()); }

 private:
  std::vector<int> m_steps;
};

std::vector<int> numbersOf(const StepsOfTracks& steps) {
  std::set<int> numbers;
  for (const std::vector<StepWindow>& windows : steps.windows)
    for (const StepWindow& window : windows) numbers.insert(window.step);
  return {numbers.begin(), numbers.end()};
}

/// The step of a span: its own, or that in whose window it begins.
class StepFinder {
 public:
  StepFinder(const StepsOfTracks& steps, const StepNumbers& places) : m_steps(steps), m_places(places) {}

  std::optional<std::size_t> of(const Span& span, std::uint32_t track) const {
    if (span.step >= 0) return m_places.of(span.step);
    const std::vector<StepWindow>& windows = m_steps.windows[m_steps.of_track[track]];
    if (windows.empty()) return m_places.of(-1);
    const int step = markedStepAt(windows, span.start);
    return step < 0 ? std::nullopt : m_places.of(step);
  }

 private:
  const StepsOfTracks& m_steps;
  const StepNumbers& m_places;
};

/// Times of one name in one step.
struct NamedTime {
  std::uint32_t name;
  std::uint32_t step;
  Nanoseconds time;
};

class NameCounter {
 public:
  NameCounter(const Trace& trace, const StepFinder& finder)
      : m_trace(trace), m_finder(finder), m_rows(trace.names.size()), m_left_out(trace.names.size()) {
    m_categories.assign(trace.names.size(), Category::Other);
    m_counts.assign(trace.names.size(), 0);
    for (std::size_t name = 0; name < trace.names.size(); ++name)
      m_left_out[name] = marksStepOrAction(trace.names[name]);
  }

  void count(const CountedTimes& all, const std::stop_token& stop) {
    const SpanKeys keys(m_trace, nullptr, Grouping::Name);
    std::size_t row_number = 0, seen = 0;
    for (const CountedRow& row : countedRows(m_trace)) {
      ++row_number;
      RowWalk walk(m_trace, row, all, keys);
      while (const auto counted = walk.next()) {
        if (++seen % kProfiledBetweenStops == 0 && stop.stop_requested()) return;
        if (!m_left_out[counted->key]) add(*counted, row_number);
      }
    }
  }

  std::vector<NameProfile> profiles(std::size_t steps) const {
    std::vector<std::size_t> begins(m_counts.size() + 1, 0);
    for (std::size_t name = 0; name < m_counts.size(); ++name) begins[name + 1] = begins[name] + m_counts[name];
    std::vector<const NamedTime*> sorted(m_times.size());
    std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
    for (const NamedTime& time : m_times) sorted[next[time.name]++] = &time;
    std::vector<NameProfile> profiles;
    std::vector<double> by_step(steps);
    for (std::size_t name = 0; name < m_counts.size(); ++name) {
      if (m_counts[name] == 0) continue;
      const std::span of(sorted.data() + begins[name], m_counts[name]);
      profiles.push_back({m_trace.names[name], m_categories[name], m_counts[name], timeOf(of, by_step)});
    }
    std::ranges::stable_sort(profiles, std::greater(), [](const NameProfile& one) { return one.time.mean; });
    return profiles;
  }

 private:
  struct Row {
    std::size_t number = 0;  ///< from 1, that `covered_until` is of
    Nanoseconds covered_until = 0;
  };

  void add(const CountedSpan& counted, std::size_t row_number) {
    const Span span = m_trace.tracks[counted.track].spans[counted.index];
    if (span.category == Category::Action || span.category == Category::Transfer) return;
    const std::optional<std::size_t> step = m_finder.of(span, counted.track);
    if (!step) return;
    Row& row = m_rows[span.name];
    if (row.number != row_number) row = {row_number, span.start};
    const Nanoseconds time = std::max<Nanoseconds>(0, span.end - std::max(row.covered_until, span.start));
    row.covered_until = std::max(row.covered_until, span.end);
    if (m_counts[span.name]++ == 0) m_categories[span.name] = span.category;
    m_times.push_back({span.name, static_cast<std::uint32_t>(*step), time});
  }

  /// `by_step` is all 0, and is so again afterwards; only steps that have the name are looked at.
  static StepTime timeOf(std::span<const NamedTime* const> times, std::vector<double>& by_step) {
    double sum = 0;
    for (const NamedTime* const one : times) {
      by_step[one->step] += static_cast<double>(one->time);
      sum += static_cast<double>(one->time);
    }
    const double mean = sum / static_cast<double>(by_step.size());
    double squares = 0;
    std::size_t without = by_step.size();
    for (const NamedTime* const one : times) {
      const double taken = std::exchange(by_step[one->step], kSeen);
      if (taken == kSeen) continue;
      squares += (taken - mean) * (taken - mean);
      --without;
    }
    for (const NamedTime* const one : times) by_step[one->step] = 0;
    return momentsOf(sum, squares + static_cast<double>(without) * mean * mean, by_step.size());
  }

  static constexpr double kSeen = -1;

  const Trace& m_trace;
  const StepFinder& m_finder;
  std::vector<Row> m_rows;             ///< by name, as the next three
  std::vector<bool> m_left_out;        ///< marks of steps and actions
  std::vector<Category> m_categories;  ///< of the first span
  std::vector<std::uint64_t> m_counts;
  std::vector<NamedTime> m_times;
};

class ProfileMaker {
 public:
  ProfileMaker(const ImportedTrace& imported, const std::stop_token& stop)
      : m_imported(imported),
        m_trace(*imported.trace),
        m_stop(stop),
        m_work(lanesOfWork(m_trace, &imported)),
        m_steps(stepsOfTracks(m_trace, &imported, m_work)),
        m_places(numbersOf(m_steps)) {
    m_profile.steps = numbersOf(m_steps);
  }

  StepProfile profile() {
    const IdleCauses causes = explainIdle(m_imported);
    addLanes();
    addLengths();
    addCauses(causes);
    addStages();
    addNames();
    m_profile.shape.work = causes.work;
    m_profile.shape.lanes = static_cast<int>(m_profile.lanes.size());
    return std::move(m_profile);
  }

 private:
  /// By step, summed over lanes; how many lanes have the step.
  struct LaneSums {
    std::vector<PartTimes> parts;
    std::vector<double> windows;
    std::vector<int> lanes;
  };

  void addLanes() {
    m_sums = {std::vector<PartTimes>(m_places.count()), std::vector<double>(m_places.count()),
              std::vector<int>(m_places.count())};
    for (const LaneSteps& lane : laneTimesByStep(m_trace, &m_imported, m_work, m_steps)) {
      if (!m_places.of(lane.windows.front().step)) continue;  // its steps are not known
      addToSums(lane);
      LaneProfile of{lane.name, {}, {}, {}};
      std::vector<double> by_step(lane.windows.size());
      const auto timeOf = [&](const auto& take) {
        for (std::size_t i = 0; i < by_step.size(); ++i) by_step[i] = static_cast<double>(take(i));
        return stepTimeOf(by_step);
      };
      of.window = timeOf([&](std::size_t i) { return lane.windows[i].range.length(); });
      of.idle = timeOf([&](std::size_t i) { return lane.windows[i].range.length() - lane.parts[i][kComputed]; });
      for (std::size_t part = 0; part < kTimePartCount; ++part)
        of.parts[part] = timeOf([&](std::size_t i) { return lane.parts[i][part]; });
      m_profile.lanes.push_back(std::move(of));
    }
    for (std::size_t part = 0; part < kTimePartCount; ++part)
      m_profile.parts[part] = perLane([&](std::size_t step) { return static_cast<double>(m_sums.parts[step][part]); });
  }

  void addToSums(const LaneSteps& lane) {
    for (std::size_t i = 0; i < lane.windows.size(); ++i) {
      const std::optional<std::size_t> step = m_places.of(lane.windows[i].step);
      if (!step) continue;
      m_sums.lanes[*step] += 1;
      m_sums.windows[*step] += static_cast<double>(lane.windows[i].range.length());
      for (std::size_t part = 0; part < kTimePartCount; ++part) m_sums.parts[*step][part] += lane.parts[i][part];
    }
  }

  /// Of the mean lane, over the steps that any lane has.
  template <class SumOf>
  StepTime perLane(const SumOf& sumOf) const {
    std::vector<double> by_step;
    for (std::size_t step = 0; step < m_places.count(); ++step)
      if (m_sums.lanes[step] > 0) by_step.push_back(sumOf(step) / m_sums.lanes[step]);
    return stepTimeOf(by_step);
  }

  void addLengths() {
    if (m_steps.own) {
      for (const Nanoseconds step : stepPeriods(m_trace)) m_profile.lengths.push_back(static_cast<double>(step));
      return;
    }
    for (std::size_t step = 0; step < m_places.count(); ++step)
      if (m_sums.lanes[step] > 0) m_profile.lengths.push_back(m_sums.windows[step] / m_sums.lanes[step]);
  }

  void addCauses(const IdleCauses& causes) {
    std::vector<CauseTimes> by_step(m_places.count());
    int lanes = 0;
    for (const LaneCauses& lane : causes.lanes) {
      lanes += lane.hasWork() ? 1 : 0;
      for (const ExplainedGap& gap : lane.gaps)
        if (const auto step = lane.hasWork() ? m_places.of(gap.step) : std::nullopt)
          by_step[*step] += lane.causesOf(gap);
    }
    if (lanes == 0) return;
    const auto timeOf = [&](const auto& take) {
      std::vector<double> times;
      for (const CauseTimes& step : by_step) times.push_back(static_cast<double>(take(step)) / lanes);
      return stepTimeOf(times);
    };
    for (std::size_t cause = 0; cause < kCauseCount; ++cause)
      m_profile.causes[cause] = timeOf([&](const CauseTimes& step) { return step.times[cause]; });
    m_profile.idle = timeOf([](const CauseTimes& step) { return step.total(); });
  }

  void addStages() {
    struct Sum {
      std::size_t count = 0;
      std::vector<double> by_step = {};
    };
    std::map<std::pair<int, Phase>, Sum> sums;
    std::set<int> stages, micro_batches;
    for (const Track& track : m_trace.tracks) {
      if (m_trace.laneAt(track.lane) == nullptr) continue;
      for (std::size_t i = 0; i < track.spans.size();) {
        const Span span = track.spans[i];
        const bool action = span.category == Category::Action && span.phase != Phase::None;
        i = action ? i + 1 : track.spans.categoryEnd(i);
        const auto step = action && span.step >= 0 ? m_places.of(span.step) : std::nullopt;
        if (!step) continue;
        Sum& sum = sums[{span.stage, span.phase}];
        sum.by_step.resize(m_places.count());
        sum.by_step[*step] += static_cast<double>(span.range().length());
        ++sum.count;
        if (span.phase == Phase::Update) continue;
        stages.insert(span.stage);
        micro_batches.insert(span.micro_batch);
      }
    }
    for (const auto& [key, sum] : sums)
      m_profile.stages.push_back({key.first, key.second,
                                  static_cast<double>(sum.count) / static_cast<double>(m_places.count()),
                                  stepTimeOf(sum.by_step)});
    addShape(stages, micro_batches);
  }

  void addShape(const std::set<int>& stages, const std::set<int>& micro_batches) {
    if (stages.empty()) return;
    const std::vector<int> replicas = replicasOfLanes(m_trace);
    JobShape& shape = m_profile.shape;
    shape.replicas = replicas.empty() ? 1 : *std::ranges::max_element(replicas) + 1;
    shape.stages = static_cast<int>(stages.size());
    shape.micro_batches = static_cast<int>(micro_batches.size()) / std::max(1, shape.replicas);
  }

  void addNames() {
    CountedTimes all;
    all.tracks.assign(m_trace.tracks.size(), {m_trace.range().start, m_trace.range().end + 1});
    const StepFinder finder(m_steps, m_places);
    NameCounter counter(m_trace, finder);
    counter.count(all, m_stop);
    m_profile.names = counter.profiles(m_places.count());
  }

  const ImportedTrace& m_imported;
  const Trace& m_trace;
  const std::stop_token& m_stop;
  LanesOfWork m_work;
  StepsOfTracks m_steps;
  StepNumbers m_places;
  LaneSums m_sums;
  StepProfile m_profile;
};

}  // namespace

StepTime stepTimeOf(const std::vector<double>& by_step) {
  double sum = 0, squares = 0;
  for (const double time : by_step) sum += time;
  const double mean = by_step.empty() ? 0 : sum / static_cast<double>(by_step.size());
  for (const double time : by_step) squares += (time - mean) * (time - mean);
  return momentsOf(sum, squares, by_step.size());
}

StepProfile stepProfile(const ImportedTrace& imported, const std::stop_token& stop) {
  return ProfileMaker(imported, stop).profile();
}

}  // namespace lanelab
