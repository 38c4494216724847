// SPDX-License-Identifier: GPL-3.0-only
// One variant on its lanes: threads, weights and caches stay over all repeats.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/lanes/executor.h"
#include "engine/lanes/step_loop.h"
#include "engine/torch/files/checkpoint.h"
#include "engine/torch/lanes/torch_lane_worker.h"
#include "profiler/collect/collector.h"

namespace lanelab {

class TorchSession final : public Session {
 public:
  /// Starts the lanes and builds their stages there. Errors name the lane.
  static Result<std::unique_ptr<Session>> open(std::shared_ptr<const TrainingJob> job);

  RepeatOutcome runRepeat(const RepeatRequest& request) override;
  Result<std::vector<double>> repeatStep(int times, TraceBuilder& trace, const std::function<bool(int)>& recorded,
                                         std::stop_token stop) override;
  Status saveWeights(const std::string& path) override;

  /// All lanes' parameters and buffers, or the last step's gradients, by torchvision's names.
  enum class Which { Weights, Gradients };
  Result<TensorMap> gather(Which which);

 private:
  /// `peers`: the other processes, null where there are none.
  TorchSession(std::shared_ptr<const TrainingJob> job, std::shared_ptr<Peers> peers);
  void filterToOwnLanes();
  Elsewhere elsewhere();
  /// Rank 0 alone writes files.
  bool writes() const { return !m_peers || m_peers->rank() == 0; }
  bool holdsWholeModel() const;
  void settleOutcome(RepeatOutcome& outcome);
  Status gatherState();
  Status onEveryLane(const std::function<void(LaneId, TorchLaneWorker&)>& work);
  Status onLanesInTurn(const std::vector<LaneId>& lanes, const std::function<void(LaneId, TorchLaneWorker&)>& work);
  Status joinReplicas();
  std::vector<LaneId> lanesOfFirst() const;
  /// fp32 means fp32: PyTorch's own default lets cuDNN round a convolution's factors to TensorFloat-32. The switch is
  /// the process's, so each repeat sets it.
  void setProducts() const;
  RepeatOutcome runSteps(const RepeatRequest& request);
  /// What the step adds to its epoch, and, after the epoch's last one, the epoch's result with validation.
  Status addToEpoch(int step, double loss, const RepeatRequest& request);
  /// Brings the lanes to where the checkpoint was written, and reports what was before; a repeat without one begins at
  /// its beginning.
  Status resumeFromCheckpoint(const RepeatRequest& request);
  Status writeCheckpointAfter(int step, const CheckpointPlan& plan);
  /// Adds the loss and accuracy on the validation rows: all stages in eval mode on their lanes, one micro-batch's size
  /// after the other.
  Status validate(EpochResult& result, const std::stop_token& stop);
  /// Null where no lane is a GPU or nothing of GPUs is to be recorded, and, with a sentence in `notice`, where that
  /// cannot be done.
  std::unique_ptr<Collector> startCollector(TraceBuilder* trace, std::string& notice);
  /// What it collected; nothing where none was started. Between two steps, as the start.
  std::optional<GpuActivity> stopCollector(std::unique_ptr<Collector>& collector);
  void reportLaunchesTo(Collector* collector);
  /// The steps, with the work of GPUs recorded.
  RepeatOutcome runRecorded(const RepeatRequest& request);

  std::shared_ptr<const TrainingJob> m_job;
  std::shared_ptr<Peers> m_peers;  ///< other processes; null where there are none
  std::vector<bool> m_here;        ///< lanes of this process; empty: all
  std::vector<LaneId> m_used;      ///< lanes with work
  Checkpoint m_done;               ///< what the repeat has measured so far; its state is filled when it is written
  EpochResult m_epoch_sum;
  StepLoop m_loop;
  const int m_number;
  int m_joined = 0;  ///< so often replicas were joined
};

}  // namespace lanelab
