// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/train/block_profiler.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "base/stop_point.h"
#include "engine/lanes/lane_infos.h"
#include "engine/placement/tied_stages.h"
#include "engine/schedule/generate.h"
#include "engine/torch/devices/available_memory.h"
#include "engine/torch/devices/lane_memory.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/record/block_spans.h"
#include "engine/torch/train/torch_session.h"
#include "profiler/trace/core_time.h"

namespace lanelab {
namespace {

using Clock = std::chrono::steady_clock;

// Activations of the micro-batches in flight should not fit a cache, since they do not in a run; beyond that more of
// them only take time.
constexpr std::int64_t kInFlightBytes = 256ll << 20;
constexpr int kMostInFlight = 16;
// All sizes are measured, then all again the other way round, so that a machine that changes its speed within minutes
// changes all of them alike.
constexpr int kPasses = 2;
// In each pass a size is measured in rounds until both are reached, or the most.
constexpr int kFewestRounds = 1;
constexpr int kMostRounds = 6;
constexpr double kSecondsASize = 1.0;
constexpr int kBlockwiseSteps = 4;
constexpr std::int64_t kUnitsOfSmallest = 8;  // of progress

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Blocks on these lanes, of which `cuts` begin a stage. One that recomputes takes its forward's time again, which
/// needs no measuring.
VariantPlan planOf(const Experiment& experiment, const ModelSpec& model, Placement placement,
                   const std::vector<BlockId>& cuts, MicroBatches micro_batches) {
  VariantPlan plan{"profile", Strategy::Pipeline, ScheduleKind::Gpipe, std::move(placement), {}, micro_batches, {}};
  plan.stages = stagesOf(plan.placement, cuts);
  plan.modes = commonModes(experiment.training);
  plan.schedule =
      std::move(*generateSchedule(ScheduleKind::Gpipe, lanesOfStages(plan.stages).front(),
                                  static_cast<int>(experiment.lanes.size()), micro_batches.count(), WindowKind::Step));
  plan.schedule.updates_last = !tiedStages(model, plan.stages).empty();
  return plan;
}

/// The lane's whole model as one stage.
VariantPlan chainPlan(const Experiment& experiment, const ModelSpec& model, LaneId lane, int samples,
                      int micro_batches) {
  return planOf(experiment, model, {std::vector<LaneId>(model.blocks.size(), lane)}, {},
                {samples * micro_batches, samples});
}

/// The same with each backward as input and weight part.
VariantPlan splitPlan(VariantPlan plan) {
  for (auto& row : plan.schedule.lanes) row = withSplitBackwards(row);
  return plan;
}

/// Each block a stage, by turns on the two lanes.
VariantPlan blockwisePlan(const Experiment& experiment, const ModelSpec& model, LaneId first, LaneId second,
                          int samples) {
  Placement placement;
  std::vector<BlockId> cuts;
  for (std::size_t i = 0; i < model.blocks.size(); ++i) {
    placement.lane_of_block.push_back(i % 2 == 0 ? first : second);
    if (i > 0) cuts.emplace_back(i);
  }
  return planOf(experiment, model, std::move(placement), cuts, {samples, samples});
}

/// As many as make the activations larger than caches, and four where memory allows, for the spread; at least two, so
/// that gradients add up.
int inFlight(const Experiment& experiment, const ModelSpec& model, int samples) {
  std::int64_t activations = 0;
  for (const BlockSpec& block : model.blocks) activations += block.activation_bytes;
  const std::int64_t bytes = std::max<std::int64_t>(1, activations * samples);
  const int in_step = MicroBatches{experiment.data.batch, samples}.count();
  const auto wanted = static_cast<int>(
      std::clamp<std::int64_t>((kInFlightBytes + bytes - 1) / bytes, samples >= 16 ? 2 : 4, kMostInFlight));
  const auto fitting = static_cast<int>(std::clamp<std::int64_t>(availableMemory() / 3 / bytes, 1, kMostInFlight));
  return std::min({wanted, fitting, std::max(1, in_step)});
}

/// Keeps sessions busy on their own threads until it goes out of scope.
class ComputingNeighbours {
 public:
  explicit ComputingNeighbours(const std::vector<std::unique_ptr<Session>>& sessions) {
    for (const auto& session : sessions) {
      m_threads.emplace_back([&session, stop = m_stop.get_token()] {
        while (!stop.stop_requested() && session->runRepeat({.stop = stop}).failure.ok()) {
        }
      });
    }
  }
  ~ComputingNeighbours() {
    m_stop.request_stop();
    for (std::thread& thread : m_threads) thread.join();
  }
  ComputingNeighbours(const ComputingNeighbours&) = delete;
  ComputingNeighbours& operator=(const ComputingNeighbours&) = delete;

