// SPDX-License-Identifier: GPL-3.0-only
// The samples that a run trains on and validates with, in the order in which the steps take them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/row_order.h"
#include "engine/torch/data/row_source.h"
#include "engine/torch/nn/training_loss.h"

namespace lanelab {

/// Immutable; any thread. Targets are as the loss wants them. Row numbers count through the epochs: of N rows, position
/// N is the first of the next epoch.
class Dataset {
 public:
  /// Random images (normal) and class ids, or tokens, seeded; the tensors `inputs` and `targets` (and
  /// `validation_inputs`, `validation_targets`) of a file; the bytes of a text; digits, CIFAR-10 or a folder of images.
  /// Errors (BadInput) name place and fix. Random data hold one batch a step, as far as 512 MiB go, and then begin
  /// again.
  static Result<Dataset> load(const Experiment& experiment, const ModelSpec& model);

  /// What is wrong with the data, as far as can be said without reading all of them: names, types, shapes, sizes.
  static Status check(const Experiment& experiment, const ModelSpec& model, std::vector<std::string>& warnings);
  /// Rows to train on. Error (BadInput) for random data, which have no number of their own.
  static Result<std::int64_t> countRows(const Experiment& experiment);

  /// Throws std::runtime_error where an image cannot be read any more.
  Samples rows(std::int64_t begin, std::int64_t count) const;
  std::int64_t size() const { return m_parts.training->size(); }
  /// Whether rows() has to read or convert first, so that it is worth being done ahead of time.
  bool needsWork() const { return m_order->shuffled() || !m_parts.training->view(0, 1); }

  /// Targets of all rows to train on that are padding, and of the first rows to validate with.
  std::int64_t padding() const { return paddingOf(*m_parts.training, size()); }
  std::int64_t validationPadding(std::int64_t rows) const { return paddingOf(*m_parts.validation, rows); }

  std::int64_t validationSize() const { return m_parts.validation ? m_parts.validation->size() : 0; }
  Samples validationRows(std::int64_t begin, std::int64_t count) const;

 private:
  Dataset(const Experiment& experiment, const ModelSpec& model, DataParts parts);
  static Result<DataParts> open(const Experiment& experiment, const ModelSpec& model,
                                std::vector<std::string>& warnings);
  Samples asTheLossWants(Samples samples) const;
  std::int64_t paddingOf(const RowSource& source, std::int64_t rows) const;

  DataParts m_parts;
  std::shared_ptr<const RowOrder> m_order;
  LossRule m_loss;
  std::int64_t m_classes;
};

/// The memory format of images for training.layout.
at::MemoryFormat imageFormat(const TrainingConfig& training);

}  // namespace lanelab
