// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

#include "base/quantile.h"
#include "engine/placement/partition.h"
#include "engine/schedule/generate.h"
#include "tests/bench/benches.h"
#include "tests/bench/peer_process.h"
#include "tests/support/stopwatch.h"

namespace lanelab::bench {

namespace {

constexpr int kChains = 20;  ///< random ones, whose times spread over a factor of ten
constexpr int kRepeats = 5;  ///< of each; the fastest counts

struct PartitionCase {
  const char* name;
  int blocks, stages, lanes, micro_batches;
  bool unequal;
};

PartitionProblem randomProblem(const PartitionCase& c, std::mt19937& random) {
  std::uniform_real_distribution<double> time(1, 10), slowness(1, 2);
  PartitionProblem problem;
  std::vector<LaneId> all;
  for (int i = 0; i < c.blocks; ++i) {
    problem.blocks.push_back({"block " + std::to_string(i), time(random)});
    if (i > 0) problem.transfers.push_back(time(random) / 10);
  }
  for (int lane = 0; lane < c.lanes; ++lane) {
    problem.slowness.push_back(c.unequal ? slowness(random) : 1);
    all.emplace_back(lane);
  }
  problem.lane_of_stage = lanesOfStages(ScheduleKind::OneFOneB, c.stages, all);
  problem.micro_batches = c.micro_batches;
  return problem;
}

struct Solved {
  double milliseconds = 1e300;  ///< of the fastest of a few solutions
  double bottleneck = 0;
};

Solved solve(const PartitionProblem& problem, int& unproven) {
  Solved solved;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const test::Stopwatch watch;
    const Result<Partition> answer = partition(problem);
    const double taken_ms = 1e3 * watch.seconds();
    if (!answer.ok()) throw std::runtime_error(answer.error().message);
    if (repeat == 0 && !answer->proven) ++unproven;
    solved = {std::min(solved.milliseconds, taken_ms), answer->bottleneck};
  }
  return solved;
}

/// The same chains without transfers, which torchgpipe's block partition does not know.
nlohmann::json besideTorchgpipe(const std::string& python, bool print) {
  nlohmann::json rows = nlohmann::json::array();
  PeerProcess peer({python, peerScript("torchgpipe_peer")});
  if (print)
    std::printf("\n%-44s %7s %7s %12s %14s %22s\n", "against torchgpipe", "blocks", "stages", "median ms",
                "torchgpipe ms", "its bottleneck, over");
  for (const int blocks : {18, 200}) {
    std::mt19937 random(1);
    std::vector<double> ours, theirs, excess;
    int unproven = 0;
    for (int chain = 0; chain < kChains; ++chain) {
      PartitionProblem problem = randomProblem({"", blocks, 8, 8, 0, false}, random);
      problem.transfers.clear();
      nlohmann::json question = {{"times", nlohmann::json::array()}, {"stages", 8}};
      for (const PartitionBlock& block : problem.blocks) question["times"].push_back(block.time);
      const Solved best = solve(problem, unproven);
      const auto answer = nlohmann::json::parse(peer.ask(question.dump()));
      ours.push_back(best.milliseconds);
      theirs.push_back(answer["milliseconds"]);
      excess.push_back(answer["bottleneck"].get<double>() / best.bottleneck - 1);
    }
    const double worst = *std::max_element(excess.begin(), excess.end());
    rows.push_back({{"blocks", blocks},
                    {"median_ms", medianOf(ours)},
                    {"torchgpipe_median_ms", medianOf(theirs)},
                    {"torchgpipe_excess_median", medianOf(excess)},
                    {"torchgpipe_excess_worst", worst}});
    if (print)
      std::printf("%-44s %7d %7d %12.3f %14.3f  %6.1f %%, worst %5.1f %%\n", "bottleneck, no transfers", blocks, 8,
                  medianOf(ours), medianOf(theirs), 100 * medianOf(excess), 100 * worst);
  }
  return rows;
}

}  // namespace

nlohmann::json benchPartition(const std::string& python, bool print) {
  nlohmann::json rows = nlohmann::json::array();
  if (print)
    std::printf("%-44s %7s %7s %7s %12s %12s %9s\n", "exact partition", "blocks", "stages", "lanes", "median ms",
                "worst ms", "unproven");
  for (const PartitionCase& c :
       {PartitionCase{"bottleneck", 18, 8, 8, 0, false}, PartitionCase{"bottleneck", 200, 8, 8, 0, false},
        PartitionCase{"bottleneck, unequal lanes", 200, 8, 8, 0, true},
        PartitionCase{"latency + (m-1) x bottleneck", 18, 8, 8, 32, false},
        PartitionCase{"latency + (m-1) x bottleneck", 200, 8, 8, 32, false},
        PartitionCase{"two stages a lane", 18, 8, 4, 0, false}}) {
    std::mt19937 random(1);
    std::vector<double> times;
    int unproven = 0;
    for (int chain = 0; chain < kChains; ++chain)
      times.push_back(solve(randomProblem(c, random), unproven).milliseconds);
    const double median = medianOf(times), worst = *std::max_element(times.begin(), times.end());
    rows.push_back({{"name", c.name},
                    {"blocks", c.blocks},
                    {"stages", c.stages},
                    {"lanes", c.lanes},
                    {"median_ms", median},
                    {"worst_ms", worst},
                    {"unproven", unproven}});
    if (print)
      std::printf("%-44s %7d %7d %7d %12.3f %12.3f %9d\n", c.name, c.blocks, c.stages, c.lanes, median, worst,
                  unproven);
  }
  if (python.empty()) return rows;
  return {{"exact", rows}, {"torchgpipe", besideTorchgpipe(python, print)}};
}

}  // namespace lanelab::bench
