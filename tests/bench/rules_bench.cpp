// SPDX-License-Identifier: GPL-3.0-only
// What each rule gains (engine/model/rules.h): a network with all rules, and with one of them switched off.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/experiment/resolution.h"
#include "engine/exported/exported_network.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/bench/benches.h"

namespace lanelab::bench {
namespace {

/// Of those that make a step faster, not less in need of memory, those that the network has.
std::vector<lanelab::Rule> fasterOf(const SingleWorkload& workload) {
  const auto resolution = lanelab::resolve(workload.model.experiment());
  const lanelab::ExportedNetwork& network = *resolution->network();
  std::vector<lanelab::Rule> rules;
  for (const lanelab::AppliedRule& applied :
       appliedRules(network.program.graph, network.blocks, network.described.rules)) {
    const bool faster = lanelab::kFusedKernels.has(applied.rule) || applied.rule == lanelab::Rule::ConvolutionProduct;
    if (faster && (rules.empty() || rules.back() != applied.rule)) rules.push_back(applied.rule);
  }
  return rules;
}

}  // namespace

nlohmann::json benchRules(const SingleWorkload& workload, const std::vector<std::string>& files, bool print) {
  const auto executor = makeTorchExecutor();
  nlohmann::json networks = nlohmann::json::array();
  for (const std::string& file : files) {
    SingleWorkload one = workload;
    one.model.file = file;
    std::vector<Contestant> contestants;
    std::vector<Series> series;
    const auto add = [&](const std::string& name, std::vector<lanelab::Rule> off) {
      contestants.push_back(one.contestant(Kernels::Fused, *executor, std::move(off)));
      contestants.back().runRound();
      series.push_back({name, {}});
    };
    add("all rules", {});
    const std::vector<lanelab::Rule> rules = fasterOf(one);
    for (const lanelab::Rule rule : rules) add("without " + toWord(rule), {rule});
    for (int round = 0; round < workload.model.rounds; ++round)
      for (std::size_t i = 0; i < contestants.size(); ++i) series[i].seconds.push_back(contestants[i].runRound());
    networks.push_back({{"network", one.model.name()}, {"series", toJson(series)}});
    if (!print) continue;
    printTable(one.model.name() + ", batch " + std::to_string(one.model.batch) + ", one process of " +
                   std::to_string(one.threads) + " thread(s), in turns",
               series);
    for (std::size_t i = 1; i < series.size(); ++i)
      std::printf("%s gains %s\n", toWord(rules[i - 1]).c_str(), speedUpText(series[i], series[0]).c_str());
  }
  return networks;
}

}  // namespace lanelab::bench
