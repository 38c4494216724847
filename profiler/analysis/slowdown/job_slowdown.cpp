// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/slowdown/job_slowdown.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "base/quantile.h"
#include "profiler/analysis/slowdown/job_model.h"
#include "profiler/analysis/slowdown/job_replay.h"
#include "profiler/analysis/slowdown/step_bound.h"

namespace lanelab {

namespace {

using Role = JobOperation::Role;

/// Below it there is no slowdown to have parts of.
constexpr double kLeastSlowdown = 1e-6;
constexpr std::size_t kWorkerPercent = 3;  ///< of the lanes, as in the paper
/// Of operations in all replays: a job of 512 ranks has a tenth of it, and takes seconds.
constexpr double kMostCost = 4e9;

/// There is a replay for each kind of operation, and two for each replica and stage.
double replayCost(const JobModel& model) {
  const std::size_t replays = model.types.size() + 2 * (model.replicas() + model.pipeline_rank.size());
  return static_cast<double>(replays) * static_cast<double>(model.lengths.size());
}

/// By operation type.
std::vector<double> idealLengths(const JobModel& model) {
  std::vector<std::vector<double>> lengths(model.types.size());
  for (std::size_t i = 0; i < model.operations.size(); ++i)
    for (std::size_t k = 0; k < model.occurrences(); ++k)
      lengths[model.operations[i].type].push_back(model.lengths[model.at(i, k)]);
  std::vector<double> ideal;
  for (std::size_t type = 0; type < lengths.size(); ++type) {
    const std::vector<double>& all = lengths[type];
    const double sum = std::accumulate(all.begin(), all.end(), 0.0);
    ideal.push_back(all.empty()                      ? 0
                    : model.types[type].communicates ? medianOf(all)
                                                     : sum / static_cast<double>(all.size()));
  }
  return ideal;
}

/// What a kind of operation is called where sends and receives count together.
std::string labelOf(const JobModel& model, const JobOperation& operation) {
  const bool moves =
      operation.role == Role::Send || operation.role == Role::Receive || operation.role == Role::Transfer;
  if (!moves) return model.types[operation.type].name;
  return isBackward(operation.phase) ? "backward-pp-comm" : "forward-pp-comm";
}

class Attribution {
 public:
  Attribution(const JobModel& model, JobReplay replay)
      : m_model(model), m_replay(std::move(replay)), m_ideal(idealLengths(model)) {}

  JobSlowdown find() {
    JobSlowdown found;
    found.measured_step = std::accumulate(m_model.measured_steps.begin(), m_model.measured_steps.end(), 0.0) /
                          static_cast<double>(m_model.steps.size());
    const std::vector<double> steps = m_replay.steps([this](std::size_t i, std::size_t k) { return own(i, k); });
    found.step = std::accumulate(steps.begin(), steps.end(), 0.0) / static_cast<double>(steps.size());
    found.ideal_step = m_replay.meanStep([this](std::size_t i, std::size_t) { return ideal(i); });
    if (found.ideal_step <= 0) return found;
    for (std::size_t step = 0; step < steps.size(); ++step)
      found.by_step.emplace_back(m_model.steps[step], steps[step] / found.ideal_step);
    findOperations(found);
    findStages(found);
    findReplicas(found);
    findRanks(found);
    findExcess(found);
    if (found.step - found.ideal_step > kLeastSlowdown * found.ideal_step) findShares(found);
    found.skipped_steps = m_model.skipped_steps;
    return found;
  }

 private:
  double own(std::size_t i, std::size_t k) const { return m_model.lengths[m_model.at(i, k)]; }
  double ideal(std::size_t i) const { return m_ideal[m_model.operations[i].type]; }
  int rankOf(std::size_t i) const {
    return m_model.pipeline_rank[static_cast<std::size_t>(m_model.operations[i].place)];
  }

  /// Of a step where only the chosen operations have their own lengths.
  template <class Chosen>
  double slowdownOf(const JobSlowdown& found, const Chosen& chosen) {
    return m_replay.meanStep([&](std::size_t i, std::size_t k) { return chosen(i, k) ? own(i, k) : ideal(i); }) /
           found.ideal_step;
  }
  /// Of the slowdown, what goes if the chosen operations are ideal.
  template <class Chosen>
  double goneWith(const JobSlowdown& found, const Chosen& chosen) {
    const double without =
        m_replay.meanStep([&](std::size_t i, std::size_t k) { return chosen(i, k) ? ideal(i) : own(i, k); });
    return (found.step - without) / (found.step - found.ideal_step);
  }

