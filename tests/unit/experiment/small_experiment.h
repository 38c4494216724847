// SPDX-License-Identifier: GPL-3.0-only
// A tiny world for the tests of engine/run: an experiment of the toy network on two lanes.
#pragma once

#include "engine/experiment/experiment.h"

namespace lanelab::test {

inline Experiment smallExperiment() {
  Experiment experiment;
  experiment.name = "small";
  experiment.model = {"toy", 5, std::nullopt};
  experiment.data = {DataSource::Random, {10}, 8, 2, ""};
  experiment.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}};
  VariantConfig single{"Single",     Strategy::Single, ScheduleKind::Gpipe, std::nullopt, std::vector<int>{0},
                       std::nullopt, std::nullopt};
  experiment.variants = {single};
  experiment.repeats = 5;
  experiment.warmup = 1;
  return experiment;
}

}  // namespace lanelab::test
