// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/train/torch_session.h"

#include <ATen/Context.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <utility>

#include "base/stop_point.h"
#include "engine/experiment/training_targets.h"
#include "engine/lanes/lane_infos.h"
#include "engine/lanes/step_loop.h"
#include "engine/run/rank_lanes.h"
#include "engine/torch/devices/cpu_lane.h"
#include "engine/torch/devices/cuda_platform.h"
#include "engine/torch/devices/lane_memory.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/files/checkpoint.h"
#include "engine/torch/files/tensor_file.h"
#include "engine/torch/lanes/session_peers.h"
#include "engine/torch/lanes/torch_lane_worker.h"

namespace lanelab {

namespace {

std::vector<LaneId> lanesWithWork(const Schedule& schedule) {
  std::vector<LaneId> lanes;
  for (std::size_t i = 0; i < schedule.lanes.size(); ++i) {
    if (!schedule.lanes[i].empty()) lanes.push_back(LaneId{i});
  }
  return lanes;
}

/// Every process of a run makes the same sessions in the same order, so a session has the same number in all.
int nextNumber() {
  static std::atomic<int> last = 0;
  return ++last;
}

/// The other processes of the run, where there are any.
std::shared_ptr<Peers> peersOf(const TrainingJob& job) {
  std::shared_ptr<Peers> peers = job.peers ? job.peers() : nullptr;
  return peers && peers->size() > 1 ? peers : nullptr;
}

std::unique_ptr<DeviceLane> makeDevice(const Experiment& experiment, LaneId lane) {
  const Device device = experiment.lanes[lane.index()].device;
  if (device.isCpu()) return makeCpuLane(coreGroups(experiment.lanes)[lane.index()]);
  std::string why_not;
  const CudaPlatform* const platform = cudaPlatform(&why_not);
  if (!platform) throw std::runtime_error(why_not);
  return platform->makeLane(device.index, lane);
}

/// Steps and epochs that an earlier process has run, in their order.
void reportDone(const Checkpoint& done, const RepeatRequest& request) {
  std::size_t epoch = 0;
  for (int step = 0; step < done.nextStep(); ++step) {
    const auto index = static_cast<std::size_t>(step);
    if (request.on_step) request.on_step(step, done.step_seconds[index], done.losses[index]);
    for (; epoch < done.epochs.size() && done.epochs[epoch].last_step <= step; ++epoch)
      if (request.on_epoch) request.on_epoch(static_cast<int>(epoch), done.epochs[epoch]);
  }
}

class LaneSession final : public TorchSession {
 public:
  /// `peers`: the other processes, null where there are none.
  LaneSession(std::shared_ptr<const TrainingJob> job, std::shared_ptr<Peers> peers)
      : m_job(std::move(job)),
        m_peers(std::move(peers)),
        m_used(lanesWithWork(m_job->plan.schedule)),
        m_loop(laneInfos(m_job->experiment.lanes), m_job->plan.stageLanes(), m_job->plan.schedule),
        m_number(nextNumber()) {}

  /// Starts the lanes and builds their stages there.
  Status start() {
    if (m_peers) filterToOwnLanes();
    return m_loop.start(
        [&](LaneId lane) -> std::unique_ptr<LaneWorker> {
          return std::make_unique<TorchLaneWorker>(lane, m_job, makeDevice(m_job->experiment, lane));
        },
        elsewhere());
  }

  RepeatOutcome runRepeat(const RepeatRequest& request) override {
    RepeatOutcome outcome;
    setProducts();
    outcome.failure = unlessStopped(request.stop, [&] {
      return onEveryLane([&](LaneId, TorchLaneWorker& worker) { worker.startRepeat(request.trace); });
    });
    if (outcome.failure.ok()) outcome.failure = joinReplicas();
    if (outcome.failure.ok()) outcome = runRecorded(request);
    outcome.peak_bytes.assign(m_job->experiment.lanes.size(), 0);
    const Status ended = onEveryLane([&](LaneId lane, TorchLaneWorker& worker) {
      const LaneOutcome of_lane = worker.endRepeat();
      outcome.peak_bytes[lane.index()] = of_lane.peak_bytes;
      if (outcome.notice.find(of_lane.notice) == std::string::npos)
        outcome.notice += (outcome.notice.empty() ? "" : " ") + of_lane.notice;
    });
    if (outcome.failure.ok() && !ended.ok()) outcome.failure = ended;
    if (m_peers) settleOutcome(outcome);
    return outcome;
  }

