// SPDX-License-Identifier: GPL-3.0-only
#include "tests/support/fake_executor.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <thread>

#include "engine/experiment/row_order.h"
#include "engine/lanes/lane_infos.h"
#include "engine/lanes/step_loop.h"

namespace lanelab {
namespace {

void keepBusy(std::int64_t nanoseconds) {
  for (const Nanoseconds until = monotonicNow() + nanoseconds; monotonicNow() < until;) std::this_thread::yield();
}

class FakeWorker : public LaneWorker {
 public:
  FakeWorker(const FakeBehaviour& behaviour, LaneId lane, StageId last_stage)
      : m_behaviour(behaviour), m_lane(lane), m_last_stage(last_stage) {}

  TimeRange beginStep(const StepCommand& command) override {
    m_step = command.step;
    m_holds_loss = false;
    return {};
  }
  Packet perform(const Action& action, Packet) override {
    m_holds_loss = m_holds_loss || (action.kind == ActionKind::Forward && action.stage == m_last_stage);
    if (m_behaviour.before) m_behaviour.before(m_lane, action, m_step);
    if (m_behaviour.busy_ns) keepBusy(m_behaviour.busy_ns(action));
    return nullptr;
  }
  double endStep() override {
    return m_holds_loss ? 1.0 / (1 + m_step) : 0;
  }  // falls from step to step, as a loss should

 private:
  const FakeBehaviour& m_behaviour;
  LaneId m_lane;
  StageId m_last_stage;
  int m_step = 0;
  bool m_holds_loss = false;
};

class FakeSession : public Session {
 public:
  FakeSession(FakeBehaviour behaviour, const Experiment& experiment, const VariantPlan& plan, int steps)
      : m_behaviour(std::move(behaviour)),
        m_steps(steps),
        m_steps_an_epoch(experiment.data.epochs ? stepsAnEpoch(experiment.data, m_behaviour.training_rows) : 0),
        m_lanes(experiment.lanes.size()),
        m_last_stage(plan.stages.size() - 1),
        m_overlap(plan.stepsOverlap()),
        m_loop(laneInfos(experiment.lanes), plan.stageLanes(), plan.schedule) {}

  Status start() {
    return m_loop.start([this](LaneId lane) { return std::make_unique<FakeWorker>(m_behaviour, lane, m_last_stage); });
  }

  RepeatOutcome runRepeat(const RepeatRequest& request) override {
    std::vector<EpochResult> epochs;
    const auto after_step = [&](int step, double seconds, double loss) {
      if (request.on_step) request.on_step(step, seconds, loss);
      if (!endsEpoch(step)) return;
      const double accuracy = 1 - 1 / (2.0 + static_cast<double>(epochs.size()));
      epochs.push_back({loss, accuracy, loss, accuracy - 0.1, step});
      if (request.on_epoch) request.on_epoch(static_cast<int>(epochs.size()) - 1, epochs.back());
    };
    const auto meets_after = [&](int step) { return !m_overlap || endsEpoch(step); };
    RepeatOutcome outcome = m_loop.run(m_steps, request.trace, after_step, request.stop, 0, meets_after);
    outcome.epochs = std::move(epochs);
    outcome.peak_bytes.assign(m_lanes, 0);
    return outcome;
  }

  Result<std::vector<double>> repeatStep(int times, TraceBuilder& trace, const std::function<bool(int)>& recorded,
                                         std::stop_token stop) override {
    return m_loop.repeatStep(times, trace, recorded, std::move(stop));
  }

  // A safetensors file without tensors: a header of two bytes.
  Status saveWeights(const std::string& path) override {
    std::ofstream file(path, std::ios::binary);
    constexpr std::array<char, 10> kEmpty = {2, 0, 0, 0, 0, 0, 0, 0, '{', '}'};
    file.write(kEmpty.data(), kEmpty.size());
    file.close();
    return file ? Status() : Error::failed("The weights could not be written to {}.", path);
  }

 private:
  bool endsEpoch(int step) const { return m_steps_an_epoch > 0 && (step + 1) % m_steps_an_epoch == 0; }

