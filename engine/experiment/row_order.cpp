// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/row_order.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "engine/model/shape.h"

namespace lanelab {

namespace {

/// Keeps the order's random numbers apart from the weights' and the data's.
constexpr std::uint64_t kOrderStream = 0xd1b54a32d192ed03u;
constexpr std::uint64_t kEpochStride = 0x9e3779b97f4a7c15u;
constexpr std::int64_t kRandomBytes = std::int64_t{512} << 20;

}  // namespace

int stepsAnEpoch(const DataConfig& data, std::int64_t rows) {
  return static_cast<int>((rows + data.batch - 1) / std::max(data.batch, 1));
}

std::int64_t randomRowCount(const DataConfig& data) {
  if (data.rows) return *data.rows;
  const std::int64_t batch_bytes = data.batch * numbersOf(data.shape) * 4;
  return data.batch *
         std::clamp<std::int64_t>(kRandomBytes / std::max<std::int64_t>(batch_bytes, 1), 1, std::max(data.steps, 1));
}

std::optional<std::int64_t> knownRows(const DataConfig& data) {
  if (data.source == DataSource::Digits) return kDigitsTraining;
  return data.source == DataSource::Random && data.rows ? std::optional<std::int64_t>(*data.rows) : std::nullopt;
}

StepRows rowsOfStep(const DataConfig& data, std::int64_t rows, int step) {
  if (!data.epochs) return {static_cast<std::int64_t>(step) * data.batch, data.batch};
  const int steps = stepsAnEpoch(data, rows);
  const std::int64_t within = static_cast<std::int64_t>(step % steps) * data.batch;
  return {step / steps * rows + within, static_cast<int>(std::min<std::int64_t>(data.batch, rows - within))};
}

std::vector<std::int64_t> RowOrder::rowsAt(std::int64_t begin, std::int64_t count) const {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(count));
  const std::lock_guard lock(m_mutex);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t epoch = (begin + i) / m_rows, within = (begin + i) % m_rows;
    rows[static_cast<std::size_t>(i)] = m_seed ? shuffledEpoch(epoch)[static_cast<std::size_t>(within)] : within;
  }
  return rows;
}

const std::vector<std::int64_t>& RowOrder::shuffledEpoch(std::int64_t epoch) const {
  if (epoch == m_epoch) return m_order;
  m_epoch = epoch;
  m_order.resize(static_cast<std::size_t>(m_rows));
  std::iota(m_order.begin(), m_order.end(), 0);
  std::mt19937_64 random((*m_seed ^ kOrderStream) + static_cast<std::uint64_t>(epoch) * kEpochStride);
  // Fisher and Yates' shuffle, written out since std::shuffle differs between libraries and the order shall not.
  for (std::size_t i = m_order.size(); i > 1; --i) std::swap(m_order[i - 1], m_order[random() % i]);
  return m_order;
}

}  // namespace lanelab
