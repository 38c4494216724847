// SPDX-License-Identifier: GPL-3.0-only
// One variant on its lanes: threads, weights and caches stay over all repeats.
#pragma once

#include <memory>

#include "engine/lanes/executor.h"
#include "engine/torch/lanes/training_job.h"

namespace lanelab {

class TorchSession : public Session {
 public:
  /// Starts the lanes and builds their stages there. Errors name the lane. The session is a TorchSession.
  static Result<std::unique_ptr<Session>> open(std::shared_ptr<const TrainingJob> job);

  /// All lanes' parameters and buffers, or the last step's gradients, by torchvision's names.
  enum class Which { Weights, Gradients };
  virtual Result<TensorMap> gather(Which which) = 0;
};

}  // namespace lanelab
