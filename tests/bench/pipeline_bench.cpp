// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <future>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "base/text.h"
#include "engine/advise/profile_of.h"
#include "engine/advise/variant_cuts.h"
#include "engine/record/recording_cost.h"
#include "engine/sim/simulate.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/bench/benches.h"

namespace lanelab::bench {

namespace {

/// Two lanes with one order, and how many times as fast as one lane equal stages would make it.
struct Scaled {
  Contestant contestant;
  double bound;
};

/// One lane's work over the step of the variant's own order, were all stages equally long and nothing else took time.
double boundOf(const Experiment& experiment, const VariantConfig& variant) {
  const auto resolution = resolve(experiment)->with(variant);
  const auto& plan = resolution->variants().front().plan();
  if (!plan.ok()) throw std::runtime_error(plan.error().message);
  CostModel costs;
  for (const Stage& stage : plan->stages) {
    const int blocks = stage.end.value - stage.first.value;
    for (int block = 0; block < blocks; ++block)
      costs.blocks.push_back({"", 1.0 / blocks, 2.0 / blocks, 1.0 / blocks, 0});
  }
  costs.transfers.assign(costs.blocks.size() - 1, 0);
  const Simulation simulation = simulate(*plan, {costs, std::nullopt});
  double work = 0;
  for (const SimulatedLane& lane : simulation.lanes) work += lane.busy;
  return work / simulation.step_seconds;
}

/// Every kind of order: one, two and three stages a lane, whole backwards and split ones.
std::vector<Workload> scaledOrders(const Workload& workload) {
  std::vector<Workload> all;
  const auto add = [&](const char* schedule, const std::string& cut) {
    all.push_back(workload);
    all.back().schedule = schedule;
    all.back().cut = cut;
  };
  add("gpipe", workload.cut);
  add("1f1b", workload.cut);
  add("zb-h1", workload.cut);
  add("interleaved-1f1b", workload.interleaved);
  add("zb-v", workload.quarters);
  return all;
}

/// Cut where the step is predicted to be the shortest, by block times measured now.
void cutWhereFastest(std::vector<Workload>& orders, Executor& executor) {
  const std::string folder = (std::filesystem::temp_directory_path() / "lanelab-bench-profiles").string();
  const Experiment experiment = orders.front().experiment();
  const ProfileOptions options{.lane = {}, .samples = {orders.front().splitSize()}, .refresh = true, .report = {}};
  const auto profiles =
      profilesOf(*resolve(experiment), commonModes(experiment.training), executor, ProfileStore(folder), options, {});
  if (!profiles.ok()) throw std::runtime_error(profiles.error().message);
  for (Workload& order : orders) {
    const auto resolution = resolve(experiment)->with(order.twoLanes());
    const ResolvedVariant& variant = resolution->variants().front();
    std::vector<BlockId> given;
    for (const Stage& stage : variant.stages())
      if (stage.first.value > 0) given.push_back(stage.first);
    const FastestCut fastest = fastestCutOf(variant, StepPredictor(*profiles), given);
    order.cut = joined(namesOf(variant.model(), fastest.cuts), ",");
  }
}

/// Two trainings of one lane each at once, which share nothing but the machine: what its second core gives at most, be
/// it by memory, caches, clock or other work.
class TwoTrainings {
 public:
  TwoTrainings(Executor& executor, Experiment experiment, VariantConfig variant) {
    ++experiment.data.steps;
    m_first.emplace(m_name, executor, experiment, variant);
    variant.lanes = std::vector<int>{1};
    m_second.emplace(m_name, executor, experiment, variant);
  }

  const std::string& name() const { return m_name; }

  /// Seconds for each step of the two. The last one may have had the machine for itself.
  double runRound() {
    auto beside = std::async(std::launch::async, [this] { return m_second->runSteps(); });
    const std::vector<double> first = m_first->runSteps(), second = beside.get();
    return std::max(*std::min_element(first.begin(), first.end() - 1),
                    *std::min_element(second.begin(), second.end() - 1)) /
           2;
  }