  Result<std::vector<double>> repeatStep(int times, TraceBuilder& trace, const std::function<bool(int)>& recorded,
                                         std::stop_token stop) override {
    if (m_peers) return Error::failed("What recording costs is measured in runs of one process.");
    setProducts();
    const Status ready = onEveryLane([&](LaneId, TorchLaneWorker& worker) { worker.recordTo(&trace); });
    if (!ready.ok()) return ready.error();
    std::unique_ptr<Collector> collector;
    const auto collect = [&](int i) {
      const bool on = recorded(i);
      if (on == (collector != nullptr)) return on;
      stopCollector(collector);
      std::string notice;  // the repeats before have said it
      if (on) collector = startCollector(&trace, notice);
      return on;
    };
    m_job->batches->start(0, 1);
    Result<std::vector<double>> seconds = m_loop.repeatStep(times, trace, collect, std::move(stop));
    m_job->batches->stop();
    stopCollector(collector);
    const Status ended = onEveryLane([](LaneId, TorchLaneWorker& worker) { worker.endRepeat(); });
    return ended.ok() ? std::move(seconds) : ended.error();
  }

  Status saveWeights(const std::string& path) override {
    const Result<TensorMap> weights = gather(Which::Weights);
    if (!weights.ok()) return weights.error();
    if (!writes()) return {};
    if (const StateDict& state_dict = m_job->inputs->state_dict) return writeSafetensors(path, state_dict(*weights));
    const ModelSpec& model = m_job->model;
    const auto module = m_job->inputs->modules(model, BlockId{0}, BlockId{model.blocks.size()});
    if (!module.ok()) return module.error();
    return writeSafetensors(path, inOrder((*module)->slots(), *weights));
  }

  Result<TensorMap> gather(Which which) override {
    TensorMap by_name;
    const Status gathered = onLanesInTurn(lanesOfFirst(), [&](LaneId, TorchLaneWorker& worker) {
      const LaneStages& stages = worker.stages();
      for (auto& [name, tensor] : which == Which::Weights ? stages.weights() : stages.gradients())
        by_name[name] = tensor;
    });
    if (!gathered.ok()) return gathered.error();
    if (m_peers) return tensorsOfAll(*m_peers, by_name);
    return by_name;
  }

 private:
  /// Rank 0 alone writes files.
  bool writes() const { return !m_peers || m_peers->rank() == 0; }

  Status onEveryLane(const std::function<void(LaneId, TorchLaneWorker&)>& work) { return onLanesInTurn(m_used, work); }

  Status onLanesInTurn(const std::vector<LaneId>& lanes, const std::function<void(LaneId, TorchLaneWorker&)>& work) {
    for (const LaneId lane : lanes) {
      const Status done =
          m_loop.onLane(lane, [&](LaneWorker& worker) { work(lane, static_cast<TorchLaneWorker&>(worker)); });
      if (!done.ok()) return done;
    }
    return {};
  }

  /// Null where no lane is a GPU or nothing of GPUs is to be recorded, and, with a sentence in `notice`, where that
  /// cannot be done.
  std::unique_ptr<Collector> startCollector(TraceBuilder* trace, std::string& notice) {
    const RecordMode mode = m_job->experiment.record;
    bool cuda = false;
    for (const LaneId lane : m_used) cuda = cuda || m_job->experiment.lanes[lane.index()].device.isCuda();
    if (!cuda || !trace || mode == RecordMode::Actions || !cudaPlatform()) return nullptr;
    auto collector = cudaPlatform()->makeCollector(mode == RecordMode::Operators);
    notice = collector->start(*trace);
    if (!notice.empty()) return nullptr;
    notice = collector->notice();
    reportLaunchesTo(collector.get());
    return collector;
  }

  /// What it collected; nothing where none was started. Between two steps, as the start.
  std::optional<GpuActivity> stopCollector(std::unique_ptr<Collector>& collector) {
    if (!collector) return std::nullopt;
    reportLaunchesTo(nullptr);
    collector->stop();
    const GpuActivity counts = collector->counts();
    collector.reset();
    return counts;
  }

  void reportLaunchesTo(Collector* collector) {
    // Lanes that have started take work, and this work cannot fail.
    (void)onEveryLane([&](LaneId, TorchLaneWorker& worker) { worker.reportLaunchesTo(collector); });
  }