 private:
  std::stop_source m_stop;
  std::vector<std::thread> m_threads;
};

class BlockProfiler {
 public:
  BlockProfiler(const Resolution& resolution, const ProfileRequest& request, std::optional<InitialNetwork> network,
                std::stop_token stop)
      : m_experiment(resolution.experiment()),
        m_model(resolution.model()),
        m_exported(resolution.network()),
        m_request(request),
        m_network(std::move(network)),
        m_stop(std::move(stop)) {
    m_experiment.training.precision = request.modes.precision;
    m_experiment.training.batch_norm = request.modes.batch_norm;
    m_experiment.data.source = DataSource::Random;
    m_experiment.data.epochs.reset();
    m_experiment.data.shuffle = false;
    m_experiment.data.steps = 1;
    m_experiment.training.clip_grad_norm.reset();  // blocks are updated one by one
    m_experiment.record = RecordMode::Blocks;
    for (const BlockSpec& block : m_model.blocks) m_names.push_back(block.name);
  }

  Result<BlockProfile> measure() {
    if (const Status loaded = loadInputs(); !loaded.ok()) return loaded.error();
    std::vector<int> order = m_request.samples;
    std::map<int, SizeTimes> times;
    ProgressCount progress(unitsOfAll(), m_request.report);
    for (int pass = 0; pass < kPasses; ++pass) {
      for (const int samples : order) {
        progress.begin(measuring(samples, pass));
        const Status done = measureSize(samples, times[samples], progress);
        // Sizes differ in their tensors, so that what one kept would only fill memory.
        releaseKeptBlocks();
        if (!done.ok()) return done.error();
      }
      std::reverse(order.begin(), order.end());
    }
    return profileOfTimes(times);
  }

 private:
  Status loadInputs() {
    int most = 1;
    for (const int samples : m_request.samples)
      most = std::max(most, samples * inFlight(m_experiment, m_model, samples));
    Experiment largest = m_experiment;
    largest.data.batch = most;
    auto inputs = loadTrainingInputs(largest, m_exported, std::exchange(m_network, std::nullopt));
    if (!inputs.ok()) return inputs.error();
    m_inputs = std::move(*inputs);
    return {};
  }

  Result<std::unique_ptr<Session>> open(VariantPlan plan) {
    Experiment experiment = m_experiment;
    experiment.data.batch = plan.micro_batches.batch;
    return TorchSession::open(
        std::make_shared<const TrainingJob>(TrainingJob{std::move(experiment), m_model, std::move(plan), m_inputs}));
  }

  /// Of one micro-batch size, from all passes.
  struct SizeTimes {
    ChainTimes whole, split;  ///< backwards whole, and as input and weight part
    BlockwiseTimes blockwise;
    CoreTime core;  ///< of the whole chain alone
  };

  static std::string measuring(int samples, int pass) {
    return "Measuring blocks, micro-batch size " + std::to_string(samples) + ", pass " + std::to_string(pass + 1) +
           " of " + std::to_string(kPasses);
  }

