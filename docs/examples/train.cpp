// SPDX-License-Identifier: GPL-3.0-only
#include "train.h"

#include <iostream>
#include <stop_token>

#include "engine/dist/run_processes.h"
#include "engine/experiment/resolution.h"
#include "engine/report/comparison_text.h"
#include "engine/run/runner.h"
#include "engine/torch/train/torch_executor.h"

int train(const lanelab::Experiment& experiment, const std::string& folder) {
  using namespace lanelab;
  const auto resolution = resolve(experiment);
  if (const Status trainable = resolution->trainable(); !trainable.ok()) {
    std::cerr << trainable.error().message << "\n";
    return 2;
  }
  const auto executor = makeTorchExecutor(peersOfLanes());
  RunObserver silent;
  const Result<RunRecord> record =
      runExperiment(*resolution, *executor, folder, RunOptions(), silent, std::stop_token());
  if (!record.ok() || record->status != RunStatus::Done) {
    std::cerr << (record.ok() ? record->error : record.error().message) << "\n";
    return 1;
  }
  std::cout << comparisonTable(*record) << "\n" << headline(*record).message << "\n";
  for (const VariantRecord& variant : record->variants)
    std::cout << variant.name << ": last loss " << variant.repeats.back().losses.back() << "\n";
  return 0;
}
