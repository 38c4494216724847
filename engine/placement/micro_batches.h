// SPDX-License-Identifier: GPL-3.0-only
// How a batch is cut into micro-batches.
#pragma once

#include <cstdint>
#include <limits>

#include "base/ids.h"

namespace lanelab {

/// Far above every use; a span keeps a micro-batch's number in 16 bits.
constexpr int kMostMicroBatches = std::numeric_limits<std::int16_t>::max();

/// Split size is samples a micro-batch; the last one may be smaller: 120 by 50 is 50, 50, 20. Losses and gradients are
/// weighted by size/batch, so that their sum equals the loss of the unsplit batch.
struct MicroBatches {
  int batch = 1;
  int split_size = 1;  ///< 1 ... batch
  int parts =
      0;  ///< above 0: so many micro-batches of sizes as even as can be, whatever split_size says; at most batch

  int count() const { return parts > 0 ? parts : (batch + split_size - 1) / split_size; }
  int begin(MicroBatchId k) const {
    return parts > 0 ? static_cast<int>(static_cast<long long>(batch) * k.value / parts) : k.value * split_size;
  }
  int size(MicroBatchId k) const {
    if (parts > 0) return begin(MicroBatchId{k.value + 1}) - begin(k);
    return begin(k) + split_size <= batch ? split_size : batch - begin(k);
  }
  double weight(MicroBatchId k) const { return static_cast<double>(size(k)) / batch; }
  bool operator==(const MicroBatches&) const = default;

  /// The same number of micro-batches for an epoch's last batch, which may hold fewer samples (but not fewer than
  /// micro-batches): a schedule is made for a number.
  MicroBatches ofBatch(int samples) const {
    return samples == batch ? *this : MicroBatches{samples, split_size, count()};
  }
};

}  // namespace lanelab
