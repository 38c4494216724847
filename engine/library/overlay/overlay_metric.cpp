// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/overlay/overlay_metric.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace lanelab {
namespace {

std::string lossText(double value) { return formatNumber(value, 4); }
std::string bytesText(double value) { return formatBytes(std::llround(value)); }

struct MetricTraits {
  const char* title;
  const char* key;
  std::string (*text)(double value);  ///< of a finite one
  std::vector<OverlayAxis> axes;
};

MetricTraits traitsOf(OverlayMetric metric) {
  using enum OverlayAxis;
  const auto percent = [](double value) { return formatPercent(value); };
  const auto seconds = [](double value) { return formatSeconds(value); };
  const auto figures = [](double value) { return formatFigures(value); };
  switch (metric) {
    case OverlayMetric::Loss: return {"Training loss", "loss", lossText, {Step, Time, Epoch}};
    case OverlayMetric::ValidationLoss: return {"Validation loss", "validation_loss", lossText, {Epoch, Step, Time}};
    case OverlayMetric::Accuracy: return {"Training accuracy", "accuracy", percent, {Epoch, Step, Time}};
    case OverlayMetric::ValidationAccuracy:
      return {"Validation accuracy", "validation_accuracy", percent, {Epoch, Step, Time}};
    case OverlayMetric::StepTime: return {"Step time", "step_s", seconds, {MicroBatchSize, Lanes, Step, Time}};
    case OverlayMetric::SamplesPerSecond:
      return {"Samples per second", "images_per_second", figures, {MicroBatchSize, Lanes}};
    case OverlayMetric::PeakMemory: return {"Peak memory", "peak_bytes", bytesText, {MicroBatchSize, Lanes}};
  }
  return {"", "", figures, {}};
}

}  // namespace

std::vector<OverlayAxis> axesOf(OverlayMetric metric) { return traitsOf(metric).axes; }

Status checkAxis(OverlayMetric metric, OverlayAxis axis) {
  const std::vector<OverlayAxis> axes = axesOf(metric);
  if (std::ranges::find(axes, axis) != axes.end()) return {};
  std::vector<std::string> known;
  for (const OverlayAxis possible : axes) known.push_back(toWord(possible));
  return Error::badInput("{} is not drawn against {}. Choose {}.", toWord(metric), toWord(axis), joinOr(known));
}

std::string titleOf(OverlayMetric metric) { return traitsOf(metric).title; }

std::string keyOf(OverlayMetric metric) { return traitsOf(metric).key; }

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
  return std::isfinite(value) ? traitsOf(metric).text(value) : "-";
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
