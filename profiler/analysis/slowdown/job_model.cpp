// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/slowdown/job_model.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "profiler/analysis/replica_lanes.h"
#include "profiler/analysis/slowdown/job_order.h"

namespace lanelab {

namespace {

using Role = JobOperation::Role;

/// Transfers that end further before their last peer began are taken as no time at all, others as they are.
constexpr double kClocks = 1e-2;

/// An operation of one lane in one step.
struct Occurred {
  Role role = Role::Local;
  std::uint32_t type = 0;
  Span span;
};

/// By step; of a step in order of type, then start.
using LaneOperations = std::map<int, std::vector<Occurred>>;

/// Names of operations: the trace's own where all of a kind have one, else a word for the kind.
class TypeNames {
 public:
  explicit TypeNames(const Trace& trace) : m_trace(trace) {
    for (const Track& track : trace.tracks)
      for (const Span& span : track.spans)
        if (span.category == Category::Action || span.category == Category::Transfer)
          m_names[{span.category, span.phase}].insert(span.name);
  }

  std::string of(Role role, const Span& span) const {
    if (role == Role::Collective || role == Role::Local) return m_trace.nameOf(span);
    const bool moves = role != Role::Pass && role != Role::Update;
    const auto& names = m_names.at({span.category, span.phase});
    if (names.size() <= (moves ? 2U : 1U)) return m_trace.nameOf(span);
    return std::string(wordOf(span.phase)) + (role == Role::Send      ? "-send"
                                              : role == Role::Receive ? "-recv"
                                              : moves                 ? "-transfer"
                                                                      : "");
  }

 private:
  static std::string_view wordOf(Phase phase) {
    constexpr std::string_view kWords[] = {"other",          "forward",         "backward",
                                           "backward-input", "backward-weight", "update"};
    return kWords[static_cast<std::size_t>(phase)];
  }

  const Trace& m_trace;
  std::map<std::pair<Category, Phase>, std::set<std::uint32_t>> m_names;
};

class ModelReader {
 public:
  explicit ModelReader(const Trace& trace) : m_trace(trace), m_names(trace), m_lanes(trace.lanes.size()) {}

  std::optional<JobModel> read() {
    findStages();
    if (!placeLanes()) return std::nullopt;
    for (const Track& track : m_trace.tracks) readTrack(track);
    for (LaneOperations& lane : m_lanes) sortLane(lane);
    chooseSteps();
    if (m_model.steps.empty()) return std::nullopt;
    describeOperations();
    orderOperations(m_model);
    measure();
    return std::move(m_model);
  }

 private:
  /// The stages of each lane, by its passes.
  void findStages() {
    m_stages.resize(m_lanes.size());
    for (const Track& track : m_trace.tracks) {
      if (track.kind != Track::Kind::Compute || m_trace.laneAt(track.lane) == nullptr) continue;
      for (const Span& span : track.spans)
        if (isPass(span)) m_stages[static_cast<std::size_t>(track.lane)].insert(span.stage);
    }
  }

  static bool isPass(const Span& span) {
    return span.category == Category::Action && span.stage >= 0 && span.micro_batch >= 0 &&
           span.phase != Phase::Update && span.phase != Phase::None;
  }

  /// False where the replicas have not the same lanes.
  bool placeLanes() {
    const std::vector<int> replica_of = replicasOfLanes(m_trace);
    std::map<int, std::vector<int>> lanes;
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane)
      if (!m_stages[lane].empty()) lanes[replica_of.empty() ? 0 : replica_of[lane]].push_back(static_cast<int>(lane));
    if (lanes.empty()) return false;
    const auto stages = [this](int lane) -> const std::set<int>& { return m_stages[static_cast<std::size_t>(lane)]; };
    for (auto& [replica, own] : lanes) {
      std::ranges::stable_sort(own, {}, [&](int lane) { return *stages(lane).begin(); });
      if (own.size() != lanes.begin()->second.size()) return false;
      m_model.lanes.push_back(own);
    }
    m_place_of.assign(m_lanes.size(), -1);
    for (const std::vector<int>& own : m_model.lanes)
      for (std::size_t place = 0; place < own.size(); ++place)
        m_place_of[static_cast<std::size_t>(own[place])] = static_cast<int>(place);
    rankPlaces(stages);
    return m_model.lanes.size() * m_model.lanes.front().size() > 1;
  }

