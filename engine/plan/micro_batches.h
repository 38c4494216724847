// How a batch is cut into micro-batches.
#pragma once

#include <vector>

#include "engine/base/ids.h"

namespace lanelab {

/// Split size is samples a micro-batch; the last one may be smaller: 120 by 50 is 50, 50, 20. Losses and gradients are weighted by
/// size/batch, so that their sum equals the loss of the unsplit batch.
struct MicroBatches {
  int batch = 1;
  int split_size = 1;  ///< 1 ... batch

  int count() const { return (batch + split_size - 1) / split_size; }
  int begin(MicroBatchId k) const { return k.value * split_size; }
  int size(MicroBatchId k) const { return begin(k) + split_size <= batch ? split_size : batch - begin(k); }
  double weight(MicroBatchId k) const { return static_cast<double>(size(k)) / batch; }
  bool operator==(const MicroBatches&) const = default;
};

}  // namespace lanelab