  void findOperations(JobSlowdown& found) {
    std::vector<std::string> labels;
    for (const JobOperation& operation : m_model.operations) labels.push_back(labelOf(m_model, operation));
    for (const std::string& label : std::set<std::string>(labels.begin(), labels.end()))
      found.by_operation.emplace_back(
          label, slowdownOf(found, [&](std::size_t i, std::size_t) { return labels[i] == label; }));
    std::ranges::stable_sort(found.by_operation, std::greater(), [](const auto& one) { return one.second; });
  }

  void findStages(JobSlowdown& found) {
    const int last = *std::ranges::max_element(m_model.pipeline_rank);
    for (int rank = 0; rank <= last; ++rank)
      found.by_stage.push_back(slowdownOf(found, [&](std::size_t i, std::size_t) { return rankOf(i) == rank; }));
  }

  void findReplicas(JobSlowdown& found) {
    for (std::size_t replica = 0; replica < m_model.replicas(); ++replica)
      found.by_replica.push_back(
          slowdownOf(found, [&](std::size_t, std::size_t k) { return k % m_model.replicas() == replica; }));
  }

  void findRanks(JobSlowdown& found) const {
    for (std::size_t replica = 0; replica < m_model.replicas(); ++replica)
      for (std::size_t place = 0; place < m_model.pipeline_rank.size(); ++place)
        found.by_rank.emplace_back(m_model.lanes[replica][place],
                                   std::min(found.by_replica[replica],
                                            found.by_stage[static_cast<std::size_t>(m_model.pipeline_rank[place])]));
    std::ranges::sort(found.by_rank);
  }

  void findShares(JobSlowdown& found) {
    for (int rank = 0; rank < static_cast<int>(found.by_stage.size()); ++rank)
      found.stage_shares.push_back(goneWith(found, [&](std::size_t i, std::size_t) { return rankOf(i) == rank; }));
    std::vector<std::pair<int, double>> slowest = found.by_rank;
    std::ranges::stable_sort(slowest, std::greater(), [](const auto& one) { return one.second; });
    slowest.resize((slowest.size() * kWorkerPercent + 99) / 100);
    std::set<int> lanes;
    for (const auto& [lane, slowdown] : slowest) lanes.insert(lane);
    found.worker_share = goneWith(found, [&](std::size_t i, std::size_t k) { return lanes.contains(laneOf(i, k)); });
    for (std::size_t replica = 0; m_model.replicas() > 1 && replica < m_model.replicas(); ++replica)
      found.replica_shares.push_back(
          goneWith(found, [&](std::size_t, std::size_t k) { return k % m_model.replicas() == replica; }));
    findSlowLanes(found);
    findLengths(found);
  }

  /// As many as for the share of workers, by their passes alone, so that a stall elsewhere does not choose them.
  void findSlowLanes(JobSlowdown& found) {
    std::vector<std::pair<int, double>> slowest = found.rank_excess;
    std::ranges::stable_sort(slowest, std::greater(), [](const auto& one) { return one.second; });
    slowest.resize((slowest.size() * kWorkerPercent + 99) / 100);
    std::set<int> lanes;
    for (const auto& [lane, excess] : slowest)
      if (excess >= kLeastExcess) lanes.insert(lane);
    if (lanes.empty()) return;
    found.slow_lanes.assign(lanes.begin(), lanes.end());
    found.slow_lanes_share =
        goneWith(found, [&](std::size_t i, std::size_t k) { return lanes.contains(laneOf(i, k)); });
  }

  int laneOf(std::size_t i, std::size_t k) const {
    return m_model.lanes[k % m_model.replicas()][static_cast<std::size_t>(m_model.operations[i].place)];
  }

  bool isPass(std::size_t i) const { return m_model.operations[i].role == Role::Pass; }

