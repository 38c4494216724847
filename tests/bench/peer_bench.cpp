#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/torch/torch_executor.h"
#include "tests/bench/benches.h"
#include "tests/bench/peer_process.h"

namespace lanelab::bench {

namespace {

std::vector<std::string> peerCommand(const Workload& w, const std::string& python, const std::string& schedule) {
  return {python, LANELAB_SOURCE_DIR "/tests/bench/gloo_peer.py", "--arch", w.arch, "--image", std::to_string(w.image), "--batch", std::to_string(w.batch),
          "--micro-batches", std::to_string(w.micro_batches), "--cut", w.cut, "--schedule", schedule, "--steps", std::to_string(w.steps)};
}

}  // namespace

nlohmann::json benchPeer(const Workload& workload, const std::string& python, bool print) {
  const auto executor = makeTorchExecutor();
  std::vector<Series> series;
  std::vector<Contestant> ours;
  std::vector<std::unique_ptr<PeerProcess>> peers;
  for (const char* const schedule : {"gpipe", "1f1b"}) {
    Workload one = workload;
    one.schedule = schedule;
    peers.push_back(std::make_unique<PeerProcess>(peerCommand(workload, python, schedule)));
    peers.back()->ask("go");
    ours.emplace_back(one.twoLanes().name, *executor, workload.experiment(), one.twoLanes());
    ours.back().runRound();
    series.push_back({std::string("torch pipelining over gloo, ") + schedule, {}});
    series.push_back({"LaneLab, " + std::string(schedule), {}});
  }
  for (int round = 0; round < workload.rounds; ++round) {
    for (std::size_t i = 0; i < ours.size(); ++i) {
      series[2 * i].seconds.push_back(std::stod(peers[i]->ask("go")));
      series[2 * i + 1].seconds.push_back(ours[i].runRound());
    }
  }
  if (print) {
    printTable(workload.arch + ", batch " + std::to_string(workload.batch) + ", " + std::to_string(workload.micro_batches) + " micro-batches, cut " +
                   workload.cut + ", two lanes or processes of one thread on the same cores, interleaved rounds",
               series);
    std::printf("LaneLab over its peer, by median: gpipe %.3f, 1f1b %.3f (above 1: LaneLab is faster)\n",
                series[0].median() / series[1].median(), series[2].median() / series[3].median());
  }
  return toJson(series);
}

}  // namespace lanelab::bench
