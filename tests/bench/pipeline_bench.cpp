#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/torch/torch_executor.h"
#include "tests/bench/benches.h"

namespace lanelab::bench {

nlohmann::json benchPipeline(const Workload& workload, bool print) {
  const auto executor = makeTorchExecutor();
  const Experiment experiment = workload.experiment();
  std::vector<Contestant> contestants;
  Workload interleaved = workload;
  interleaved.cut = workload.interleaved;
  for (const VariantConfig& variant :
       {workload.oneLane("gpipe"), workload.oneLane("1f1b"), workload.twoLanes(), interleaved.twoLanes()}) {
    contestants.emplace_back(variant.name, *executor, experiment, variant);
  }
  std::vector<Series> series;
  for (Contestant& one : contestants) {
    one.runRound();
    series.push_back({one.name(), {}});
  }
  for (int round = 0; round < workload.rounds; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) series[i].seconds.push_back(contestants[i].runRound());
  }
  if (print) {
    printTable(workload.arch + ", " + std::to_string(workload.image) + " px, batch " + std::to_string(workload.batch) + ", " +
                   std::to_string(workload.micro_batches) + " micro-batches, one thread a lane, interleaved rounds (goal: 1.85)",
               series);
  }
  return toJson(series);
}

nlohmann::json benchRecorder(const Workload& workload, bool print) {
  const auto executor = makeTorchExecutor();
  std::vector<Contestant> contestants;
  std::vector<Series> series;
  for (const RecordMode mode : {RecordMode::Off, RecordMode::Actions, RecordMode::Blocks, RecordMode::Operators}) {
    Experiment experiment = workload.experiment();
    experiment.record = mode;
    contestants.emplace_back("record " + std::string(toString(mode)), *executor, experiment, workload.twoLanes());
    contestants.back().runRound();
    series.push_back({contestants.back().name(), {}});
  }
  std::size_t spans = 0;
  for (int round = 0; round < workload.rounds; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      TraceBuilder trace("bench", {{"a", "cpu:0"}, {"b", "cpu:1"}});
      series[i].seconds.push_back(contestants[i].runRound(i == 0 ? nullptr : &trace));
      spans = trace.spanCount();
    }
  }
  if (print) {
    printTable("Recording, two lanes: x below 1 is its cost (goal: actions at least 0.99)", series);
    std::printf("%zu spans a round with operators\n", spans);
  }
  return toJson(series);
}

}  // namespace lanelab::bench
