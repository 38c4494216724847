// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/train/epoch_results.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/stop_point.h"
#include "engine/experiment/training_targets.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/lanes/session_peers.h"

namespace lanelab {

namespace {

std::int64_t answersPerRow(const TrainingJob& job) { return answersPerSample(job.experiment.training, job.model); }

/// A network of a fixed number of samples cannot process the rest.
std::int64_t validatedRows(const ModelSpec& model, std::int64_t all) {
  return model.least_samples == model.most_samples ? all - all % model.least_samples : all;
}

double share(std::int64_t part, std::int64_t all) { return static_cast<double>(part) / static_cast<double>(all); }

/// All stages of replica 0 in eval mode, each on its lane.
Result<at::Tensor> evaluate(SessionLanes& lanes, const at::Tensor& inputs) {
  TensorList values{inputs};
  for (const Stage& stage : lanes.job().plan.stages) {
    const Status done = lanes.evaluateOn(
        stage.lane, [&](LaneId, TorchLaneWorker& worker) { values = worker.stages().evaluate(stage.id, values); });
    if (!done.ok()) return done.error();
  }
  return values.front().to(at::kFloat);
}

}  // namespace

bool EpochResults::endsAt(int step) const {
  const DataConfig& data = m_lanes.job().experiment.data;
  return data.epochs && (step + 1) % stepsAnEpoch(data, m_lanes.job().inputs->data.size()) == 0;
}

Result<std::optional<EpochResult>> EpochResults::add(int step, double loss, const std::stop_token& stop) {
  const TrainingJob& job = m_lanes.job();
  if (!job.experiment.data.epochs) return std::optional<EpochResult>();
  m_loss += loss * job.batches->rowsOf(step).count / static_cast<double>(job.inputs->data.size());
  if (!endsAt(step)) return std::optional<EpochResult>();
  EpochResult result;
  result.loss = std::exchange(m_loss, 0);
  result.last_step = step;
  if (const Status counted = countCorrectAnswers(result); !counted.ok()) return counted.error();
  if (const Status done = validate(result, stop); !done.ok()) return done.error();
  return std::optional(result);
}

/// On all lanes of all processes.
Status EpochResults::countCorrectAnswers(EpochResult& result) {
  std::int64_t correct = 0;
  const Status counted = m_lanes.onEach([&](LaneId, TorchLaneWorker& worker) { correct += worker.collectCorrect(); });
  if (!counted.ok()) return counted;
  if (m_lanes.peers()) {
    const Result<std::int64_t> all = sumOfAll(*m_lanes.peers(), correct);
    if (!all.ok()) return all.error();
    correct = *all;
  }
  const TrainingJob& job = m_lanes.job();
  const Dataset& data = job.inputs->data;
  const auto answers = static_cast<double>(data.size() * answersPerRow(job) - data.padding());
  if (answers > 0) result.accuracy = static_cast<double>(correct) / answers;
  return {};
}

/// The loss and, if the loss knows right answers, the accuracy on the validation rows, one micro-batch's size after the
/// other.
Status EpochResults::validate(EpochResult& result, const std::stop_token& stop) try {
  const TrainingJob& job = m_lanes.job();
  const Dataset& data = job.inputs->data;
  const std::int64_t total = validatedRows(job.model, data.validationSize());
  if (total == 0 || !m_lanes.includeWholeModel()) return {};
  const LossRule rule(job.experiment.training);
  const std::int64_t padding = data.validationPadding(total), answers = total * answersPerRow(job) - padding;
  const std::int64_t most = job.plan.micro_batches.split_size;
  double loss = 0;
  std::int64_t correct = 0;
  for (std::int64_t begin = 0; begin < total; begin += most) {
    if (stop.stop_requested()) return Error::cancelled();
    const std::int64_t count = std::min(most, total - begin);
    const Samples rows = data.validationRows(begin, count);
    const Result<at::Tensor> output = evaluate(m_lanes, rows.inputs);
    if (!output.ok()) return output.error();
    const at::Tensor part = padding > 0 ? lossPerValidTarget(rule, *output, rows.targets, static_cast<double>(answers))
                                        : weightedLoss(rule, *output, rows.targets, share(count, total));
    loss += part.item<double>();
    if (answers > 0) correct += countCorrect(rule, *output, rows.targets).item<std::int64_t>();
  }
  result.validation_loss = loss;
  if (answers > 0) result.validation_accuracy = share(correct, answers);
  return {};
} catch (const Stopped&) {
  return Error::cancelled();
} catch (const std::exception& error) {
  return Error::failed("The validation after an epoch failed: {}.", plainMessage(error));
}

}  // namespace lanelab
