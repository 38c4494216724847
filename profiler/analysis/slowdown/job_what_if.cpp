// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/slowdown/job_what_if.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "profiler/analysis/slowdown/job_replay.h"

namespace lanelab {

namespace {

using Role = JobOperation::Role;

bool isMove(const JobOperation& operation) {
  return operation.role == Role::Send || operation.role == Role::Receive || operation.role == Role::Transfer;
}

/// The boundary that a transfer crosses: that of the lower stage.
int boundaryOf(const JobOperation& move) { return isBackward(move.phase) ? move.stage - 1 : move.stage; }

/// By place.
std::vector<std::set<int>> stagesOfPlaces(const JobModel& model) {
  std::vector<std::set<int>> stages(model.pipeline_rank.size());
  for (const JobOperation& operation : model.operations)
    if (operation.role == Role::Pass) stages[static_cast<std::size_t>(operation.place)].insert(operation.stage);
  return stages;
}

int laneAt(const JobModel& model, std::size_t operation, std::size_t occurrence) {
  const auto place = static_cast<std::size_t>(model.operations[operation].place);
  return model.lanes[occurrence % model.replicas()][place];
}

/// How much longer each operation takes.
class JobFactors {
 public:
  JobFactors(const JobModel& model, const WhatIf& factors)
      : m_model(model), m_factors(factors), m_stages(stagesOfPlaces(model)) {
    m_of_operation.reserve(model.operations.size());
    for (const JobOperation& operation : model.operations) m_of_operation.push_back(common(operation));
  }

  double of(std::size_t operation, std::size_t occurrence) const {
    const Role role = m_model.operations[operation].role;
    const bool works = role == Role::Pass || role == Role::Update || role == Role::Local;
    if (!works || m_factors.ranks.empty()) return m_of_operation[operation];
    return m_of_operation[operation] * at(m_factors.ranks, laneAt(m_model, operation, occurrence));
  }

 private:
  static double at(const std::map<int, double>& factors, int key) {
    const auto found = factors.find(key);
    return found == factors.end() ? 1 : found->second;
  }

  /// On all lanes.
  double common(const JobOperation& operation) const {
    if (operation.role == Role::Pass) return at(m_factors.stages, operation.stage);
    if (isMove(operation)) return at(m_factors.links, boundaryOf(operation));
    const std::set<int>& stages = m_stages[static_cast<std::size_t>(operation.place)];
    return operation.role == Role::Update && stages.size() == 1 ? at(m_factors.stages, *stages.begin()) : 1;
  }

  const JobModel& m_model;
  const WhatIf& m_factors;
  std::vector<std::set<int>> m_stages;
  std::vector<double> m_of_operation;
};

Nanoseconds nanoseconds(double seconds) { return std::llround(seconds * 1e9); }

class ReplayWriter {
 public:
  ReplayWriter(const Trace& recorded, const JobModel& model, const ReplayedJob& replayed)
      : m_model(model), m_replayed(replayed), m_arrival_of(model.operations.size(), kNone) {
    m_trace.title = recorded.title;
    m_trace.origin = Origin::Replayed;
    m_trace.lanes = recorded.lanes;
    constexpr std::pair<Track::Kind, const char*> kRows[kRowsOfLane] = {
        {Track::Kind::Compute, "actions"}, {Track::Kind::Transfer, "transfers"}, {Track::Kind::Host, "communication"}};
    for (int lane = 0; lane < static_cast<int>(m_trace.lanes.size()); ++lane)
      for (const auto& [kind, name] : kRows) m_trace.tracks.push_back({lane, kind, name, {}});
    findArrivals();
    countMicroBatches();
  }

  Trace written() {
    Track steps{0, Track::Kind::Step, "steps", {}};
    Nanoseconds begin = 0;
    for (std::size_t step = 0; step < m_model.steps.size(); ++step) {
      for (std::size_t i = 0; i < m_model.operations.size(); ++i)
        for (std::size_t replica = 0; replica < m_model.replicas(); ++replica) add(i, step, replica, begin);
      const Nanoseconds end = begin + nanoseconds(m_replayed.steps[step]);
      Span span = spanOf(Category::Step, "step " + std::to_string(m_model.steps[step]), {begin, end}, step);
      span.mark = begin;
      steps.spans.push_back(span);
      begin = end;
    }
    m_trace.tracks.push_back(std::move(steps));
    for (Track& track : m_trace.tracks) track.spans.sort();
    return std::move(m_trace);
  }

 private:
  static constexpr std::size_t kRowsOfLane = 3;
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  /// A send and its receive are one transfer.
  void findArrivals() {
    for (const JobGroup& group : m_model.groups) {
      std::uint32_t send = kNone, receive = kNone;
      for (const std::uint32_t member : group.members) {
        if (m_model.operations[member].role == Role::Send) send = member;
        if (m_model.operations[member].role == Role::Receive) receive = member;
      }
      if (send == kNone || receive == kNone) continue;
      m_arrival_of[send] = receive;
      m_arrival_of[receive] = receive;
    }
  }

