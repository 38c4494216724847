// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/train/torch_session.h"

#include <ATen/Context.h>

#include <algorithm>
#include <utility>

#include "base/stop_point.h"
#include "engine/torch/devices/lane_memory.h"
#include "engine/torch/files/tensor_file.h"
#include "engine/torch/lanes/session_peers.h"
#include "engine/torch/train/gpu_recording.h"
#include "engine/torch/train/repeat_steps.h"
#include "engine/torch/train/session_lanes.h"

namespace lanelab {

namespace {

class LaneSession final : public TorchSession {
 public:
  explicit LaneSession(std::shared_ptr<const TrainingJob> job) : m_lanes(std::move(job)) {}

  Status start() { return m_lanes.start(); }

  RepeatOutcome runRepeat(const RepeatRequest& request) override {
    RepeatOutcome outcome;
    setProducts();
    outcome.failure = withStop(request.stop, [&] {
      return m_lanes.onEach([&](LaneId, TorchLaneWorker& worker) { worker.startRepeat(request.trace); });
    });
    if (outcome.failure.ok()) outcome.failure = m_lanes.joinReplicas();
    if (outcome.failure.ok()) outcome = runRecorded(request);
    outcome.peak_bytes.assign(m_lanes.job().experiment.lanes.size(), 0);
    const Status ended = m_lanes.onEach([&](LaneId lane, TorchLaneWorker& worker) {
      const LaneOutcome of_lane = worker.endRepeat();
      outcome.peak_bytes[lane.index()] = of_lane.peak_bytes;
      if (outcome.notice.find(of_lane.notice) == std::string::npos)
        outcome.notice += (outcome.notice.empty() ? "" : " ") + of_lane.notice;
    });
    if (outcome.failure.ok() && !ended.ok()) outcome.failure = ended;
    if (Peers* const peers = m_lanes.peers()) settleOutcome(*peers, outcome);
    return outcome;
  }

  Result<std::vector<double>> repeatStep(int times, TraceBuilder& trace, const std::function<bool(int)>& recorded,
                                         std::stop_token stop) override {
    if (m_lanes.peers()) return Error::failed("What recording costs is measured in runs of one process.");
    setProducts();
    const Status ready = m_lanes.onEach([&](LaneId, TorchLaneWorker& worker) { worker.recordTo(&trace); });
    if (!ready.ok()) return ready.error();
    GpuRecording gpu(m_lanes);
    const auto record = [&](int i) {
      const bool on = recorded(i);
      if (!on) gpu.stop();
      if (on && !gpu.running()) gpu.start(trace);  // the repeats before have reported its notice
      return on;
    };
    m_lanes.job().batches->start(0, 1);
    Result<std::vector<double>> seconds = m_lanes.loop().repeatStep(times, trace, record, std::move(stop));
    m_lanes.job().batches->stop();
    gpu.stop();
    const Status ended = m_lanes.onEach([](LaneId, TorchLaneWorker& worker) { worker.endRepeat(); });
    return ended.ok() ? std::move(seconds) : ended.error();
  }

  Status saveWeights(const std::string& path) override {
    const Result<TensorMap> weights = gather(Which::Weights);
    if (!weights.ok()) return weights.error();
    if (!m_lanes.mayWriteFiles()) return {};
    return writeSafetensors(path, m_lanes.job().inputs->state_dict(*weights));
  }

  Result<TensorMap> gather(Which which) override {
    TensorMap by_name;
    const Status gathered = m_lanes.onEachOfFirstReplica([&](LaneId, TorchLaneWorker& worker) {
      const LaneStages& stages = worker.stages();
      for (auto& [name, tensor] : which == Which::Weights ? stages.weights() : stages.gradients())
        by_name[name] = tensor;
    });
    if (!gathered.ok()) return gathered.error();
    if (Peers* const peers = m_lanes.peers()) return tensorsOfAll(*peers, by_name);
    return by_name;
  }

 private:
  /// The steps, with the work of GPUs recorded.
  RepeatOutcome runRecorded(const RepeatRequest& request) {
    GpuRecording gpu(m_lanes);
    const std::string notice = request.trace ? gpu.start(*request.trace) : std::string();
    RepeatOutcome outcome = runSteps(m_lanes, request);
    outcome.notice = notice;
    outcome.gpu = gpu.stop();
    return outcome;
  }

  /// fp32 means fp32: PyTorch's own default lets cuDNN round a convolution's factors to TensorFloat-32. The switch is
  /// the process's, so each repeat sets it.
  void setProducts() const {
    const bool tf32 = m_lanes.job().plan.modes.precision == Precision::Tf32;
    at::globalContext().setAllowTF32CuBLAS(tf32);
    at::globalContext().setAllowTF32CuDNN(tf32);
  }

  /// A process that was asked to end may have been asked because another one was lost.
  static void settleOutcome(Peers& peers, RepeatOutcome& outcome) {
    if (outcome.failure.ok()) {
      auto peaks = largestOfAll(peers, outcome.peak_bytes);
      if (!peaks.ok()) outcome.failure = peaks.error();
      if (peaks.ok()) outcome.peak_bytes = std::move(*peaks);
    }
    if (outcome.failure.ok()) outcome.failure = settleRecording(peers, outcome.gpu, outcome.notice);
    if (outcome.failure.ok()) return;
    const Error& said = outcome.failure.error();
    const std::optional<std::string> fault = peers.fault(std::chrono::seconds(2));
    if (fault && said.message.find(*fault) == std::string::npos)
      outcome.failure = said.kind == Error::Kind::Cancelled ? Error::failed(verbatim(*fault))
                                                            : Error::failed("{} ({})", *fault, said);
  }

  const LaneMemoryUser m_memory;  ///< first: it goes when lanes, weights and data are gone
  SessionLanes m_lanes;
};

}  // namespace

Result<std::unique_ptr<Session>> TorchSession::open(std::shared_ptr<const TrainingJob> job) {
  auto own = std::make_shared<TrainingJob>(*job);
  int threads = 1;
  for (const LaneConfig& lane : own->experiment.lanes) threads = std::max(threads, lane.threads);
  own->batches = std::make_shared<BatchLoader>(own->inputs, own->experiment.data, threads);
  const int replicas = own->plan.replicas();
  if (own->plan.strategy == Strategy::DataParallel) {
    own->exchange = std::make_shared<DataParallelExchange>();
  } else if (replicas > 1 && !own->peers) {
    return Error::failed("The variant \"{}\" joins replicas, and nothing here can do that.", own->plan.name);
  }
  if (TiedStages tied = tiedStages(own->model, own->plan.stages); !tied.empty())
    own->ties = std::make_shared<TiedGradients>(std::move(tied));
  if (clipsTogether(own->experiment.training, own->plan.stages.size())) own->norms = std::make_shared<NormExchange>();
  auto session = std::make_unique<LaneSession>(std::move(own));
  if (const Status started = session->start(); !started.ok()) return started.error();
  return std::unique_ptr<Session>(std::move(session));
}

}  // namespace lanelab
