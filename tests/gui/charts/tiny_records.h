// SPDX-License-Identifier: GPL-3.0-only
// Small run records with known times.
#pragma once

#include <memory>

#include "engine/record/run_record.h"

namespace lanelab::test {

inline VariantRecord variantOf(const std::string& name, const std::vector<double>& seconds) {
  VariantRecord variant;
  variant.name = name;
  variant.strategy = Strategy::Single;
  for (const double s : seconds) variant.repeats.push_back({s, {s / 2, s / 2}, {1.0, 0.5}});
  return variant;
}

/// Single takes 2 s, Pipeline about half of it; five repeats each.
inline RunRecord twoVariants() {
  RunRecord record;
  record.id = "tiny-1";
  record.status = RunStatus::Done;
  record.experiment.name = "tiny";
  record.experiment.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}};
  record.experiment.data.batch = 16;
  record.experiment.data.steps = 2;
  record.experiment.variants.resize(2);
  record.experiment.variants[0].name = "Single";
  record.experiment.variants[1].name = "Pipeline";
  record.variants = {variantOf("Single", {2.00, 2.02, 1.98, 2.01, 1.99}),
                     variantOf("Pipeline", {1.10, 1.12, 1.08, 1.11, 1.40})};
  const Status status = refreshStatistics(record);
  (void)status;
  return record;
}

inline std::shared_ptr<const RunRecord> shared(RunRecord record) {
  return std::make_shared<const RunRecord>(std::move(record));
}

}  // namespace lanelab::test
