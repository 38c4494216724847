// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/data/replica_rows.h"

#include <algorithm>

#include "engine/schedule/replicas.h"

namespace lanelab {

ReplicaRows::ReplicaRows(const VariantPlan& plan, int replica)
    : m_replica(replica),
      m_replicas(plan.replicas()),
      m_chunks(plan.strategy == Strategy::DataParallel),
      m_planned(plan.micro_batches),
      m_split(m_planned) {}

void ReplicaRows::beginBatch(int samples) { m_split = splitOf(samples); }

MicroBatches ReplicaRows::splitOf(int samples) const {
  if (m_replicas == 1) return m_planned.ofBatch(samples);
  if (!m_chunks) return m_planned.ofBatch(stridedRows(samples, m_replica, m_replicas));
  const std::vector<int> chunks = chunkSizes(samples, m_replicas);
  const int rows =
      static_cast<std::size_t>(m_replica) < chunks.size() ? chunks[static_cast<std::size_t>(m_replica)] : 0;
  return {rows, std::max(1, rows)};
}

std::vector<at::Tensor> ReplicaRows::microBatches(const at::Tensor& batch) const {
  const at::Tensor rows = rowsOf(batch);
  std::vector<at::Tensor> parts;
  for (int k = 0; k < m_split.count(); ++k) {
    const MicroBatchId id{k};
    parts.push_back(rows.narrow(0, m_split.begin(id), m_split.size(id)));
  }
  return parts;
}

at::Tensor ReplicaRows::rowsOf(const at::Tensor& batch) const {
  if (m_replicas == 1) return batch;
  if (!m_chunks) return batch.slice(0, m_replica, batch.size(0), m_replicas);
  const std::int64_t chunk = chunkSizes(static_cast<int>(batch.size(0)), m_replicas).front();
  return batch.narrow(0, std::min(batch.size(0), m_replica * chunk), m_split.batch);
}

}  // namespace lanelab
