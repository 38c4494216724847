// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/overlay/overlay_metric.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace lanelab {

std::vector<OverlayAxis> axesOf(OverlayMetric metric) {
  using enum OverlayAxis;
  switch (metric) {
    case OverlayMetric::Loss: return {Step, Time, Epoch};
    case OverlayMetric::ValidationLoss:
    case OverlayMetric::Accuracy:
    case OverlayMetric::ValidationAccuracy: return {Epoch, Step, Time};
    case OverlayMetric::StepTime: return {MicroBatchSize, Lanes, Step, Time};
    case OverlayMetric::SamplesPerSecond:
    case OverlayMetric::PeakMemory: return {MicroBatchSize, Lanes};
  }
  return {};
}

Status checkAxis(OverlayMetric metric, OverlayAxis axis) {
  const std::vector<OverlayAxis> axes = axesOf(metric);
  if (std::ranges::find(axes, axis) != axes.end()) return {};
  std::vector<std::string> known;
  for (const OverlayAxis possible : axes) known.push_back(toWord(possible));
  return Error::badInput("{} is not drawn against {}. Choose {}.", toWord(metric), toWord(axis), joinOr(known));
}

std::string titleOf(OverlayMetric metric) {
  switch (metric) {
    case OverlayMetric::Loss: return "Training loss";
    case OverlayMetric::ValidationLoss: return "Validation loss";
    case OverlayMetric::Accuracy: return "Training accuracy";
    case OverlayMetric::ValidationAccuracy: return "Validation accuracy";
    case OverlayMetric::StepTime: return "Step time";
    case OverlayMetric::SamplesPerSecond: return "Samples per second";
    case OverlayMetric::PeakMemory: return "Peak memory";
  }
  return {};
}

std::string keyOf(OverlayMetric metric) {
  switch (metric) {
    case OverlayMetric::Loss: return "loss";
    case OverlayMetric::ValidationLoss: return "validation_loss";
    case OverlayMetric::Accuracy: return "accuracy";
    case OverlayMetric::ValidationAccuracy: return "validation_accuracy";
    case OverlayMetric::StepTime: return "step_s";
    case OverlayMetric::SamplesPerSecond: return "images_per_second";
    case OverlayMetric::PeakMemory: return "peak_bytes";
  }
  return {};
}

std::string keyOf(OverlayAxis axis) {
  switch (axis) {
    case OverlayAxis::Step: return "step";
    case OverlayAxis::Time: return "time_s";
    case OverlayAxis::Epoch: return "epoch";
    case OverlayAxis::MicroBatchSize: return "micro_batch_size";
    case OverlayAxis::Lanes: return "lanes";
  }
  return {};
}

std::string valueText(OverlayMetric metric, double value) {
  if (!std::isfinite(value)) return "-";
  switch (metric) {
    case OverlayMetric::Loss:
    case OverlayMetric::ValidationLoss: return formatNumber(value, 4);
    case OverlayMetric::Accuracy:
    case OverlayMetric::ValidationAccuracy: return formatPercent(value);
    case OverlayMetric::StepTime: return formatSeconds(value);
    case OverlayMetric::SamplesPerSecond: return formatFigures(value);
    case OverlayMetric::PeakMemory: return formatBytes(std::llround(value));
  }
  return {};
}

std::string placeText(OverlayAxis axis, double x) {
  const auto count = std::llround(x);
  switch (axis) {
    case OverlayAxis::Step: return "step " + std::to_string(count + 1);
    case OverlayAxis::Time: return formatSeconds(x);
    case OverlayAxis::Epoch: return "epoch " + std::to_string(count + 1);
    case OverlayAxis::MicroBatchSize: return "micro-batch size " + std::to_string(count);
    case OverlayAxis::Lanes: return counted(count, "lane");
  }
  return {};
}

}  // namespace lanelab
