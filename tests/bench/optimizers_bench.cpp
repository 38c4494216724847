// SPDX-License-Identifier: GPL-3.0-only
// The update of all parameters of a network, as the lanes do it, against torch.optim in a process of its
// own: its default form, and its fused one.
#include <ATen/Parallel.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/randn_like.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/experiment/experiment.h"
#include "engine/torch/devices/thread_team.h"
#include "engine/torch/nn/optimizer.h"
#include "tests/bench/benches.h"
#include "tests/bench/peer_process.h"
#include "tests/support/whole_network.h"

namespace lanelab::bench {
namespace {

constexpr int kUpdates = 5;  ///< a round, of which the fastest counts

struct Rule {
  const char* word;  ///< for the peer
  TrainingConfig training;
};

std::vector<Rule> rules() {
  TrainingConfig sgd, momentum, adam;
  momentum.momentum = 0.9;
  adam.optimizer = OptimizerKind::Adam;
  return {{"sgd", sgd}, {"momentum", momentum}, {"adam", adam}};
}

/// The parameters of a ResNet as a lane holds them, each with a gradient.
std::vector<at::Tensor> parametersOf(const ModelSpec& spec) {
  const auto network = test::wholeOf(spec);
  std::vector<at::Tensor> parameters;
  for (const TensorSlot& slot : network->slots()) {
    if (!slot.traits.parameter) continue;
    at::Tensor parameter = at::randn(slot.shape);
    if (slot.traits.in_image_format) parameter = parameter.contiguous(at::MemoryFormat::ChannelsLast);
    parameters.push_back(parameter.requires_grad_());
    parameters.back().mutable_grad() = at::randn_like(parameter.detach());
  }
  return parameters;
}

double fastestUpdate(Optimizer& optimizer) {
  double fastest = 1e9;
  for (int i = 0; i < kUpdates; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    optimizer.step(0.001);
    fastest = std::min(fastest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  dismissThreadTeam();
  return fastest;
}

std::vector<Series> compare(const Rule& rule, const Workload& workload, int threads, const std::string& python) {
  const auto resolution = resolve(workload.experiment());
  Optimizer optimizer(rule.training, parametersOf(resolution->model()));
  std::vector<std::unique_ptr<PeerProcess>> peers;
  std::vector<Series> series = {{std::string("LaneLab, ") + rule.word, {}}};
  for (const bool fused : {false, true}) {
    std::vector<std::string> command = {
        python,      peerScript("optimizer_peer"), "--arch",      workload.arch, "--threads", std::to_string(threads),
        "--updates", std::to_string(kUpdates),     "--optimizer", rule.word};
    if (fused) command.emplace_back("--fused");
    peers.push_back(std::make_unique<PeerProcess>(command));
    peers.back()->ask("go");
    series.push_back({std::string("torch.optim, ") + rule.word + (fused ? ", fused" : ", default"), {}});
  }
  fastestUpdate(optimizer);
  for (int round = 0; round < workload.rounds; ++round) {
    series[0].seconds.push_back(fastestUpdate(optimizer));
    for (std::size_t i = 0; i < peers.size(); ++i) series[i + 1].seconds.push_back(std::stod(peers[i]->ask("go")));
  }
  return series;
}

}  // namespace

nlohmann::json benchOptimizers(const Workload& workload, int threads, const std::string& python, bool print) {
  const int before = at::get_num_threads();
  at::set_num_threads(threads);
  nlohmann::json rows = nlohmann::json::array();
  for (const Rule& rule : rules()) {
    const std::vector<Series> series = compare(rule, workload, threads, python);
    for (const nlohmann::json& row : toJson(series)) rows.push_back(row);
    if (!print) continue;
    printTable("Update of all parameters of " + workload.arch + ", " + std::to_string(threads) + " thread(s), in turns",
               series);
    for (std::size_t i = 1; i < series.size(); ++i)
      std::printf("Against %s, LaneLab is %s\n", series[i].name.c_str(), speedUpText(series[i], series[0]).c_str());
  }
  at::set_num_threads(before);
  return rows;
}

}  // namespace lanelab::bench
