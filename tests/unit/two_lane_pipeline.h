// SPDX-License-Identifier: GPL-3.0-only
// The experiment of tests that need one pipeline: two CPU lanes, two steps, nothing recorded.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/experiment/experiment.h"

namespace lanelab::test {

/// Four samples a step in two micro-batches, 1F1B.
inline Experiment twoLanePipeline(ModelConfig model, std::vector<std::int64_t> shape, std::string cut) {
  Experiment experiment;
  experiment.model = std::move(model);
  experiment.data.shape = std::move(shape);
  experiment.data.batch = 4;
  experiment.data.steps = 2;
  experiment.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}};
  experiment.record = RecordMode::Off;
  VariantConfig variant;
  variant.name = "Pipeline";
  variant.strategy = Strategy::Pipeline;
  variant.schedule = ScheduleKind::OneFOneB;
  variant.split_size = 2;
  variant.cuts = std::vector<std::string>{std::move(cut)};
  experiment.variants = {variant};
  return experiment;
}

}  // namespace lanelab::test