  /// Of one pass over a size: even the smallest takes time, and large ones in proportion to their samples.
  static std::int64_t unitsOf(int samples) { return kUnitsOfSmallest + samples; }

  std::int64_t unitsOfAll() const {
    std::int64_t units = 0;
    for (const int samples : m_request.samples) units += kPasses * unitsOf(samples);
    return units;
  }

  Status measureSize(int samples, SizeTimes& times, ProgressCount& progress) {
    const std::int64_t units = unitsOf(samples), of_chain = units * 3 / 4;
    if (const Status done = measureChain(samples, times); !done.ok()) return done;
    progress.add(of_chain);
    if (m_stop.stop_requested()) return Error::cancelled();
    if (const Status done = measureBlockwise(samples, times.blockwise); !done.ok()) return done;
    progress.add(units - of_chain);
    return m_stop.stop_requested() ? Error::cancelled() : Status();
  }

  Status step(Session& session, const std::function<void(const Trace&)>& use = {}) {
    TraceBuilder trace("profile", laneInfos(m_experiment.lanes));
    const RepeatOutcome outcome = session.runRepeat({.trace = use ? &trace : nullptr, .stop = m_stop});
    if (outcome.failure.ok() && use) use(*trace.snapshot());
    return outcome.failure;
  }

  /// Alone, in company and with split backwards by turns, so that a machine that changes its speed changes all of them.
  Status measureChain(int samples, SizeTimes& times) {
    const int micro_batches = inFlight(m_experiment, m_model, samples);
    const auto planOn = [&](LaneId lane) { return chainPlan(m_experiment, m_model, lane, samples, micro_batches); };
    auto whole = open(planOn(m_request.lane));
    if (!whole.ok()) return whole.error();
    auto split = open(splitPlan(planOn(m_request.lane)));
    if (!split.ok()) return split.error();
    std::vector<std::unique_ptr<Session>> others;
    for (const LaneId lane : m_request.peers) {
      auto other = open(planOn(lane));
      if (!other.ok()) return other.error();
      others.push_back(std::move(*other));
    }
    if (const Status warm = step(**whole); !warm.ok()) return warm;
    const auto stepInto = [&](Session& session, ChainTimes& chain) {
      return step(session, [&](const Trace& trace) { addChainTimes(trace, m_request.lane, m_names, chain); });
    };
    const Clock::time_point start = Clock::now();
    for (int round = 0; round < kMostRounds && (round < kFewestRounds || secondsSince(start) < kSecondsASize);
         ++round) {
      ChainTimes own, together;
      const Status alone_done = step(**whole, [&](const Trace& trace) {
        addChainTimes(trace, m_request.lane, m_names, own);
        addChainTimes(trace, m_request.lane, m_names, times.whole);
        const CoreTime now = coreTimes(trace)[m_request.lane.index()];
        times.core.length += now.length;
        times.core.cpu += now.cpu;
      });
      if (!alone_done.ok()) return alone_done;
      // The parts' shares are wanted, which need fewer measurements than times.
      if (round % 2 == 0) {
        if (const Status done = stepInto(**split, times.split); !done.ok()) return done;
      }
      if (others.empty()) continue;
      const ComputingNeighbours company(others);
      if (const Status done = stepInto(**whole, together); !done.ok()) return done;
      if (const double before = secondsOf(own); before > 0) m_slowdowns.push_back(secondsOf(together) / before);
    }
    return {};
  }

  /// A forward and a backward of the whole model.
  static double secondsOf(const ChainTimes& times) {
    return timingOf(times.forward.whole).median + timingOf(times.backward.whole).median;
  }

