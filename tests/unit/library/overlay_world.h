// SPDX-License-Identifier: GPL-3.0-only
// Runs for the tests of overlays, as if they had been read.
#pragma once

#include "engine/library/overlay/overlaid_run.h"
#include "tests/unit/library/library_world.h"

namespace lanelab::test {

/// Three losses of two steps an epoch and a validation in each of two epochs, in the pipeline's newest repeat.
inline RunRecord epochsRecord(const std::string& name) {
  RunRecord record = doneRecord(name);
  record.experiment.data.epochs = 2;
  RepeatRecord& newest = record.variants[1].repeats.back();
  newest.step_seconds = {0.25, 0.25, 0.5, 0.5};
  newest.losses = {4, 3, 2, 1};
  newest.epochs = {{3.5, 0.25, 3.0, 0.5, 1}, {1.5, 0.75, 1.25, 0.625, 3}};
  return record;
}

inline OverlaidRun overlaid(RunRecord record) {
  OverlaidRun run{record.experiment.name, entryOf("/runs/" + record.id, record, {}), nullptr, false};
  run.record = std::make_shared<const RunRecord>(std::move(record));
  return run;
}

}  // namespace lanelab::test
