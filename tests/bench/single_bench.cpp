// SPDX-License-Identifier: GPL-3.0-only
// One lane that has all threads, with both kinds of kernels, and two lanes of one thread, against PyTorch in a process
// of its own: eager and compiled, in both memory layouts, of each version of PyTorch that is named.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "engine/torch/train/torch_executor.h"
#include "tests/bench/benches.h"
#include "tests/bench/peer_process.h"

namespace lanelab::bench {
namespace {

struct Peer {
  Layout layout;
  bool compiled;

  std::string name(const std::string& version) const {
    return "PyTorch " + version + (compiled ? " compiled, " : " eager, ") + toWord(layout);
  }
  std::vector<std::string> command(const SingleWorkload& w, const std::string& python) const {
    std::vector<std::string> all = {python,      peerScript("single_peer"),
                                    "--batch",   std::to_string(w.model.batch),
                                    "--steps",   std::to_string(w.model.steps),
                                    "--threads", std::to_string(w.threads),
                                    "--layout",  toWord(layout)};
    const std::vector<std::string> network = networkOptions(w.model);
    all.insert(all.end(), network.begin(), network.end());
    if (compiled) all.push_back("--compile");
    return all;
  }

 private:
  static std::vector<std::string> networkOptions(const Workload& model) {
    if (model.file.empty()) return {"--arch", model.arch, "--image", std::to_string(model.image)};
    const Experiment experiment = model.experiment();
    const std::int64_t vocabulary = resolve(experiment)->model().vocabulary;
    std::vector<std::string> all = {"--file", model.file, "--vocabulary", std::to_string(vocabulary), "--shape"};
    for (const std::int64_t size : experiment.data.shape) all.push_back(std::to_string(size));
    return all;
  }
};

constexpr Peer kPeers[] = {{Layout::Contiguous, false},
                           {Layout::ChannelsLast, false},
                           {Layout::Contiguous, true},
                           {Layout::ChannelsLast, true}};

/// In a step of LaneLab's fused kernels, once its lanes are warm: the mean of several steps.
double pageFaultsAStep(SingleWorkload workload, Executor& executor) {
  workload.model.steps = 6;
  Contestant contestant = workload.contestant(Kernels::Fused, executor);
  contestant.runRound();
  const std::vector<std::int64_t> faults = contestant.pageFaults();
  return static_cast<double>(std::accumulate(faults.begin(), faults.end(), std::int64_t{0})) /
         static_cast<double>(faults.size());
}

/// The first `ours` series are LaneLab's; the bar is the fastest of all others.
void printAgainstFastest(const std::vector<Series>& series, std::size_t ours) {
  const auto others = series.begin() + static_cast<std::ptrdiff_t>(ours);
  if (others == series.end()) return;
  const auto fastest =
      std::min_element(others, series.end(), [](const Series& a, const Series& b) { return a.median() < b.median(); });
  for (const std::size_t one : {std::size_t{0}, ours - 1})
    std::printf("Against the fastest PyTorch (%s), %s is %s\n", fastest->name.c_str(), series[one].name.c_str(),
                speedUpText(*fastest, series[one]).c_str());
}

}  // namespace

nlohmann::json benchSingle(const SingleWorkload& workload, const std::vector<std::string>& pythons, bool print) {
  const auto executor = makeTorchExecutor();
  std::vector<std::unique_ptr<PeerProcess>> peers;
  std::vector<Series> series;
  std::vector<Contestant> contestants;
  for (const Kernels kernels : {Kernels::Fused, Kernels::Aten}) {
    contestants.push_back(workload.contestant(kernels, *executor));
    contestants.back().runRound();
    series.push_back({contestants.back().name(), {}});
  }
  if (workload.model.file.empty()) {
    // Its micro-batches norm apart, as those of pipelines do elsewhere.
    Workload lanes = workload.model;
    lanes.schedule = "zb-v";
    lanes.cut = lanes.quarters;
    contestants.emplace_back("LaneLab, two lanes of one thread, zb-v", *executor, lanes.experiment(), lanes.twoLanes());
    contestants.back().runRound();
    series.push_back({contestants.back().name(), {}});
  }
  for (const std::string& python : pythons) {
    for (const Peer& peer : kPeers) {
      if (peer.compiled && !workload.compiled) continue;
      peers.push_back(std::make_unique<PeerProcess>(peer.command(workload, python)));
      const std::string version = peers.back()->ask("version");
      series.push_back({peer.name(version.substr(0, version.find('\n'))), {}});
      peers.back()->ask("go");
    }
  }
  for (int round = 0; round < workload.model.rounds; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) series[i].seconds.push_back(contestants[i].runRound());
    for (std::size_t i = 0; i < peers.size(); ++i)
      series[contestants.size() + i].seconds.push_back(std::stod(peers[i]->ask("go")));
  }
  nlohmann::json rows = toJson(series);
  const double faults_a_step = pageFaultsAStep(workload, *executor);
  rows.push_back({{"name", "page faults per step"}, {"count", faults_a_step}});
  if (!print) return rows;
  const std::string sample =
      workload.model.file.empty() ? ", " + std::to_string(workload.model.image) + " px" : std::string();
  printTable(workload.model.name() + sample + ", batch " + std::to_string(workload.model.batch) + ", one process of " +
                 std::to_string(workload.threads) + " thread(s) each, in turns",
             series);
  for (const std::size_t ours : {std::size_t{0}, contestants.size() - 1}) {
    for (std::size_t i = 1; i < series.size(); ++i) {
      if (i != ours)
        std::printf("Against %s, %s is %s\n", series[i].name.c_str(), series[ours].name.c_str(),
                    speedUpText(series[i], series[ours]).c_str());
    }
  }
  printAgainstFastest(series, contestants.size());
  std::printf("%s: %.0f page faults per step after the first of a warm round\n", series[0].name.c_str(), faults_a_step);
  return rows;
}

}  // namespace lanelab::bench
