// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/torch/train/torch_executor.h"
#include "tests/bench/benches.h"

namespace lanelab::bench {

namespace {

struct BlockTime {
  double forward = 0, backward = 0;  ///< seconds a micro-batch
};

/// Time of every operator without the operators inside it, by name.
std::map<std::string, double> selfTimes(const Trace& trace) {
  std::map<std::string, double> times;
  for (const Track& track : trace.tracks) {
    std::vector<Span> open;
    for (const Span& span : track.spans) {
      if (span.category != Category::CpuOp) continue;
      while (!open.empty() && open.back().end <= span.start) open.pop_back();
      const double seconds = static_cast<double>(span.end - span.start) * 1e-9;
      if (!open.empty()) times[trace.nameOf(open.back())] -= seconds;
      times[trace.nameOf(span)] += seconds;
      open.push_back(span);
    }
  }
  return times;
}

std::map<std::string, BlockTime> blockTimes(const Trace& trace, double micro_batches) {
  std::map<std::string, BlockTime> times;
  for (const Track& track : trace.tracks) {
    for (const Span& span : track.spans) {
      if (span.category != Category::Block) continue;
      const double seconds = static_cast<double>(span.end - span.start) * 1e-9 / micro_batches;
      (span.phase == Phase::Forward ? times[trace.nameOf(span)].forward : times[trace.nameOf(span)].backward) +=
          seconds;
    }
  }
  return times;
}

std::shared_ptr<const Trace> traceOneLane(const Workload& workload, RecordMode mode) {
  const auto executor = makeTorchExecutor();
  Experiment experiment = workload.experiment();
  experiment.record = mode;
  Contestant contestant("one lane", *executor, experiment, workload.oneLane("1f1b"));
  contestant.runRound();
  TraceBuilder trace("bench", {{"a", "cpu:0"}, {"b", "cpu:1"}});
  contestant.runRound(&trace);
  return trace.snapshot();
}

}  // namespace

nlohmann::json benchBlocks(const Workload& workload, bool print) {
  const auto resolution = resolve(workload.experiment());
  const auto times = blockTimes(*traceOneLane(workload, RecordMode::Blocks),
                                static_cast<double>(workload.micro_batches * workload.steps));
  nlohmann::json rows = nlohmann::json::array();
  double before = 0, total = 0;
  for (const auto& [name, time] : times) total += time.forward + time.backward;
  if (print) std::printf("%-12s %12s %12s %24s\n", "block", "forward ms", "backward ms", "share before it %");
  for (const BlockSpec& block : resolution->model().blocks) {
    const BlockTime time = times.at(block.name);
    rows.push_back({{"block", block.name},
                    {"forward", time.forward},
                    {"backward", time.backward},
                    {"share_before", before / total}});
    if (print)
      std::printf("%-12s %12.2f %12.2f %24.1f\n", block.name.c_str(), time.forward * 1e3, time.backward * 1e3,
                  before / total * 100);
    before += time.forward + time.backward;
  }
  std::vector<std::pair<double, std::string>> operators;
  for (const auto& [name, seconds] : selfTimes(*traceOneLane(workload, RecordMode::Operators)))
    operators.emplace_back(seconds, name);
  std::sort(operators.rbegin(), operators.rend());
  operators.resize(std::min<std::size_t>(operators.size(), 14));
  for (const auto& [seconds, name] : operators) {
    const double each = seconds / workload.micro_batches / workload.steps;
    rows.push_back({{"operator", name}, {"self", each}});
    if (print) std::printf("%-56s %10.2f ms a micro-batch\n", name.c_str(), each * 1e3);
  }
  return rows;
}

}  // namespace lanelab::bench