  template <class Stages>
  void rankPlaces(const Stages& stages) {
    std::map<int, int> ranks;
    for (const int lane : m_model.lanes.front()) ranks.emplace(*stages(lane).begin(), 0);
    int next = 0;
    for (auto& [stage, rank] : ranks) rank = next++;
    for (const int lane : m_model.lanes.front()) m_model.pipeline_rank.push_back(ranks.at(*stages(lane).begin()));
  }

  void readTrack(const Track& track) {
    if (m_trace.laneAt(track.lane) == nullptr || m_place_of[static_cast<std::size_t>(track.lane)] < 0) return;
    LaneOperations& lane = m_lanes[static_cast<std::size_t>(track.lane)];
    for (const Span& span : track.spans)
      if (const auto role = roleOf(track, span); role && span.step >= 0)
        lane[span.step].push_back({*role, typeOf(*role, span), span});
  }

  std::optional<Role> roleOf(const Track& track, const Span& span) const {
    switch (span.category) {
      case Category::Action:
        if (span.phase == Phase::Update) return Role::Update;
        return isPass(span) ? std::optional(Role::Pass) : std::nullopt;
      case Category::Transfer: return moveOf(track, span);
      case Category::Communication: return span.stage >= 0 ? std::optional(Role::Collective) : std::nullopt;
      case Category::Host: return track.kind == Track::Kind::Compute ? std::optional(Role::Local) : std::nullopt;
      default: return std::nullopt;
    }
  }

  /// Traces of our own lanes have one span for both ends, on the lane that sends.
  Role moveOf(const Track& track, const Span& span) const {
    const std::string& name = m_trace.nameOf(span);
    if (name.find("recv") != std::string::npos || name.find("RECV") != std::string::npos) return Role::Receive;
    if (name.find("send") != std::string::npos || name.find("SEND") != std::string::npos) return Role::Send;
    return m_stages[static_cast<std::size_t>(track.lane)].contains(span.stage) ? Role::Transfer : Role::Receive;
  }

  std::uint32_t typeOf(Role role, const Span& span) {
    const auto key = std::tuple(role, span.phase, role == Role::Pass || role == Role::Update ? 0 : span.name);
    const auto known = m_types.find(key);
    if (known != m_types.end()) return known->second;
    const std::string name = m_names.of(role, span);
    const auto [type, is_new] = m_type_names.try_emplace(name, static_cast<std::uint32_t>(m_model.types.size()));
    if (is_new) m_model.types.push_back({name, role != Role::Pass && role != Role::Update && role != Role::Local});
    m_types.emplace(key, type->second);
    return type->second;
  }

  static void sortLane(LaneOperations& lane) {
    for (auto& [step, operations] : lane)
      std::ranges::stable_sort(operations, {}, [](const Occurred& one) { return std::pair(one.type, one.span.start); });
  }

  const std::vector<Occurred>& operationsOf(int lane, int step) const {
    static const std::vector<Occurred> none;
    const LaneOperations& of = m_lanes[static_cast<std::size_t>(lane)];
    const auto found = of.find(step);
    return found == of.end() ? none : found->second;
  }

  /// The types of a replica's operations, lane by lane; kNextLane between lanes.
  std::vector<std::uint32_t> typesIn(const std::vector<int>& lanes, int step) const {
    constexpr std::uint32_t kNextLane = 0xFFFFFFFF;
    std::vector<std::uint32_t> types;
    for (const int lane : lanes) {
      for (const Occurred& one : operationsOf(lane, step)) types.push_back(one.type);
      types.push_back(kNextLane);
    }
    return types;
  }

  /// The steps whose replicas all have the operations that most steps have.
  void chooseSteps() {
    std::set<int> numbers;
    for (const LaneOperations& lane : m_lanes)
      for (const auto& [step, operations] : lane) numbers.insert(step);
    std::map<std::vector<std::uint32_t>, std::vector<int>> alike;
    for (const int step : numbers) {
      const std::vector<std::uint32_t> types = typesIn(m_model.lanes.front(), step);
      const bool same = std::ranges::all_of(
          m_model.lanes, [&](const std::vector<int>& lanes) { return typesIn(lanes, step) == types; });
      if (same) alike[types].push_back(step);
    }
    for (const auto& [types, steps] : alike)
      if (steps.size() > m_model.steps.size() ||
          (steps.size() == m_model.steps.size() && steps.front() < m_model.steps.front()))
        m_model.steps = steps;
    std::ranges::set_difference(numbers, m_model.steps, std::back_inserter(m_model.skipped_steps));
  }