  /// The steps, with the work of GPUs recorded.
  RepeatOutcome runRecorded(const RepeatRequest& request) {
    std::string notice;
    std::unique_ptr<Collector> collector = startCollector(request.trace, notice);
    RepeatOutcome outcome = runSteps(request);
    outcome.notice = notice;
    outcome.gpu = stopCollector(collector);
    return outcome;
  }

  /// fp32 means fp32: PyTorch's own default lets cuDNN round a convolution's factors to TensorFloat-32. The switch is
  /// the process's, so each repeat sets it.
  void setProducts() const {
    const bool tf32 = m_job->plan.modes.precision == Precision::Tf32;
    at::globalContext().setAllowTF32CuBLAS(tf32);
    at::globalContext().setAllowTF32CuDNN(tf32);
  }

  void filterToOwnLanes() {
    m_here = lanesOfRank(m_job->experiment, m_peers->rank());
    std::erase_if(m_used, [&](LaneId lane) { return !m_here[lane.index()]; });
  }

  Elsewhere elsewhere() {
    if (!m_peers) return {};
    const auto carrier = [this](const LinkPlan& link) {
      const LaneId far = link.outgoing ? link.to : link.from;
      const std::string name = "session " + std::to_string(m_number) + "/" + std::to_string(link.from.value) + " to " +
                               std::to_string(link.to.value);
      return carryByPeers(*m_peers, link, m_job->experiment.lanes[far.index()].rank, name);
    };
    return {m_here, carrier, [this](double& seconds, double& loss) { return settleStep(*m_peers, seconds, loss); }};
  }

  /// Anew for each repeat, since one that failed has parted them.
  Status joinReplicas() {
    if (m_job->ties) m_job->ties->open();
    if (m_job->plan.replicas() == 1 && !m_job->exchange && !m_peers) return {};
    if (m_job->exchange) m_job->exchange->open();
    const std::shared_ptr<Peers> peers =
        m_peers || m_job->exchange || m_job->plan.replicas() == 1 ? m_peers : m_job->peers();
    const std::string name = "session " + std::to_string(m_number) + "/" + std::to_string(++m_joined);
    return m_loop.onLanes(
        m_used, [&](LaneId, LaneWorker& worker) { static_cast<TorchLaneWorker&>(worker).joinReplicas(name, peers); });
  }

  /// Where a model of the run lies as it is to be kept: replica 0, whose buffers count.
  std::vector<LaneId> lanesOfFirst() const {
    std::vector<LaneId> lanes = m_used;
    const StageLanes of_replicas = m_job->plan.stageLanes();
    std::erase_if(lanes, [&](LaneId lane) { return replicaOfLane(of_replicas, lane) != 0; });
    return lanes;
  }

  /// A process that was asked to end may have been asked because another one was lost.
  void settleOutcome(RepeatOutcome& outcome) {
    if (outcome.failure.ok()) {
      auto peaks = largestOfAll(*m_peers, outcome.peak_bytes);
      if (!peaks.ok()) outcome.failure = peaks.error();
      if (peaks.ok()) outcome.peak_bytes = std::move(*peaks);
    }
    if (outcome.failure.ok()) outcome.failure = settleRecording(*m_peers, outcome.gpu, outcome.notice);
    if (outcome.failure.ok()) return;
    const Error& said = outcome.failure.error();
    const std::optional<std::string> fault = m_peers->fault(std::chrono::seconds(2));
    if (fault && said.message.find(*fault) == std::string::npos)
      outcome.failure = said.kind == Error::Kind::Cancelled ? Error::failed(verbatim(*fault))
                                                            : Error::failed("{} ({})", *fault, said);
  }

  RepeatOutcome runSteps(const RepeatRequest& request) {
    const DataConfig& data = m_job->experiment.data;
    m_done = {};
    m_epoch_sum = {};
    RepeatOutcome outcome;
    Status failure = unlessStopped(request.stop, [&] { return resumeFromCheckpoint(request); });
    if (failure.ok()) {
      std::stop_source ended;
      const std::stop_callback on_stop(request.stop, [&ended] { ended.request_stop(); });
      const auto after_step = [&](int step, double seconds, double loss) {
        if (!failure.ok()) return;
        m_done.step_seconds.push_back(seconds);
        m_done.losses.push_back(loss);
        if (request.on_step) request.on_step(step, seconds, loss);
        if (data.epochs) failure = addToEpoch(step, loss, request);
        if (failure.ok()) failure = writeCheckpointAfter(step, request.checkpoints);
        if (!failure.ok()) ended.request_stop();
      };
      m_job->batches->start(m_done.nextStep(), data.steps);
      const auto meets_after = [&](int step) {
        return m_peers || !m_job->plan.stepsOverlap() || endsEpoch(step) || isCheckpointDue(step, request.checkpoints);
      };
      outcome = m_loop.run(data.steps, request.trace, after_step, ended.get_token(), m_done.nextStep(), meets_after);
      m_job->batches->stop();
    }
    outcome.step_seconds = m_done.step_seconds;
    outcome.losses = m_done.losses;
    outcome.epochs = m_done.epochs;
    if (!failure.ok()) outcome.failure = failure;
    return outcome;
  }

