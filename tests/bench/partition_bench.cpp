#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

#include "engine/plan/generate.h"
#include "engine/plan/partition.h"
#include "tests/bench/benches.h"

namespace lanelab::bench {

namespace {

constexpr int kChains = 20;  ///< random ones, whose times spread over a factor of ten
constexpr int kRepeats = 5;  ///< of each; the fastest counts

struct Case {
  const char* name;
  int blocks, stages, lanes, micro_batches;
  bool memory;
};

PartitionProblem randomProblem(const Case& c, std::mt19937& random) {
  std::uniform_real_distribution<double> time(1, 10), slowness(1, 2);
  std::uniform_int_distribution<std::int64_t> bytes(1, 10);
  PartitionProblem problem;
  std::vector<LaneId> all;
  std::int64_t whole = 0;
  for (int i = 0; i < c.blocks; ++i) {
    problem.blocks.push_back({"block " + std::to_string(i), time(random), c.memory ? bytes(random) : 0, 0, 0});
    whole += problem.blocks.back().resident_bytes;
    if (i > 0) problem.transfers.push_back(time(random) / 10);
  }
  for (int lane = 0; lane < c.lanes; ++lane) {
    problem.lanes.push_back({c.memory ? slowness(random) : 1});
    if (c.memory) problem.lanes.back().memory = whole * 2 / c.lanes;
    all.emplace_back(lane);
  }
  problem.lane_of_stage = lanesOfStages("1f1b", c.stages, all);
  problem.micro_batches = c.micro_batches;
  return problem;
}

/// The fastest of a few solutions, in milliseconds.
double millisecondsFor(const PartitionProblem& problem, int& unproven) {
  double fastest = 1e300;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    const Result<Partition> answer = partition(problem);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    if (!answer.ok()) throw std::runtime_error(answer.error().message);
    if (repeat == 0 && !answer->proven) ++unproven;
    fastest = std::min(fastest, taken.count());
  }
  return fastest;
}

}  // namespace

nlohmann::json benchPartition(bool print) {
  nlohmann::json rows = nlohmann::json::array();
  if (print) std::printf("%-44s %7s %7s %7s %12s %12s %9s\n", "exact partition", "blocks", "stages", "lanes", "median ms", "worst ms", "unproven");
  for (const Case& c :
       {Case{"bottleneck", 18, 8, 8, 0, false}, Case{"bottleneck", 200, 8, 8, 0, false},
        Case{"bottleneck, unequal lanes, memory limits", 200, 8, 8, 0, true}, Case{"latency + (m-1) x bottleneck", 18, 8, 8, 32, false},
        Case{"latency + (m-1) x bottleneck", 200, 8, 8, 32, false}, Case{"two stages a lane", 18, 8, 4, 0, false}}) {
    std::mt19937 random(1);
    std::vector<double> times;
    int unproven = 0;
    for (int chain = 0; chain < kChains; ++chain) times.push_back(millisecondsFor(randomProblem(c, random), unproven));
    std::sort(times.begin(), times.end());
    const double median = (times[kChains / 2 - 1] + times[kChains / 2]) / 2;
    rows.push_back({{"name", c.name},
                    {"blocks", c.blocks},
                    {"stages", c.stages},
                    {"lanes", c.lanes},
                    {"median_ms", median},
                    {"worst_ms", times.back()},
                    {"unproven", unproven}});
    if (print) std::printf("%-44s %7d %7d %7d %12.3f %12.3f %9d\n", c.name, c.blocks, c.stages, c.lanes, median, times.back(), unproven);
  }
  return rows;
}

}  // namespace lanelab::bench