  /// By operation and replica, the mean of the passes of its stage and phase on the lane.
  std::vector<double> laneMeans() const {
    std::map<std::tuple<std::size_t, int, Phase>, std::pair<double, double>> sums;
    const auto keyOf = [this](std::size_t i, std::size_t replica) {
      return std::tuple(replica, m_model.operations[i].stage, m_model.operations[i].phase);
    };
    for (std::size_t i = 0; i < m_model.operations.size(); ++i) {
      for (std::size_t k = 0; isPass(i) && k < m_model.occurrences(); ++k) {
        auto& [sum, count] = sums[keyOf(i, k % m_model.replicas())];
        sum += own(i, k);
        count += 1;
      }
    }
    std::vector<double> means(m_model.operations.size() * m_model.replicas());
    for (std::size_t i = 0; i < m_model.operations.size(); ++i)
      for (std::size_t replica = 0; isPass(i) && replica < m_model.replicas(); ++replica)
        means[i * m_model.replicas() + replica] = sums[keyOf(i, replica)].first / sums[keyOf(i, replica)].second;
    return means;
  }
  double meanAt(const std::vector<double>& means, std::size_t i, std::size_t k) const {
    return means[i * m_model.replicas() + k % m_model.replicas()];
  }

  void findLengths(JobSlowdown& found) {
    const std::vector<double> means = laneMeans();
    std::map<std::tuple<int, int>, std::pair<std::size_t, std::size_t>> passes;  // forward and backward, from 1
    for (std::size_t i = 0; i < m_model.operations.size(); ++i) {
      if (!isPass(i)) continue;
      const JobOperation& pass = m_model.operations[i];
      auto& [forward, backward] = passes[{pass.stage, pass.micro_batch}];
      if (pass.phase == Phase::Forward) forward = i + 1;
      if (isBackward(pass.phase)) backward = i + 1;
    }
    double ff = 0, bb = 0, fb = 0, count = 0;
    for (const auto& [key, both] : passes) {
      if (both.first == 0 || both.second == 0) continue;
      for (std::size_t k = 0; k < m_model.occurrences(); ++k) {
        const double f = relative(both.first - 1, k, means), b = relative(both.second - 1, k, means);
        ff += f * f, bb += b * b, fb += f * b, count += 1;
      }
    }
    if (count == 0 || ff <= 0 || bb <= 0) return;
    found.lengths.correlation = fb / std::sqrt(ff * bb);
    found.lengths.spread = std::sqrt((ff + bb) / (2 * count));
    const double alike =
        m_replay.meanStep([&](std::size_t i, std::size_t k) { return isPass(i) ? meanAt(means, i, k) : own(i, k); });
    found.lengths.share = (found.step - alike) / (found.step - found.ideal_step);
  }

  double relative(std::size_t i, std::size_t k, const std::vector<double>& means) const {
    const double mean = meanAt(means, i, k);
    return mean > 0 ? own(i, k) / mean - 1 : 0;
  }

  /// By replica and place.
  using Factors = std::vector<std::vector<double>>;

  /// The passes of one kind on a lane.
  using PassKinds = std::map<std::pair<int, std::uint32_t>, std::vector<std::size_t>>;  // by place and type

  PassKinds passKinds() const {
    PassKinds kinds;
    for (std::size_t i = 0; i < m_model.operations.size(); ++i)
      if (isPass(i)) kinds[{m_model.operations[i].place, m_model.operations[i].type}].push_back(i);
    return kinds;
  }

  /// The time of a lane's passes over that of the ideal ones: by step, and last of all steps. In a step each kind of
  /// pass counts by its lower quartile, since a busy machine holds some passes up, and a slow lane all of them.
  std::vector<Factors> laneFactors() const {
    const std::size_t places = m_model.pipeline_rank.size(), steps = m_model.steps.size();
    const PassKinds kinds = passKinds();
    std::vector<double> usual(places);
    for (const auto& [kind, passes] : kinds)
      for (const std::size_t i : passes) usual[static_cast<std::size_t>(kind.first)] += ideal(i);
    std::vector<Factors> factors(steps + 1, Factors(m_model.replicas(), std::vector<double>(places)));
    for (const auto& [kind, passes] : kinds) {
      const auto place = static_cast<std::size_t>(kind.first);
      for (std::size_t k = 0; k < m_model.occurrences() && usual[place] > 0; ++k) {
        std::vector<double> lengths;
        for (const std::size_t i : passes) lengths.push_back(own(i, k));
        const double sum = std::accumulate(lengths.begin(), lengths.end(), 0.0);
        const std::size_t replica = k % m_model.replicas();
        factors[steps][replica][place] += sum / (usual[place] * static_cast<double>(steps));
        std::ranges::sort(lengths);
        factors[k / m_model.replicas()][replica][place] +=
            quantileOfSorted(lengths, 0.25) * static_cast<double>(lengths.size()) / usual[place];
      }
    }
    return factors;
  }

