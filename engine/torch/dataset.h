// The samples that a run trains on, in host memory before anything is timed.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "engine/base/result.h"
#include "engine/run/experiment.h"
#include "engine/torch/training_loss.h"

namespace lanelab {

/// Some rows of a Dataset: inputs [n, ...] and targets as the loss wants them.
struct Samples {
  at::Tensor inputs;
  at::Tensor targets;
};

/// Immutable; any thread. Row numbers count through the epochs: row R is row 0 again.
class Dataset {
 public:
  /// Random images (normal) and class ids, seeded; or the tensors `inputs` and `targets` of data.path. Errors (BadInput) name place and mend.
  /// Random data holds one batch a step, as far as 512 MiB go, and then begins again.
  static Result<Dataset> load(const Experiment& experiment);

  /// Looks at the header of a data file only: what is wrong with its names, types and shapes.
  static Status checkFile(const Experiment& experiment);

  Samples rows(std::int64_t begin, std::int64_t count) const;
  std::int64_t size() const { return m_inputs.size(0); }

 private:
  Dataset(at::Tensor inputs, at::Tensor targets) : m_inputs(std::move(inputs)), m_targets(std::move(targets)) {}
  static Result<Dataset> prepared(const Experiment& experiment, at::Tensor inputs, at::Tensor targets);

  at::Tensor m_inputs;
  at::Tensor m_targets;
};

/// The memory format of images for training.layout.
at::MemoryFormat imageFormat(const TrainingConfig& training);

}  // namespace lanelab
