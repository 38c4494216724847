// SPDX-License-Identifier: GPL-3.0-only
// Which samples of a batch, and which micro-batches of a step, are one replica's. With one replica: all of them.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "engine/experiment/variant_plan.h"

namespace lanelab {

class ReplicaRows {
 public:
  /// Replica r of w gets sample r, r + w, ... as DistributedSampler deals them out, or with data-parallel consecutive
  /// ones, as torch.chunk.
  ReplicaRows(const VariantPlan& plan, int replica);

  /// From now on a step's batch has so many samples, over all replicas.
  void beginBatch(int samples);
  /// The replica's samples, by micro-batches; as few as none where chunks ran out.
  const MicroBatches& split() const { return m_split; }
  /// The replica's rows of the whole batch, by micro-batches.
  std::vector<at::Tensor> microBatches(const at::Tensor& batch) const;

  /// Micro-batches are numbered over all replicas; a lane keeps those of its own, from 0.
  MicroBatchId own(MicroBatchId k) const { return MicroBatchId{k.value - m_replica * m_planned.count()}; }

 private:
  MicroBatches splitOf(int samples) const;
  at::Tensor rowsOf(const at::Tensor& batch) const;

  int m_replica, m_replicas;
  bool m_chunks;
  MicroBatches m_planned;  ///< of a full batch
  MicroBatches m_split;    ///< of this step's
};

}  // namespace lanelab