  Result<BlockProfile::Size> sizeOf(int samples, const SizeTimes& times) const {
    const ChainTimes &whole = times.whole, &split = times.split;
    for (const ChainTimes::Direction* direction :
         {&whole.forward, &whole.backward, &split.backward_input, &split.backward_weight}) {
      if (direction->whole.empty()) return Error::failed("The blocks left no times in the trace of their profile.");
    }
    BlockProfile::Size size;
    size.samples = samples;
    if (times.core.cpu > 0)
      size.core_share = std::min(1.0, static_cast<double>(times.core.cpu) / static_cast<double>(times.core.length));
    size.blocks.resize(m_names.size());
    for (std::size_t i = 0; i < m_names.size(); ++i) {
      size.blocks[i].forward = timingOf(whole.forward.blocks[i]);
      size.blocks[i].backward = timingOf(whole.backward.blocks[i]);
      size.blocks[i].backward_input = timingOf(split.backward_input.blocks[i]);
      if (split.backward_weight.blocks[i].front() > 0)
        size.blocks[i].backward_weight = timingOf(split.backward_weight.blocks[i]);
    }
    size.forward = timingOf(whole.forward.whole);
    size.backward = timingOf(whole.backward.whole);
    for (std::size_t i = 0; !m_request.peers.empty() && i < times.blockwise.transfers.size(); ++i) {
      size.blocks[i].transfer = timingOf(times.blockwise.transfers[i]);
    }
    return size;
  }

  Result<BlockProfile> profileOfTimes(const std::map<int, SizeTimes>& times) const {
    BlockProfile profile;
    profile.block_names = m_names;
    for (const auto& [samples, measured] : times) {
      Result<BlockProfile::Size> size = sizeOf(samples, measured);
      if (!size.ok()) return size.error();
      // One size has too few rounds to tell 5 % of contention from a machine's whims: all together have enough.
      if (!m_slowdowns.empty()) size->all_lanes_slowdown = std::max(1.0, timingOf(m_slowdowns).median);
      profile.sizes.push_back(std::move(*size));
    }
    profile.updates.resize(m_names.size());
    for (std::size_t i = 0; i < m_updates_and_overheads.updates.size(); ++i)
      profile.updates[i] = timingOf(m_updates_and_overheads.updates[i]);
    profile.action_overhead = timingOf(m_updates_and_overheads.overheads);
    return profile;
  }

  Status measureBlockwise(int samples, BlockwiseTimes& times) {
    const bool pair = !m_request.peers.empty();
    auto session = open(
        blockwisePlan(m_experiment, m_model, m_request.lane, pair ? m_request.peers.front() : m_request.lane, samples));
    if (!session.ok()) return session.error();
    if (const Status warm = step(**session); !warm.ok()) return warm;
    const Clock::time_point start = Clock::now();
    for (int round = 0; round < kBlockwiseSteps && (round < kFewestRounds || secondsSince(start) < kSecondsASize / 2);
         ++round) {
      const Status done = step(**session, [&](const Trace& trace) {
        addBlockwiseTimes(trace, m_names.size(), times);
        addBlockwiseTimes(trace, m_names.size(), m_updates_and_overheads);
      });
      if (!done.ok()) return done;
    }
    return {};
  }

  Experiment m_experiment;
  const ModelSpec& m_model;
  const std::shared_ptr<const ExportedNetwork> m_exported;
  const ProfileRequest& m_request;
  std::optional<InitialNetwork> m_network;  ///< until it is part of the inputs
  const std::stop_token m_stop;
  std::vector<std::string> m_names;
  std::shared_ptr<const TrainingInputs> m_inputs;
  BlockwiseTimes m_updates_and_overheads;  ///< of all sizes: they do not depend on it
  std::vector<double> m_slowdowns;  ///< of all rounds of all sizes: the time in company over the time alone just before
};

}  // namespace

Result<BlockProfile> profileBlocks(const Resolution& resolution, const ProfileRequest& request,
                                   std::optional<InitialNetwork> network, std::stop_token stop) {
  installLaneAllocator();
  try {
    return withStop(stop, [&] { return BlockProfiler(resolution, request, std::move(network), stop).measure(); });
  } catch (const std::exception& error) {
    return Error::failed("The blocks could not be measured: {}.", plainMessage(error));
  }
}

}  // namespace lanelab
