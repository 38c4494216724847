// SPDX-License-Identifier: GPL-3.0-only
// Where the rows of a data set come from.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <vector>

namespace lanelab {

/// Some rows: inputs [n, ...] in fp32, or tokens in int64; targets class ids [n], token ids [n, T] in int64, or numbers
/// [n, ...].
struct Samples {
  at::Tensor inputs;
  at::Tensor targets;
};

/// Immutable; any thread.
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual std::int64_t size() const = 0;
  /// These rows in this order. Throws std::runtime_error with a sentence that names the file where one cannot be read
  /// any more.
  virtual Samples rows(const std::vector<std::int64_t>& numbers) const = 0;
  /// Neighbouring rows that lie ready in memory, without a copy; none where rows have to be made first.
  virtual std::optional<Samples> view(std::int64_t /*begin*/, std::int64_t /*count*/) const { return {}; }
  /// The targets of all rows if they lie in memory, integers of any size; else undefined.
  virtual at::Tensor targets() const { return {}; }
};

/// All rows in memory as they are wanted; integers of any size, which become int64 in a batch.
std::shared_ptr<const RowSource> residentRows(at::Tensor inputs, at::Tensor targets);

/// The rows to train on and those to validate with (null: none).
struct DataParts {
  std::shared_ptr<const RowSource> training;
  std::shared_ptr<const RowSource> validation;
};

}  // namespace lanelab
