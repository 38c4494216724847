// SPDX-License-Identifier: GPL-3.0-only
// Which rows of a data set a step trains on: in order or shuffled, by steps that wrap round or by epochs whose last
// batch is smaller.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/experiment/experiment.h"

namespace lanelab {

/// Rows are counted through the epochs: of N rows, position N is the first one of the second epoch.
struct StepRows {
  std::int64_t begin = 0;
  int count = 0;
  bool operator==(const StepRows&) const = default;
};

/// Without data.epochs every step takes data.batch rows and wraps round; with it an epoch is ceil(rows / batch) steps,
/// and its last batch may be smaller.
StepRows rowsOfStep(const DataConfig& data, std::int64_t rows, int step);
int stepsAnEpoch(const DataConfig& data, std::int64_t rows);
/// Rows of random data: data.rows, or one batch per step up to 512 MiB, then from the first row again.
std::int64_t randomRowCount(const DataConfig& data);

/// Handwritten digits to train on, of those in the program; the others are for validation.
constexpr std::int64_t kDigitsTraining = 1437;
/// How many rows an epoch has, of data that need not be looked at for that; none for files.
std::optional<std::int64_t> knownRows(const DataConfig& data);

/// Positions to row numbers. Any thread.
class RowOrder {
 public:
  /// With a seed each epoch has its own shuffled order, which follows from seed and epoch alone, so that a run can be
  /// resumed anywhere.
  RowOrder(std::int64_t rows, std::optional<std::uint64_t> seed) : m_rows(rows), m_seed(seed) {}

  bool shuffled() const { return m_seed.has_value(); }
  std::vector<std::int64_t> rowsAt(std::int64_t begin, std::int64_t count) const;

 private:
  const std::vector<std::int64_t>& shuffledEpoch(std::int64_t epoch) const;

  std::int64_t m_rows;
  std::optional<std::uint64_t> m_seed;
  mutable std::mutex m_mutex;  ///< guards the newest epoch's order
  mutable std::int64_t m_epoch = -1;
  mutable std::vector<std::int64_t> m_order;
};

}  // namespace lanelab
