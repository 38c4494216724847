// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/training_length.h"

#include "engine/experiment/experiment_checks.h"
#include "engine/experiment/row_order.h"

namespace lanelab {

Status checkRows(const Resolution& resolution, std::int64_t rows) {
  Problems problems;
  checkEpochs(resolution.experiment().data, rows, problems);
  for (const ResolvedVariant& variant : resolution.variants()) {
    if (problems.found.empty()) checkLastBatch(variant, rows, problems);
    if (problems.found.empty()) checkLastBatchTrainable(variant, rows, problems);
  }
  return problems.found.empty() ? Status() : Status(errorOf(problems.found.front()));
}

Result<TrainingLength> trainingLength(const Resolution& resolution, const Executor& executor) {
  const DataConfig& data = resolution.experiment().data;
  if (!data.epochs) return TrainingLength{data.steps, static_cast<std::int64_t>(data.batch) * data.steps, {data.batch}};
  const Result<std::int64_t> rows = executor.trainingRows(resolution.experiment());
  if (!rows.ok()) return rows.error();
  if (const Status fits = checkRows(resolution, *rows); !fits.ok()) return fits.error();
  const int an_epoch = stepsAnEpoch(data, *rows);
  TrainingLength length{an_epoch * *data.epochs, *rows * *data.epochs, {}};
  for (int step = 0; step < an_epoch; ++step) length.samples_per_step.push_back(rowsOfStep(data, *rows, step).count);
  return length;
}

}  // namespace lanelab