  void countMicroBatches() {
    for (const JobOperation& operation : m_model.operations)
      m_micro_batches = std::max(m_micro_batches, operation.micro_batch + 1);
  }

  Span spanOf(Category category, const std::string& name, TimeRange range, std::size_t step) {
    const auto [known, is_new] = m_names.try_emplace(name, static_cast<std::uint32_t>(m_trace.names.size()));
    if (is_new) m_trace.names.push_back(name);
    Span span;
    span.start = range.start;
    span.end = std::max(range.start, range.end);
    span.name = known->second;
    span.step = m_model.steps[step];
    span.category = category;
    return span;
  }

  void add(std::size_t i, std::size_t step, std::size_t replica, Nanoseconds begin) {
    const JobOperation& operation = m_model.operations[i];
    const std::uint32_t arrival = m_arrival_of[i];
    if (operation.role == Role::Receive && arrival != kNone) return;
    const std::size_t occurrence = step * m_model.replicas() + replica;
    const bool collective = operation.role == Role::Collective, local = operation.role == Role::Local;
    // The wait for the others is a part of a collective, as in recorded traces.
    const std::vector<double>& starts = collective ? m_replayed.begins : m_replayed.starts;
    const TimeRange range{begin + nanoseconds(starts[m_model.at(i, occurrence)]),
                          begin + nanoseconds(m_replayed.ends[m_model.at(arrival == kNone ? i : arrival, occurrence)])};
    Span span = collective || local ? spanOf(collective ? Category::Communication : Category::Host,
                                             m_model.types[operation.type].name, range, step)
                                    : actionOf(operation, static_cast<int>(replica), range, step);
    const std::size_t row = collective ? 2 : isMove(operation) ? 1 : 0;
    const auto lane = static_cast<std::size_t>(laneAt(m_model, i, occurrence));
    m_trace.tracks[lane * kRowsOfLane + row].spans.push_back(span);
  }

  /// Replicas have micro-batches of their own, as in traces of jobs.
  Span actionOf(const JobOperation& operation, int replica, TimeRange range, std::size_t step) {
    const bool numbered = operation.micro_batch >= 0;
    const int micro_batch = numbered ? operation.micro_batch + replica * m_micro_batches : -1;
    const std::string id = std::to_string(operation.stage) + letterOf(operation.phase) +
                           (numbered && operation.role != Role::Update ? std::to_string(micro_batch) : "");
    Span span = isMove(operation) ? spanOf(Category::Transfer, "send " + id, range, step)
                                  : spanOf(Category::Action, id, range, step);
    span.stage = static_cast<std::int16_t>(operation.stage);
    span.micro_batch = static_cast<std::int16_t>(micro_batch);
    span.phase = operation.phase;
    return span;
  }

  const JobModel& m_model;
  const ReplayedJob& m_replayed;
  Trace m_trace;
  std::map<std::string, std::uint32_t> m_names;
  std::vector<std::uint32_t> m_arrival_of;  ///< by operation; kNone: it has no peer
  int m_micro_batches = 0;
};

}  // namespace

double ReplayedJob::meanStep() const {
  return steps.empty() ? 0 : std::accumulate(steps.begin(), steps.end(), 0.0) / static_cast<double>(steps.size());
}

std::optional<ReplayedJob> replayJob(const JobModel& model, const WhatIf& factors) {
  std::optional<JobReplay> replay = JobReplay::of(model);
  if (!replay) return std::nullopt;
  const JobFactors factor_of(model, factors);
  const auto length = [&](std::size_t i, std::size_t k) { return model.lengths[model.at(i, k)] * factor_of.of(i, k); };
  ReplayedJob replayed;
  replayed.steps = replay->steps(length);
  replayed.begins = replay->starts();
  replayed.ends = replay->ends();
  replayed.starts.resize(replayed.ends.size());
  for (std::size_t i = 0; i < model.operations.size(); ++i)
    for (std::size_t k = 0; k < model.occurrences(); ++k)
      replayed.starts[model.at(i, k)] = replayed.ends[model.at(i, k)] - length(i, k);
  return replayed;
}

std::string unknownName(const JobModel& model, const WhatIf& factors) {
  std::set<int> stages, ranks, links;
  for (const JobOperation& operation : model.operations) {
    if (operation.role == Role::Pass) stages.insert(operation.stage);
    if (isMove(operation) && operation.micro_batch >= 0) links.insert(boundaryOf(operation));
  }
  for (const std::vector<int>& replica : model.lanes) ranks.insert(replica.begin(), replica.end());
  for (const auto& [word, named, known] :
       {std::tuple("stage ", &factors.stages, &stages), std::tuple("rank ", &factors.ranks, &ranks),
        std::tuple("link ", &factors.links, &links)})
    for (const auto& [number, factor] : *named)
      if (!known->contains(number)) return word + std::to_string(number);
  return {};
}

Trace replayedTrace(const Trace& recorded, const JobModel& model, const ReplayedJob& replayed) {
  return ReplayWriter(recorded, model, replayed).written();
}

}  // namespace lanelab
