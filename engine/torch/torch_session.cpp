#include "engine/torch/torch_session.h"

#include <ATen/Context.h>

#include <stdexcept>

#include "engine/torch/cpu_lane.h"
#include "engine/torch/cuda_platform.h"
#include "engine/torch/tensor_file.h"

namespace lanelab {

namespace {

std::vector<LaneInfo> laneInfos(const Experiment& experiment) {
  std::vector<LaneInfo> infos;
  for (const LaneConfig& lane : experiment.lanes) infos.push_back({lane.title(), lane.device});
  return infos;
}

std::vector<LaneId> lanesWithWork(const Schedule& schedule) {
  std::vector<LaneId> lanes;
  for (std::size_t i = 0; i < schedule.lanes.size(); ++i) {
    if (!schedule.lanes[i].empty()) lanes.push_back(LaneId{i});
  }
  return lanes;
}

std::unique_ptr<DeviceLane> makeDevice(const Experiment& experiment, LaneId lane) {
  const int cuda = cudaLaneNumber(experiment.lanes[lane.index()].device);
  if (cuda < 0) return std::make_unique<CpuLane>(coreGroups(experiment.lanes)[lane.index()]);
  std::string why_not;
  const CudaPlatform* const platform = cudaPlatform(&why_not);
  if (!platform) throw std::runtime_error(why_not);
  return platform->makeLane(cuda, lane.value);
}

}  // namespace

TorchSession::TorchSession(std::shared_ptr<const TrainingJob> job)
    : m_job(std::move(job)), m_used(lanesWithWork(m_job->plan.schedule)),
      m_loop(laneInfos(m_job->experiment), m_job->plan.stages, m_job->plan.schedule) {}

Result<std::unique_ptr<Session>> TorchSession::open(std::shared_ptr<const TrainingJob> job) {
  std::unique_ptr<TorchSession> session(new TorchSession(job));
  const Status started = session->m_loop.start([&](LaneId lane) -> std::unique_ptr<LaneWorker> {
    return std::make_unique<TorchLaneWorker>(lane, job, makeDevice(job->experiment, lane));
  });
  if (!started.ok()) return started.error();
  return std::unique_ptr<Session>(std::move(session));
}

Status TorchSession::onEveryLane(const std::function<void(LaneId, TorchLaneWorker&)>& work) {
  for (const LaneId lane : m_used) {
    const Status done = m_loop.onLane(lane, [&](LaneWorker& worker) { work(lane, static_cast<TorchLaneWorker&>(worker)); });
    if (!done.ok()) return done;
  }
  return {};
}

std::unique_ptr<Collector> TorchSession::startCollector(TraceBuilder* trace) const {
  bool cuda = false;
  for (const LaneId lane : m_used) cuda = cuda || cudaLaneNumber(m_job->experiment.lanes[lane.index()].device) >= 0;
  if (!cuda || !trace || !cudaPlatform()) return nullptr;
  auto collector = cudaPlatform()->makeCollector();
  return collector && collector->start(*trace).empty() ? std::move(collector) : nullptr;
}

void TorchSession::setProducts() const {
  const bool tf32 = m_job->plan.modes.precision == "tf32";
  at::globalContext().setAllowTF32CuBLAS(tf32);
  at::globalContext().setAllowTF32CuDNN(tf32);
}

RepeatOutcome TorchSession::runRepeat(TraceBuilder* trace, const std::function<void(int, double, double)>& on_step, std::stop_token stop) {
  RepeatOutcome outcome;
  setProducts();
  outcome.failure = onEveryLane([&](LaneId, TorchLaneWorker& worker) { worker.startRepeat(trace); });
  if (outcome.failure.ok()) {
    const auto collector = startCollector(trace);
    outcome = m_loop.run(m_job->experiment.data.steps, trace, on_step, stop);
    if (collector) collector->stop();
  }
  outcome.peak_bytes.assign(m_job->experiment.lanes.size(), 0);
  const Status ended = onEveryLane([&](LaneId lane, TorchLaneWorker& worker) {
    outcome.peak_bytes[lane.index()] = worker.peakBytes();
    worker.endRepeat();
  });
  if (outcome.failure.ok() && !ended.ok()) outcome.failure = ended;
  return outcome;
}

Result<TensorMap> TorchSession::gather(Which which) {
  TensorMap by_name;
  const Status gathered = onEveryLane([&](LaneId, TorchLaneWorker& worker) {
    for (auto& [name, tensor] : which == Which::Weights ? worker.weights() : worker.gradients()) by_name[name] = tensor;
  });
  if (!gathered.ok()) return gathered.error();
  return by_name;
}

Status TorchSession::saveWeights(const std::string& path) {
  const Result<TensorMap> weights = gather(Which::Weights);
  if (!weights.ok()) return weights.error();
  const Result<NetworkBlocks> blocks = makeBlocks(m_job->model);
  if (!blocks.ok()) return blocks.error();
  std::vector<std::pair<std::string, at::Tensor>> ordered;
  for (const auto& block : *blocks) {
    for (const TensorSlot& slot : block->slots()) ordered.emplace_back(slot.name, weights->at(slot.name));
  }
  return writeSafetensors(path, ordered);
}

}  // namespace lanelab
