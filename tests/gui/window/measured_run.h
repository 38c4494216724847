// SPDX-License-Identifier: GPL-3.0-only
// A run folder as if it had been measured: ResNet-50 on two lanes, with one block on the wrong one.
#pragma once

#include "engine/record/run_store.h"
#include "profiler/io/chrome/chrome_writer.h"
#include "tests/unit/advise/measured_world.h"

namespace lanelab::test {

inline Experiment oneBlockTooMany() {
  Experiment experiment = resnetOn(2);
  experiment.name = "measured";
  experiment.data.steps = 1;
  experiment.repeats = 5;
  VariantConfig single;
  single.name = "Single";
  single.lanes = std::vector<int>{0};
  experiment.variants = {single, pipelineCutAt({"layer3.0"}, ScheduleKind::OneFOneB, 8)};
  return experiment;
}

/// All blocks take equally long, so layer3.0 belongs to lane 0; no other order of the actions makes up for it.
inline void writeMeasuredRun(const std::string& folder) {
  RunRecord record;
  record.id = "measured";
  record.status = RunStatus::Done;
  record.experiment = oneBlockTooMany();
  const ModelSpec model = modelIn(record.experiment);
  StepCosts costs = randomCosts(model, 1);
  for (BlockCost& block : costs.whole.blocks) block = {block.name, 0.001, 0.002, 0, 0};
  costs.whole.transfers.assign(model.blocks.size() - 1, 0.0004);
  Result<RunFolder> made = RunFolder::create(folder);
  ASSERT_TRUE(made.ok());
  for (const VariantConfig& variant : record.experiment.variants) {
    const VariantPlan plan = planned(record.experiment, variant);
    const auto trace = traceOf(record.experiment, model, plan, costs);
    ASSERT_TRUE(writeChromeTrace(*trace, made->tracePath(variant.name)).ok());
    VariantRecord measured;
    measured.name = variant.name;
    measured.strategy = variant.strategy;
    measured.stages = static_cast<int>(plan.stages.size());
    measured.split_size = plan.micro_batches.split_size;
    measured.micro_batches = plan.micro_batches.count();
    const double seconds = static_cast<double>(trace->range().length()) * 1e-9;
    for (int i = 0; i < 5; ++i) measured.repeats.push_back({seconds * (1 + 0.001 * i), {seconds}, {1.0}, {}});
    measured.recording = RecordingCost{"blocks", 0.004, Interval{-0.002, 0.009}, 8, ""};
    record.variants.push_back(measured);
  }
  ASSERT_TRUE(refreshStatistics(record).ok());
  ASSERT_TRUE(made->write(record).ok());
}

}  // namespace lanelab::test
