// SPDX-License-Identifier: GPL-3.0-only
// What a lane does for parameters that its stages share with others (tied_gradients.h).
#pragma once

#include <map>
#include <string>

#include "engine/torch/lanes/lane_stages.h"
#include "engine/torch/lanes/tied_gradients.h"

namespace lanelab {

/// The lane's thread only.
class LaneTies {
 public:
  LaneTies(const TrainingJob& job, LaneStages& stages) : m_job(job), m_stages(stages) {}

  void beginStep();
  /// Of a whole backward, or its weight part: after the last one of the stage its gradients are offered.
  void afterBackward(StageId stage);
  /// Before the stage's update: its gradients become the sums. Whether there was anything to wait for.
  bool await(StageId stage);
  void leave();

 private:
  /// Work with the name and the gradient of each parameter that the stage shares.
  template <class Work>
  void forEachTied(StageId stage, const Work& work);

  const TrainingJob& m_job;
  LaneStages& m_stages;
  std::map<StageId, int> m_done;  ///< micro-batches
  int m_round = 0;
};

}  // namespace lanelab
