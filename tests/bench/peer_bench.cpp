// SPDX-License-Identifier: GPL-3.0-only
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/torch/train/torch_executor.h"
#include "tests/bench/benches.h"
#include "tests/bench/peer_process.h"

namespace lanelab::bench {

namespace {

std::vector<std::string> peerCommand(const Workload& w, const std::string& python) {
  return {python,
          peerScript("gloo_peer"),
          "--arch",
          w.arch,
          "--image",
          std::to_string(w.image),
          "--batch",
          std::to_string(w.batch),
          "--micro-batches",
          std::to_string(w.micro_batches),
          "--cut",
          w.cut,
          "--schedule",
          w.schedule,
          "--steps",
          std::to_string(w.steps)};
}

/// The schedules that both have, with one stage a lane or two.
std::vector<Workload> compared(const Workload& workload) {
  std::vector<Workload> all;
  for (const char* const schedule : {"gpipe", "1f1b", "interleaved-1f1b", "zb-v"}) {
    Workload one = workload;
    one.schedule = schedule;
    if (all.size() >= 2) one.cut = workload.quarters;
    all.push_back(one);
  }
  return all;
}

}  // namespace

nlohmann::json benchPeer(const Workload& workload, const std::string& python, bool print) {
  const auto executor = makeTorchExecutor();
  std::vector<Series> series;
  std::vector<Contestant> ours;
  std::vector<std::unique_ptr<PeerProcess>> peers;
  for (Workload one : compared(workload)) {
    peers.push_back(std::make_unique<PeerProcess>(peerCommand(one, python)));
    peers.back()->ask("go");
    series.push_back({"torch pipelining over gloo, " + one.schedule, {}});
    // The peer's layout is contiguous; channels_last is what LaneLab does unless told otherwise.
    for (const Layout layout : {Layout::Contiguous, Layout::ChannelsLast}) {
      one.layout = layout;
      ours.emplace_back("LaneLab, " + one.schedule + ", " + toWord(layout), *executor, one.experiment(),
                        one.twoLanes());
      ours.back().runRound();
      series.push_back({ours.back().name(), {}});
    }
  }
  for (int round = 0; round < workload.rounds; ++round) {
    for (std::size_t i = 0; i < peers.size(); ++i) {
      series[3 * i].seconds.push_back(std::stod(peers[i]->ask("go")));
      for (std::size_t layout = 0; layout < 2; ++layout)
        series[3 * i + 1 + layout].seconds.push_back(ours[2 * i + layout].runRound());
    }
  }
  if (print) {
    printTable(workload.arch + ", batch " + std::to_string(workload.batch) + ", " +
                   std::to_string(workload.micro_batches) + " micro-batches, cut " + workload.cut +
                   " (two stages a lane: " + workload.quarters +
                   "), two lanes or processes of one thread on the same cores, interleaved rounds",
               series);
    for (std::size_t i = 0; i < series.size(); i += 3) {
      std::printf("LaneLab is %.2f times as fast as %s in the same layout, %.2f times in its own (medians)\n",
                  series[i].median() / series[i + 1].median(), series[i].name.c_str(),
                  series[i].median() / series[i + 2].median());
    }
  }
  return toJson(series);
}

}  // namespace lanelab::bench