  /// As the first step of the first replica has them.
  void describeOperations() {
    std::set<int> micro_batches;
    for (const int lane : m_model.lanes.front())
      for (const Occurred& one : operationsOf(lane, m_model.steps.front()))
        if (one.role == Role::Pass) micro_batches.insert(one.span.micro_batch);
    const int first = micro_batches.empty() ? 0 : *micro_batches.begin();
    for (std::size_t place = 0; place < m_model.lanes.front().size(); ++place) {
      std::map<std::uint32_t, int> ordinals;
      for (const Occurred& one : operationsOf(m_model.lanes.front()[place], m_model.steps.front()))
        m_model.operations.push_back({one.role, one.span.phase, one.type, static_cast<int>(place), ordinals[one.type]++,
                                      one.span.stage, one.span.micro_batch < 0 ? -1 : one.span.micro_batch - first,
                                      one.span.range()});
    }
  }

  /// The spans of one occurrence, in the order of the operations.
  std::vector<TimeRange> rangesIn(const std::vector<int>& lanes, int step) const {
    std::vector<TimeRange> ranges;
    ranges.reserve(m_model.operations.size());
    for (const int lane : lanes)
      for (const Occurred& one : operationsOf(lane, step)) ranges.push_back(one.span.range());
    return ranges;
  }

  void measure() {
    m_model.lengths.resize(m_model.operations.size() * m_model.occurrences());
    m_model.ranges.resize(m_model.lengths.size());
    for (std::size_t step = 0; step < m_model.steps.size(); ++step) {
      std::vector<std::vector<TimeRange>> ranges;
      TimeRange whole{kLatest, -kLatest};
      for (const std::vector<int>& lanes : m_model.lanes) ranges.push_back(rangesIn(lanes, m_model.steps[step]));
      for (std::size_t replica = 0; replica < ranges.size(); ++replica) {
        for (std::size_t i = 0; i < ranges[replica].size(); ++i) {
          whole = hullOf(whole, ranges[replica][i]);
          lengthOf(i, step, replica) = static_cast<double>(ranges[replica][i].length()) * kNanosecond;
          m_model.ranges[m_model.at(i, step * m_model.replicas() + replica)] = ranges[replica][i];
        }
      }
      m_model.measured_steps.push_back(static_cast<double>(whole.length()) * kNanosecond);
      for (const JobGroup& group : m_model.groups) measureGroup(group, step, ranges);
    }
  }

  double& lengthOf(std::size_t operation, std::size_t step, std::size_t replica) {
    return m_model.lengths[m_model.at(operation, step * m_model.replicas() + replica)];
  }

  void measureGroup(const JobGroup& group, std::size_t step, const std::vector<std::vector<TimeRange>>& ranges) {
    std::vector<Nanoseconds> begins(ranges.size(), -kLatest);
    for (std::size_t replica = 0; replica < ranges.size(); ++replica)
      for (const std::uint32_t member : group.members)
        begins[replica] = std::max(begins[replica], ranges[replica][member].start);
    if (group.over_replicas) begins.assign(begins.size(), *std::ranges::max_element(begins));
    for (std::size_t replica = 0; replica < ranges.size(); ++replica) {
      for (const std::uint32_t member : group.members) {
        const double length = static_cast<double>(ranges[replica][member].end - begins[replica]) * kNanosecond;
        lengthOf(member, step, replica) = length <= -kClocks ? 0 : length;
      }
    }
  }

  static constexpr Nanoseconds kLatest = std::int64_t{1} << 62;

  const Trace& m_trace;
  TypeNames m_names;
  JobModel m_model;
  std::vector<LaneOperations> m_lanes;  ///< by lane of the trace
  std::vector<std::set<int>> m_stages;  ///< by lane of the trace
  std::vector<int> m_place_of;          ///< by lane of the trace; -1 without passes
  std::map<std::tuple<Role, Phase, std::uint32_t>, std::uint32_t> m_types;
  std::map<std::string, std::uint32_t> m_type_names;
};

}  // namespace

std::optional<JobModel> jobModelOf(const Trace& trace) { return ModelReader(trace).read(); }

}  // namespace lanelab
