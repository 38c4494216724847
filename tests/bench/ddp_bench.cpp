// SPDX-License-Identifier: GPL-3.0-only
// Replicas on two lanes of one process against DistributedDataParallel over gloo in two processes: same network, batch,
// buckets, threads and cores.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/quantile.h"
#include "engine/dist/run_processes.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/bench/benches.h"
#include "tests/bench/peer_process.h"

namespace lanelab::bench {
namespace {

/// Both in one layout of the tensors in memory.
class Pair {
 public:
  Pair(Workload workload, Layout layout, Executor& executor, const std::string& python)
      : series{{"DistributedDataParallel, " + toWord(layout), {}}, {"LaneLab, " + toWord(layout), {}}},
        m_peer(commandOf(workload, layout, python)),
        m_ours(series[1].name, executor, experimentOf(workload, layout), variant()) {}

  /// One after the other, each being the first every other time.
  void round(int number) {
    double theirs = 0, ours = 0;
    if (number % 2 == 0) theirs = std::stod(m_peer.ask("go"));
    ours = secondsOfOurs();
    if (number % 2 != 0) theirs = std::stod(m_peer.ask("go"));
    if (number < 0) return;
    series[0].seconds.push_back(theirs);
    series[1].seconds.push_back(ours);
  }

  std::vector<Series> series;  ///< theirs, ours

 private:
  static std::vector<std::string> commandOf(const Workload& w, Layout layout, const std::string& python) {
    return {python,    peerScript("ddp_peer"),  "--arch",   w.arch,
            "--image", std::to_string(w.image), "--batch",  std::to_string(w.batch),
            "--steps", std::to_string(w.steps), "--layout", toWord(layout)};
  }
  /// One step more, as the peer does: the first of a round has all gradients in one bucket.
  static Experiment experimentOf(Workload workload, Layout layout) {
    workload.layout = layout;
    ++workload.steps;
    return workload.experiment();
  }
  static VariantConfig variant() {
    VariantConfig variant;
    variant.name = "ddp";
    variant.strategy = Strategy::Ddp;
    return variant;
  }
  double secondsOfOurs() {
    std::vector<double> seconds = m_ours.runSteps();
    seconds.erase(seconds.begin());
    return medianOf(seconds);
  }

  PeerProcess m_peer;
  Contestant m_ours;
};

}  // namespace

nlohmann::json benchDdp(const Workload& workload, const std::string& python, bool print) {
  const auto executor = makeTorchExecutor(peersOfLanes());
  std::vector<std::unique_ptr<Pair>> pairs;
  for (const Layout layout : {Layout::Contiguous, Layout::ChannelsLast})
    pairs.push_back(std::make_unique<Pair>(workload, layout, *executor, python));
  for (int round = -1; round < workload.rounds; ++round) {
    for (const auto& pair : pairs) pair->round(round);  // the first warms up
  }
  if (print) {
    std::printf(
        "%s, %d px, batch %d over two replicas of one thread on the same cores, medians of %d steps a round, %d "
        "interleaved rounds\n",
        workload.arch.c_str(), workload.image, workload.batch, workload.steps, workload.rounds);
  }
  std::vector<Series> all;
  for (const auto& pair : pairs) {
    if (print) {
      printTable("", pair->series);
      std::printf("LaneLab on two lanes of a process is %s\n", speedUpText(pair->series[0], pair->series[1]).c_str());
    }
    all.insert(all.end(), pair->series.begin(), pair->series.end());
  }
  return toJson(all);
}

}  // namespace lanelab::bench
