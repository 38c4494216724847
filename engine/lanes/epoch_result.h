// SPDX-License-Identifier: GPL-3.0-only
// What one pass over the training data gave.
#pragma once

#include <optional>

namespace lanelab {

/// Training values are means over the epoch's samples, taken while the weights change; validation values are of the
/// weights after the epoch, with batch norm's running statistics. Accuracy is the share of samples whose largest output
/// is their class, or of tokens that are predicted.
struct EpochResult {
  double loss = 0;
  std::optional<double> accuracy = {};         ///< none: the loss knows no right answers
  std::optional<double> validation_loss = {};  ///< none: the data have no validation part
  std::optional<double> validation_accuracy = {};
  int last_step = 0;  ///< of the epoch, counted within the repeat
  bool operator==(const EpochResult&) const = default;
};

}  // namespace lanelab
