// SPDX-License-Identifier: GPL-3.0-only
// Exported graphs: what a node costs besides its kernel, and an exported network against the built-in one.
#include <ATen/Parallel.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/ones.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "engine/torch/graph/graph_program.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/bench/benches.h"
#include "tests/unit/exported/built_program.h"

namespace lanelab::bench {
namespace {

constexpr std::size_t kNodes = 1000;
constexpr int kPasses = 30;

/// Seconds of one call of `work`.
template <class Work>
double secondsOf(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A chain of calls on one number, under autograd.
class Chain {
 public:
  Chain() {
    ValueId at = m_built.user;
    for (std::size_t i = 0; i < kNodes; ++i) at = m_built.call("aten.neg.default", {at}, "layer");
    m_built.returning(at);
    std::vector<std::size_t> nodes(kNodes);
    std::iota(nodes.begin(), nodes.end(), std::size_t{0});
    m_run.emplace(m_built.program.graph, nodes, std::set<ValueId>{at},
                  OperationOptions{{}, generatorOn(at::kCPU), 0, m_built.program.batch_symbol});
  }

  at::Tensor byGraph(const at::Tensor& x) const {
    const GraphPass pass{};
    GraphFrame frame = m_run->frameFor(pass);
    frame[m_built.user] = x;
    for (std::size_t step = 0; step < m_run->steps(); ++step) m_run->run(step, frame, pass);
    return frame[m_built.program.graph.outputs.front()].toTensor();
  }

  static at::Tensor byCalls(at::Tensor x) {
    for (std::size_t i = 0; i < kNodes; ++i) x = at::neg(x);
    return x;
  }

 private:
  test::BuiltProgram m_built;
  std::optional<GraphProgram> m_run;
};

nlohmann::json nodeCost(int rounds, bool print) {
  const Chain chain;
  const at::Tensor x = at::ones({1}).requires_grad_();
  Series graph{"by the graph", {}}, calls{"by calls", {}};
  chain.byGraph(x);
  for (int round = 0; round < rounds; ++round) {
    graph.seconds.push_back(secondsOf([&] {
      for (int i = 0; i < kPasses; ++i) chain.byGraph(x);
    }));
    calls.seconds.push_back(secondsOf([&] {
      for (int i = 0; i < kPasses; ++i) Chain::byCalls(x);
    }));
  }
  const double calls_made = static_cast<double>(kNodes) * kPasses;
  const double graph_us = graph.min() / calls_made * 1e6, calls_us = calls.min() / calls_made * 1e6;
  if (print)
    std::printf("A node: %.2f us by the graph, %.2f us by a call, %.2f us more (goal: 2)\n", graph_us, calls_us,
                graph_us - calls_us);
  return {{"graph_us", graph_us}, {"calls_us", calls_us}, {"overhead_us", graph_us - calls_us}};
}

Experiment exportedLike(Experiment experiment, const std::string& file) {
  experiment.model = {};
  experiment.model.arch.clear();
  experiment.model.classes = 0;
  experiment.model.file = file;
  experiment.data.shape.clear();
  return experiment;
}

nlohmann::json againstOwn(const Workload& workload, const std::string& file, bool print) {
  const auto executor = makeTorchExecutor();
  const Experiment own = workload.experiment();
  const Experiment exported = exportedLike(own, file);
  if (const Status fits = resolve(exported)->describedModel(); !fits.ok())
    throw std::runtime_error(fits.error().message);
  const VariantConfig variant = workload.oneLane("gpipe");
  std::vector<Contestant> contestants;
  contestants.emplace_back(workload.arch, *executor, own, variant);
  contestants.emplace_back("exported", *executor, exported, variant);
  std::vector<Series> series;
  for (Contestant& one : contestants) {
    one.runRound();
    series.push_back({one.name(), {}});
  }
  for (int round = 0; round < workload.rounds; ++round)
    for (std::size_t i = 0; i < contestants.size(); ++i) series[i].seconds.push_back(contestants[i].runRound());
  if (print)
    printTable("One lane of one thread, batch " + std::to_string(workload.batch) + ", " +
                   std::to_string(workload.micro_batches) + " micro-batches, interleaved rounds (goal: 0.97)",
               series);
  return toJson(series);
}

}  // namespace

nlohmann::json benchGraph(const Workload& workload, const std::string& file, bool print) {
  at::set_num_threads(1);
  nlohmann::json json = {{"node", nodeCost(workload.rounds, print)}};
  if (!file.empty()) json["network"] = againstOwn(workload, file, print);
  return json;
}

}  // namespace lanelab::bench
