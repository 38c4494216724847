// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/result_table.h"

namespace lanelab {

void ResultTable::begin(int stages, int micro_batches, std::size_t spans) {
  m_stages = stages;
  m_micro_batches = micro_batches;
  m_results.clear();
  m_sparse_places.clear();
  const std::size_t keys = static_cast<std::size_t>(stages) * static_cast<std::size_t>(micro_batches) * 2;
  m_dense = keys <= 64 + 8 * spans;
  if (m_dense) m_dense_places.assign(keys, kNoItem);
}

StageResult& ResultTable::entry(int stage, bool forward, int micro_batch) {
  const std::size_t key = keyOf(stage, forward, micro_batch);
  std::uint32_t& place = m_dense ? m_dense_places[key] : m_sparse_places.try_emplace(key, kNoItem).first->second;
  if (place == kNoItem) {
    place = static_cast<std::uint32_t>(m_results.size());
    m_results.emplace_back();
  }
  return m_results[place];
}

const StageResult* ResultTable::find(int stage, bool forward, int micro_batch) const {
  if (stage < 0 || stage >= m_stages || micro_batch < 0 || micro_batch >= m_micro_batches) return nullptr;
  const std::size_t key = keyOf(stage, forward, micro_batch);
  if (m_dense) return m_dense_places[key] == kNoItem ? nullptr : &m_results[m_dense_places[key]];
  const auto found = m_sparse_places.find(key);
  return found == m_sparse_places.end() ? nullptr : &m_results[found->second];
}

}  // namespace lanelab
