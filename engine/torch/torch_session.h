// One variant on its lanes: threads, weights and caches stay over all repeats.
#pragma once

#include <memory>
#include <vector>

#include "engine/run/executor.h"
#include "engine/run/step_loop.h"
#include "engine/torch/torch_lane_worker.h"
#include "profiler/collect/collector.h"

namespace lanelab {

class TorchSession final : public Session {
 public:
  /// Starts the lanes and builds their stages there. Errors name the lane.
  static Result<std::unique_ptr<Session>> open(std::shared_ptr<const TrainingJob> job);

  RepeatOutcome runRepeat(TraceBuilder* trace, const std::function<void(int step, double seconds, double loss)>& on_step,
                          std::stop_token stop) override;
  Status saveWeights(const std::string& path) override;

  /// All lanes' parameters and buffers, or the last step's gradients, by torchvision's names.
  enum class Which { Weights, Gradients };
  Result<TensorMap> gather(Which which);

 private:
  explicit TorchSession(std::shared_ptr<const TrainingJob> job);
  Status onEveryLane(const std::function<void(LaneId, TorchLaneWorker&)>& work);
  /// fp32 means fp32: PyTorch's own default lets cuDNN round a convolution's factors to TensorFloat-32. The switch is the process's, so each repeat sets it.
  void setProducts() const;
  std::unique_ptr<Collector> startCollector(TraceBuilder* trace) const;

  std::shared_ptr<const TrainingJob> m_job;
  std::vector<LaneId> m_used;  ///< lanes with work
  StepLoop m_loop;
};

}  // namespace lanelab