  /// How much longer than those of others the passes of stages, replicas and lanes are.
  struct Excess {
    std::vector<double> stages, replicas;
    Factors lanes;
  };

  /// What is long in one row and column of replicas and stages alone is a rank's; a column, a stage's; a row, a
  /// replica's.
  Excess excessOf(const Factors& factors) const {
    std::vector<std::vector<double>> of_stage(stageCount());
    for (const std::vector<double>& replica : factors)
      for (std::size_t place = 0; place < replica.size(); ++place)
        of_stage[static_cast<std::size_t>(m_model.pipeline_rank[place])].push_back(replica[place]);
    std::vector<double> stages;
    for (std::vector<double>& lanes : of_stage) stages.push_back(lowerMedian(std::move(lanes)));
    Excess excess{{}, {}, factors};
    for (std::vector<double>& replica : excess.lanes) {
      for (std::size_t place = 0; place < replica.size(); ++place)
        replica[place] = ratioOf(replica[place], stages[static_cast<std::size_t>(m_model.pipeline_rank[place])]);
      // Of a replica of one lane the two are one; then it is called the rank.
      const double whole = replica.size() == 1 ? 1 : lowerMedian(replica);
      excess.replicas.push_back(whole - 1);
      for (double& lane : replica) lane = ratioOf(lane, whole) - 1;
    }
    const double mean = std::accumulate(stages.begin(), stages.end(), 0.0) / static_cast<double>(stages.size());
    for (const double stage : stages) excess.stages.push_back(ratioOf(stage, mean) - 1);
    return excess;
  }

  /// Of passes without length none is long.
  static double ratioOf(double part, double whole) { return whole > 0 ? part / whole : 1; }

  std::size_t stageCount() const {
    return static_cast<std::size_t>(*std::ranges::max_element(m_model.pipeline_rank)) + 1;
  }

  /// What the steps bear out: of one value of the excess, its mean, or what it is at least beyond their noise if that
  /// is less.
  template <class ValueOf>
  static double borneOut(const std::vector<Excess>& by_step, const Excess& of_all, const ValueOf& valueOf) {
    std::vector<double> values;
    for (const Excess& step : by_step) values.push_back(valueOf(step));
    return std::min(valueOf(of_all), boundOfMedian(std::move(values)));
  }

  void findExcess(JobSlowdown& found) const {
    const std::vector<Factors> factors = laneFactors();
    std::vector<Excess> by_step;
    for (const Factors& step : factors) by_step.push_back(excessOf(step));
    const Excess of_all = std::move(by_step.back());
    by_step.pop_back();
    for (std::size_t stage = 0; stage < of_all.stages.size(); ++stage)
      found.stage_excess.push_back(borneOut(by_step, of_all, [&](const Excess& one) { return one.stages[stage]; }));
    for (std::size_t replica = 0; replica < m_model.replicas(); ++replica) {
      found.replica_excess.push_back(
          borneOut(by_step, of_all, [&](const Excess& one) { return one.replicas[replica]; }));
      for (std::size_t place = 0; place < m_model.pipeline_rank.size(); ++place)
        found.rank_excess.emplace_back(m_model.lanes[replica][place], borneOut(by_step, of_all, [&](const Excess& one) {
                                         return one.lanes[replica][place];
                                       }));
    }
    found.replica_lanes = m_model.lanes;
    std::ranges::sort(found.rank_excess);
  }

  const JobModel& m_model;
  JobReplay m_replay;
  std::vector<double> m_ideal;  ///< by type
};

}  // namespace

std::optional<JobSlowdown> jobSlowdown(const Trace& trace) {
  const std::optional<JobModel> model = jobModelOf(trace);
  if (!model) return std::nullopt;
  if (replayCost(*model) > kMostCost) return std::nullopt;
  std::optional<JobReplay> replay = JobReplay::of(*model);
  if (!replay) return std::nullopt;
  JobSlowdown found = Attribution(*model, std::move(*replay)).find();
  found.waits = lateWaits(trace, *model);
  return found;
}

}  // namespace lanelab
