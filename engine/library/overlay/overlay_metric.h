// SPDX-License-Identifier: GPL-3.0-only
// What of many runs is drawn in one chart, and against what. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/words.h"

namespace lanelab {

/// The first four are curves of a repeat; step time is one, too, or as the last ones a figure of each variant.
enum class OverlayMetric {
  Loss,
  ValidationLoss,
  Accuracy,
  ValidationAccuracy,
  StepTime,          ///< seconds; of a figure the mean over the counted repeats
  SamplesPerSecond,  ///< mean over the counted repeats
  PeakMemory         ///< bytes, of the lane that has most
};
constexpr std::array<Word<OverlayMetric>, 7> wordTable(OverlayMetric) {
  return {{{OverlayMetric::Loss, "loss"},
           {OverlayMetric::ValidationLoss, "validation-loss"},
           {OverlayMetric::Accuracy, "accuracy"},
           {OverlayMetric::ValidationAccuracy, "validation-accuracy"},
           {OverlayMetric::StepTime, "step-time"},
           {OverlayMetric::SamplesPerSecond, "samples/s"},
           {OverlayMetric::PeakMemory, "peak-memory"}}};
}

/// Steps and epochs count from 0 here and in files, from 1 for readers. Time is the sum of the steps so far, in
/// seconds, without what is between them.
enum class OverlayAxis { Step, Time, Epoch, MicroBatchSize, Lanes };
constexpr std::array<Word<OverlayAxis>, 5> wordTable(OverlayAxis) {
  return {{{OverlayAxis::Step, "step"},
           {OverlayAxis::Time, "time"},
           {OverlayAxis::Epoch, "epoch"},
           {OverlayAxis::MicroBatchSize, "micro-batch-size"},
           {OverlayAxis::Lanes, "lanes"}}};
}

/// What a metric can be drawn against, what suits it best first.
std::vector<OverlayAxis> axesOf(OverlayMetric metric);
/// BadInput names the axes of the metric.
Status checkAxis(OverlayMetric metric, OverlayAxis axis);
/// Whether a point is one figure of a variant, so that curves join variants and runs.
constexpr bool joinsVariants(OverlayAxis axis) {
  return axis == OverlayAxis::MicroBatchSize || axis == OverlayAxis::Lanes;
}

/// "Validation loss", for the command line.
std::string titleOf(OverlayMetric metric);
/// Column of CSV tables: "peak_bytes", "micro_batch_size".
std::string keyOf(OverlayMetric metric);
std::string keyOf(OverlayAxis axis);

/// "0.421", "94.2 %", "12.3 ms", "49.0", "1.5 MiB"; "-" for no finite number.
std::string valueText(OverlayMetric metric, double value);
/// For readers: "step 13", "12.3 s", "epoch 2", "micro-batch size 16", "2 lanes".
std::string placeText(OverlayAxis axis, double x);

}  // namespace lanelab