  const FakeBehaviour m_behaviour;
  int m_steps;
  int m_steps_an_epoch;  ///< 0: no epochs
  std::size_t m_lanes;
  StageId m_last_stage;
  bool m_overlap;
  StepLoop m_loop;  // last: its threads use the rest
};

class FakeExecutor : public Executor {
 public:
  explicit FakeExecutor(FakeBehaviour behaviour) : m_behaviour(std::move(behaviour)) {}

  std::vector<std::pair<std::string, std::string>> describe() const override { return {{"executor", "fake"}}; }
  std::vector<DeviceInfo> devices() const override { return m_behaviour.devices; }

  Result<SharedWeights> checkMachine(const Resolution& resolution, std::vector<std::string>&) const override {
    const Experiment& experiment = resolution.experiment();
    for (std::size_t i = 0; i < experiment.lanes.size(); ++i) {
      const Device device = experiment.lanes[i].device;
      const auto known = [&](const DeviceInfo& info) { return info.device == device; };
      if (std::none_of(m_behaviour.devices.begin(), m_behaviour.devices.end(), known)) {
        return Error::badInput("lanes[{}].device: there is no \"{}\" here: choose a device of this machine.", i,
                               toString(device));
      }
    }
    return SharedWeights();
  }

  Status checkNetwork(const std::shared_ptr<const ExportedNetwork>&) const override { return m_behaviour.network; }

  Result<std::int64_t> trainingRows(const Experiment&) const override { return m_behaviour.training_rows; }

  Result<SessionMaker> load(const Resolution&, int steps, SharedWeights) override {
    return SessionMaker([this, steps](const ResolvedVariant& variant) -> Result<std::unique_ptr<Session>> {
      const Result<VariantPlan>& plan = variant.plan();
      if (!plan.ok()) return plan.error();
      auto session = std::make_unique<FakeSession>(m_behaviour, variant.experiment(), *plan, steps);
      if (const Status started = session->start(); !started.ok()) return started.error();
      return std::unique_ptr<Session>(std::move(session));
    });
  }

  /// A block takes what a stage of its number takes, whatever the size; handing over takes nothing.
  Result<BlockProfile> measureBlocks(const Resolution& resolution, const ProfileRequest& request,
                                     std::stop_token stop) override {
    const ModelSpec& model = resolution.model();
    BlockProfile profile;
    BlockProfile::Size size;
    for (std::size_t i = 0; i < model.blocks.size(); ++i) {
      profile.block_names.push_back(model.blocks[i].name);
      profile.updates.push_back(timeOf({StageId(i), ActionKind::Update, MicroBatchId(0)}));
      const auto timeOfBlock = [&](ActionKind kind) { return timeOf({StageId(i), kind, MicroBatchId(0)}); };
      const BlockTiming block{timeOfBlock(ActionKind::Forward),
                              timeOfBlock(ActionKind::Backward),
                              timeOfBlock(ActionKind::BackwardInput),
                              timeOfBlock(ActionKind::BackwardWeight),
                              {}};
      size.forward = sumOf(size.forward, block.forward);
      size.backward = sumOf(size.backward, block.backward);
      size.blocks.push_back(block);
    }
    ProgressCount progress(static_cast<std::int64_t>(request.samples.size()), request.report);
    for (const int samples : request.samples) {
      progress.begin(std::to_string(samples));
      if (m_behaviour.before_size) m_behaviour.before_size(samples, stop);
      if (stop.stop_requested()) return Error::cancelled();
      size.samples = samples;
      profile.sizes.push_back(size);
      progress.add(1);
    }
    return profile;
  }

 private:
  Timing timeOf(const Action& action) const {
    return timingOf({m_behaviour.busy_ns ? static_cast<double>(m_behaviour.busy_ns(action)) * 1e-9 : 0.0});
  }
  static Timing sumOf(const Timing& a, const Timing& b) {
    return {a.median + b.median, a.low + b.low, a.high + b.high, 1};
  }

  FakeBehaviour m_behaviour;
};

}  // namespace

std::unique_ptr<Executor> makeFakeExecutor(FakeBehaviour behaviour) {
  return std::make_unique<FakeExecutor>(std::move(behaviour));
}

}  // namespace lanelab