  /// Brings the lanes to where the checkpoint was written, and reports what was before; a repeat without one begins at
  /// its beginning.
  Status resumeFromCheckpoint(const RepeatRequest& request) {
    const CheckpointPlan& plan = request.checkpoints;
    m_done.repeat = plan.repeat;
    if (!plan.resume) return {};
    std::error_code none;
    bool there = std::filesystem::exists(plan.path, none);
    if (m_peers) {
      const Result<bool> agreed = asRankZeroSays(*m_peers, there);
      if (!agreed.ok()) return agreed.error();
      there = *agreed;
    }
    if (!there) return {};
    Result<Checkpoint> checkpoint = readCheckpoint(plan.path);
    if (!checkpoint.ok()) return checkpoint.error();
    if (checkpoint->repeat != plan.repeat || checkpoint->nextStep() > m_job->experiment.data.steps) return {};
    const TensorMap state(checkpoint->state.begin(), checkpoint->state.end());
    const Status set =
        onEveryLane([&](LaneId, TorchLaneWorker& worker) { worker.stages().setState(state, checkpoint->nextStep()); });
    if (!set.ok()) return set;
    m_done = std::move(*checkpoint);
    m_done.state.clear();
    reportDone(m_done, request);
    return {};
  }

  bool isCheckpointDue(int step, const CheckpointPlan& plan) const {
    const bool due = !plan.path.empty() && plan.every > 0 && (step + 1) % plan.every == 0;
    return due && step + 1 < m_job->experiment.data.steps;
  }

  /// Where lanes meet.
  Status writeCheckpointAfter(int step, const CheckpointPlan& plan) {
    if (!isCheckpointDue(step, plan)) return {};
    std::set<std::string> known;  // a parameter of several stages is the same in all of them
    const Status gathered = onLanesInTurn(lanesOfFirst(), [&](LaneId, TorchLaneWorker& worker) {
      for (auto& named : worker.stages().state())
        if (known.insert(named.first).second) m_done.state.push_back(std::move(named));
    });
    Status written = gathered.ok() && m_peers ? gatherState() : gathered;
    if (written.ok() && writes())
      written = unlessStopped(currentStopToken(), [&] { return writeCheckpoint(plan.path, m_done); });
    m_done.state.clear();
    if (!m_peers || !written.ok()) return written;
    const Result<bool> met = asRankZeroSays(*m_peers, true);  // nobody continues, or looks for it, before it is written
    return met.ok() ? Status() : Status(met.error());
  }

  /// The state of lanes of other processes too.
  Status gatherState() {
    Result<TensorMap> all = tensorsOfAll(*m_peers, TensorMap(m_done.state.begin(), m_done.state.end()));
    if (!all.ok()) return all.error();
    m_done.state.assign(all->begin(), all->end());
    return {};
  }

  bool endsEpoch(int step) const {
    const DataConfig& data = m_job->experiment.data;
    return data.epochs && (step + 1) % stepsAnEpoch(data, m_job->inputs->data.size()) == 0;
  }

  /// What the step adds to its epoch, and, after the epoch's last one, where lanes meet, the epoch's result with
  /// validation.
  Status addToEpoch(int step, double loss, const RepeatRequest& request) {
    const auto rows = static_cast<double>(m_job->inputs->data.size());
    m_epoch_sum.loss += loss * m_job->batches->rowsOf(step).count / rows;
    if (!endsEpoch(step)) return {};
    EpochResult result = std::exchange(m_epoch_sum, {});
    if (const Status counted = countCorrectAnswers(result); !counted.ok()) return counted;
    result.last_step = step;
    if (const Status done = validate(result, request.stop); !done.ok()) return done;
    m_done.epochs.push_back(result);
    if (request.on_epoch) request.on_epoch(static_cast<int>(m_done.epochs.size()) - 1, result);
    return {};
  }

