// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/training_length.h"

#include "engine/experiment/row_order.h"

namespace lanelab {

namespace {

constexpr std::int64_t kMostSteps = 1'000'000;

Status checkLastBatch(const Resolution& resolution, std::int64_t rows, int last) {
  const DataConfig& data = resolution.experiment().data;
  for (const ResolvedVariant& variant : resolution.variants()) {
    const int count = variant.microBatches().count(), replicas = variant.replicas();
    const int least = variant.config().strategy == Strategy::DataParallel ? last : last / replicas;
    if (least >= count) continue;
    return Error::badInput(
        "data.batch: an epoch of {} samples ends in a batch of {} by batches of {}, fewer than the {} micro-batches of "
        "\"{}\". Choose another batch or a larger split size.",
        rows, last, data.batch, count * replicas, variant.config().name);
  }
  return {};
}

}  // namespace

Result<TrainingLength> trainingLength(const Resolution& resolution, const Executor& executor) {
  const DataConfig& data = resolution.experiment().data;
  if (!data.epochs) return TrainingLength{data.steps, static_cast<std::int64_t>(data.batch) * data.steps, {data.batch}};
  const Result<std::int64_t> rows = executor.trainingRows(resolution.experiment());
  if (!rows.ok()) return rows.error();
  const std::int64_t an_epoch = stepsAnEpoch(data, *rows), steps = an_epoch * *data.epochs;
  if (steps > kMostSteps) {
    return Error::badInput(
        "data.epochs: {} epochs of {} steps are more than a million steps. Take fewer epochs or a larger batch.",
        *data.epochs, an_epoch);
  }
  TrainingLength length{static_cast<int>(steps), *rows * *data.epochs, {}};
  for (int step = 0; step < an_epoch; ++step) length.images_a_step.push_back(rowsOfStep(data, *rows, step).count);
  if (const Status fits = checkLastBatch(resolution, *rows, length.images_a_step.back()); !fits.ok())
    return fits.error();
  return length;
}

}  // namespace lanelab