 private:
  std::string m_name = "two trainings of one lane";
  std::optional<Contestant> m_first, m_second;
};

void printShares(const std::vector<Scaled>& orders, const std::vector<Series>& series, const Series& two) {
  const Series& one = series.front();
  std::printf("\n%-84s %8s %16s %16s %16s\n", "Of the bound that equal stages have (goal: 95 %)", "bound",
              "share by min", "share by med.", "of two trainings");
  for (std::size_t i = 1; i < orders.size(); ++i) {
    const double share = one.median() / series[i].median() / orders[i].bound;
    std::printf("%-84s %8.3f %14.1f %% %14.1f %% %14.1f %%\n", series[i].name.c_str(), orders[i].bound,
                100 * one.min() / series[i].min() / orders[i].bound, 100 * share,
                100 * share * 2 * two.median() / one.median());
  }
  std::printf("The last column counts a second core as much as it gives two trainings, by the medians.\n");
}

}  // namespace

nlohmann::json benchPipeline(const Workload& workload, bool print) {
  const auto executor = makeTorchExecutor();
  const Experiment experiment = workload.experiment();
  std::vector<Scaled> orders;
  orders.push_back({{"one lane, 1f1b", *executor, experiment, workload.oneLane("1f1b")}, 1});
  std::vector<Workload> scaled = scaledOrders(workload);
  if (workload.fastest_cuts) cutWhereFastest(scaled, *executor);
  for (const Workload& order : scaled) {
    const VariantConfig variant = order.twoLanes();
    orders.push_back({{variant.name, *executor, experiment, variant}, boundOf(experiment, variant)});
  }
  TwoTrainings two(*executor, experiment, workload.oneLane("1f1b"));
  two.runRound();
  Series at_once{two.name(), {}};
  std::vector<Series> series;
  for (Scaled& order : orders) {
    order.contestant.runRound();
    series.push_back({order.contestant.name(), {}});
  }
  for (int round = 0; round < workload.rounds; ++round) {
    for (std::size_t i = 0; i < orders.size(); ++i) series[i].seconds.push_back(orders[i].contestant.runRound());
    at_once.seconds.push_back(two.runRound());
  }
  std::vector<Series> all = series;
  all.push_back(at_once);
  nlohmann::json rows = toJson(all);
  for (std::size_t i = 0; i < orders.size(); ++i) rows[i]["bound"] = orders[i].bound;
  if (!print) return rows;
  printTable(workload.arch + ", " + std::to_string(workload.image) + " px, batch " + std::to_string(workload.batch) +
                 ", " + std::to_string(workload.micro_batches) + " micro-batches, one thread a lane, rounds in turns",
             all);
  printShares(orders, series, at_once);
  return rows;
}

nlohmann::json benchRecorder(const Workload& workload, bool print) {
  struct Mode {
    RecordMode mode;
    double goal;
  };
  const auto executor = makeTorchExecutor();
  nlohmann::json rows = nlohmann::json::array();
  if (print)
    std::printf("%-12s %10s %24s %8s %12s %24s %8s %14s\n", "record", "cost", "95 % CI", "pairs", "CPU time", "95 % CI",
                "goal", "spans a step");
  for (const auto& [mode, goal] :
       {Mode{RecordMode::Actions, 0.01}, Mode{RecordMode::Blocks, 0.01}, Mode{RecordMode::Operators, 0.02}}) {
    Experiment experiment = workload.experiment();
    experiment.record = mode;
    Contestant contestant(toWord(mode), *executor, experiment, workload.twoLanes());
    contestant.runRound();
    const auto [cost, by_fastest, spans] = contestant.measureRecording(std::max(6, 2 * workload.rounds));
    rows.push_back({{"record", cost.mode},
                    {"cost_ratio", cost.cost_ratio},
                    {"ci95", {cost.ci95->low, cost.ci95->high}},
                    {"pairs", cost.pairs},
                    {"cpu_ratio", *cost.cpu_ratio},
                    {"cpu_ci95", {cost.cpu_ci95->low, cost.cpu_ci95->high}},
                    {"by_fastest", by_fastest},
                    {"goal", goal},
                    {"spans_a_step", spans}});
    if (print)
      std::printf("%-12s %8.2f %% %10.2f to %7.2f %% %8d %10.2f %% %10.2f to %7.2f %% %6.1f %% %14.0f\n",
                  cost.mode.c_str(), 100 * cost.cost_ratio, 100 * cost.ci95->low, 100 * cost.ci95->high, cost.pairs,
                  100 * *cost.cpu_ratio, 100 * cost.cpu_ci95->low, 100 * cost.cpu_ci95->high, 100 * goal, spans);
  }
  if (print)
    std::printf(
        "Two lanes: median difference of neighbouring steps with and without recording (ABBA), of the median step "
        "without it; the same of the processor's time that the process took.\n");
  return rows;
}

}  // namespace lanelab::bench