  /// Of the epoch, on all lanes of all processes.
  Status countCorrectAnswers(EpochResult& result) {
    std::int64_t correct = 0;
    const Status counted = onEveryLane([&](LaneId, TorchLaneWorker& worker) { correct += worker.collectCorrect(); });
    if (!counted.ok()) return counted;
    if (m_peers) {
      const Result<std::int64_t> all = sumOfAll(*m_peers, correct);
      if (!all.ok()) return all.error();
      correct = *all;
    }
    const auto answers = static_cast<double>(m_job->inputs->data.size() * answersPerRow());
    if (answers > 0) result.accuracy = static_cast<double>(correct) / answers;
    return {};
  }

  std::int64_t answersPerRow() const { return answersPerSample(m_job->experiment.training, m_job->model); }

  /// A network of a fixed number of samples cannot take the rest.
  std::int64_t validatedRows(std::int64_t all) const {
    const ModelSpec& model = m_job->model;
    return model.least_samples == model.most_samples ? all - all % model.least_samples : all;
  }

  /// All stages of the first replica, which is what is validated.
  bool holdsWholeModel() const {
    return std::all_of(m_job->plan.stages.begin(), m_job->plan.stages.end(),
                       [&](const Stage& stage) { return m_here.empty() || m_here[stage.lane.index()]; });
  }

  /// Adds the loss and, where there is one, the accuracy on the validation rows: all stages in eval mode on their
  /// lanes, one micro-batch's size after the other.
  Status validate(EpochResult& result, const std::stop_token& stop) try {
    const Dataset& data = m_job->inputs->data;
    const std::int64_t total = validatedRows(data.validationSize());
    if (total == 0 || !holdsWholeModel()) return {};
    const LossRule rule(m_job->experiment.training);
    const std::int64_t answers = answersPerRow();
    double loss = 0;
    std::int64_t correct = 0;
    for (std::int64_t begin = 0; begin < total; begin += m_job->plan.micro_batches.split_size) {
      if (stop.stop_requested()) return Error::cancelled();
      const std::int64_t count = std::min<std::int64_t>(m_job->plan.micro_batches.split_size, total - begin);
      const Samples rows = data.validationRows(begin, count);
      TensorList values{rows.inputs};
      for (const Stage& stage : m_job->plan.stages) {
        const Status done = m_loop.onLane(stage.lane, [&](LaneWorker& worker) {
          values = static_cast<TorchLaneWorker&>(worker).stages().evaluate(stage.id, values);
        });
        if (!done.ok()) return done;
      }
      const at::Tensor output = values.front().to(at::kFloat);
      loss += weightedLoss(rule, output, rows.targets, static_cast<double>(count) / static_cast<double>(total))
                  .item<double>();
      if (answers > 0) correct += countCorrect(rule, output, rows.targets).item<std::int64_t>();
    }
    result.validation_loss = loss;
    if (answers > 0) result.validation_accuracy = static_cast<double>(correct) / static_cast<double>(total * answers);
    return {};
  } catch (const Stopped&) {
    return Error::cancelled();
  } catch (const std::exception& error) {
    return Error::failed("The validation after an epoch failed: {}.", plainMessage(error));
  }

  const LaneMemoryUser m_memory;  ///< first: it goes when lanes, weights and data are gone
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

}  // namespace

Result<std::unique_ptr<Session>> TorchSession::open(std::shared_ptr<const TrainingJob> job) {
  auto own = std::make_shared<TrainingJob>(*job);
  int threads = 1;
  for (const LaneConfig& lane : own->experiment.lanes) threads = std::max(threads, lane.threads);
  own->batches = std::make_shared<BatchLoader>(own->inputs, own->experiment.data, threads);
  const int replicas = own->plan.replicas();
  if (own->plan.strategy == Strategy::DataParallel) {
    own->exchange = std::make_shared<DataParallelExchange>(replicas);
  } else if (replicas > 1 && !own->peers) {
    return Error::failed("The variant \"{}\" joins replicas, and nothing here can do that.", own->plan.name);
  }
  if (TiedStages tied = tiedStages(own->model, own->plan.stages); !tied.empty())
    own->ties = std::make_shared<TiedGradients>(std::move(tied));
  const std::shared_ptr<Peers> peers = peersOf(*own);
  auto session = std::make_unique<LaneSession>(std::move(own), peers);
  if (const Status started = session->start(); !started.ok()) return started.error();
  return std::unique_ptr<Session>(std::move(session));
}

}  // namespace lanelab
