// SPDX-License-Identifier: GPL-3.0-only
// The stages of one lane, and their tensors by torchvision's names.
#pragma once

#include <map>
#include <vector>

#include "engine/torch/lanes/trained_stage.h"

namespace lanelab {

/// The lane's thread only. Tensors that leave are copies on the host. Throws std::runtime_error with a plain message.
class LaneStages {
 public:
  /// Those that the plan gives to `lane` for `replica`, at least one. `job` and `device` must live as long.
  LaneStages(const TrainingJob& job, LaneId lane, int replica, DeviceLane& device);

  std::vector<StageId> ids() const;
  TrainedStage& at(StageId stage) { return m_stages.at(stage); }
  bool holdsFirst() const { return m_stages.begin()->first.value == 0; }
  bool holdsLast() const { return m_stages.rbegin()->first.index() + 1 == m_job.plan.stages.size(); }

  void beginRepeat();
  void beginStep(int step);

  NamedTensors weights() const;
  /// All that a checkpoint needs of this lane.
  NamedTensors state() const;
  /// Goes on after `steps` steps. Throws where the checkpoint is not of this model.
  void setState(const TensorMap& state, int steps);
  /// Of the last step; parameters without one are left out.
  NamedTensors gradients() const;
  /// A stage in eval mode without autograd, from host to host. Values keep the types that they have between stages.
  TensorList evaluate(StageId stage, const TensorList& inputs);

 private:
  template <class TensorsOf>
  NamedTensors onHost(const TensorsOf& tensorsOf) const;

  const TrainingJob& m_job;
  const int m_replica;
  DeviceLane& m_device;
  std::map<StageId, TrainedStage> m_stages;
};

}  // namespace lanelab
