// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/train/equality_check.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <thread>
#include <tuple>

#include "base/stop_point.h"
#include "engine/experiment/training_targets.h"
#include "engine/placement/tied_stages.h"
#include "engine/run/rank_lanes.h"
#include "engine/torch/devices/lane_memory.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/train/machine_check.h"
#include "engine/torch/train/reference_training.h"
#include "engine/torch/train/tensor_comparison.h"
#include "engine/torch/train/torch_session.h"

namespace lanelab {

namespace {

constexpr double kDamping = 0.1;
constexpr double kDampedRate = 0.001;

/// The parameters or the buffers of all weights: what has a gradient is a parameter.
TensorMap chosen(const TensorMap& weights, const TensorMap& gradients, bool parameters) {
  TensorMap some;
  for (const auto& [name, tensor] : weights) {
    if ((gradients.count(name) > 0) == parameters) some.emplace(name, tensor);
  }
  return some;
}

bool within(const GroupEquality& group, const VariantEquality& variant) {
  return variant.bitwise_wanted ? group.bitwise == group.tensors
                                : group.problem.empty() && group.worst_difference <= variant.tolerance;
}

/// Sums of more than two gradients hang on their order, which Gloo chooses.
constexpr int kReplicasInAnyOrder = 2;

PlainOrder orderOf(const VariantPlan& plan) {
  return {plan.micro_batches.split_size, plan.replicas(), plan.strategy == Strategy::DataParallel};
}

/// Lanes of the CPU with one thread, and sums in an order that is known.
bool bitwiseWanted(const Experiment& experiment, const ModelSpec& model, const VariantPlan& plan) {
  if (!tiedStages(model, plan.stages).empty()) return false;
  const auto oneThread = [&](LaneId id) {
    const LaneConfig& lane = experiment.lanes[id.index()];
    return lane.device.isCpu() && lane.threads == 1;
  };
  const StageLanes lanes = plan.stageLanes();
  return (plan.replicas() <= kReplicasInAnyOrder || orderOf(plan).gathered) &&
         std::all_of(lanes.begin(), lanes.end(),
                     [&](const auto& replica) { return std::all_of(replica.begin(), replica.end(), oneThread); });
}

/// The last batch norm of each residual branch is named bn2 in a basic block and bn3 in a bottleneck.
void damp(const NetworkBlocks& blocks, TensorMap& weights) {
  for (const auto& block : blocks) {
    const TensorSlot* last = nullptr;
    for (const TensorSlot& slot : block->slots()) {
      if (slot.role == SlotRole::NormWeight && slot.name.find(".bn") != std::string::npos) last = &slot;
    }
    if (last) weights[last->name] = weights.at(last->name).mul(kDamping);
  }
}

class Check {
 public:
  Check(const Resolution& resolution, int steps, const WorkControl& control, PeersFactory peers)
      : m_resolution(resolution),
        m_experiment(inOneProcess(resolution.experiment())),
        m_spec(resolution.model()),
        m_report_progress(control.report),
        m_stop(control.stop),
        m_peers(std::move(peers)) {
    m_experiment.data.steps = steps;
    m_experiment.record = RecordMode::Off;
    m_report.steps = steps;
  }

  Result<EqualityReport> run() {
    if (const Status planned = m_resolution.planned(); !planned.ok()) return planned.error();
    if (const Status ready = prepare(); !ready.ok()) return ready.error();
    ProgressCount progress(stepsOfAll(), m_report_progress);
    for (const ResolvedVariant& variant : m_resolution.variants()) {
      if (m_stop.stop_requested()) return Error::cancelled();
      if (const Status done = checkVariant(*variant.plan(), progress); !done.ok()) return done.error();
    }
    return std::move(m_report);
  }

 private:
  Status prepare() {
    if (const Status lanes = checkLanes(m_experiment.lanes, m_report.notes); !lanes.ok()) return lanes;
    m_report.notes.clear();  // they speak of times
    if (std::string note = ownLossNote(m_resolution); !note.empty()) m_report.notes.push_back(std::move(note));
    const auto inputs = loadTrainingInputs(m_experiment, m_spec);
    if (!inputs.ok()) return inputs.error();
    m_inputs = *inputs;
    const auto& variants = m_resolution.variants();
    const bool all_bitwise = std::all_of(variants.begin(), variants.end(), [&](const ResolvedVariant& variant) {
      return bitwiseWanted(m_experiment, m_spec, *variant.plan());
    });
    return all_bitwise ? Status() : startDamped();
  }

  Status startDamped() {
    std::string note =
        "Variants with a GPU lane, several threads per lane, more than two ddp replicas or a parameter in several "
        "stages round differently from one thread, so they are held within a relative difference of 0.001 per tensor "
        "(0.05 in bf16 and tf32) instead of "
        "bitwise, and all trainings start with ";
    if (!m_experiment.model.file) {
      const Result<NetworkBlocks> blocks = makeBlocks(m_spec);
      if (!blocks.ok()) return blocks.error();
      TrainingInputs damped = *m_inputs;
      damp(*blocks, damped.weights);
      m_inputs = std::make_shared<const TrainingInputs>(std::move(damped));
      note += "residual branches damped to 0.1 at ";
    }
    m_experiment.training.lr = std::min(m_experiment.training.lr, kDampedRate);
    m_report.notes.push_back(note + "a learning rate of at most 0.001: " +
                             (m_experiment.model.file ? "large steps" : "a fresh ResNet") + " would magnify rounding.");
    return {};
  }

  using ReferenceKey = std::tuple<PlainOrder, Precision, BatchNormMode>;
  static ReferenceKey referenceKey(const VariantPlan& plan) {
    return {orderOf(plan), plan.modes.precision, plan.modes.batch_norm};
  }

  /// Of the variants and of the references that they share.
  std::int64_t stepsOfAll() const {
    std::set<ReferenceKey> references;
    for (const ResolvedVariant& variant : m_resolution.variants()) references.insert(referenceKey(*variant.plan()));
    return static_cast<std::int64_t>(m_resolution.variants().size() + references.size()) * m_report.steps;
  }

  Status checkVariant(const VariantPlan& plan, ProgressCount& progress) {
    const Result<const PlainResult*> wanted = reference(plan, progress);
    if (!wanted.ok()) return wanted.error();
    progress.begin("Training " + plan.name + " on its lanes");
    PlainResult actual;
    if (const Status trained = trainOnLanes(plan, actual, progress); !trained.ok()) return trained;
    judge(plan, actual, **wanted);
    return {};
  }

  Result<const PlainResult*> reference(const VariantPlan& plan, ProgressCount& progress) {
    const MicroBatches& split = plan.micro_batches;
    Experiment experiment = m_experiment;
    experiment.training.precision = plan.modes.precision;
    experiment.training.batch_norm = plan.modes.batch_norm;
    const PlainOrder order = orderOf(plan);
    const ReferenceKey key = referenceKey(plan);
    if (const auto known = m_references.find(key); known != m_references.end()) return &known->second;
    progress.begin("Training the reference: one thread, " +
                   (order.replicas > 1 ? std::to_string(order.replicas) + " replicas, each " : std::string()) +
                   std::to_string(split.count()) +
                   (split.count() == 1 ? " micro-batch" : " micro-batches one after the other"));
    PlainResult result;
    Status status;
    // A thread of its own, whose number of threads is set without touching the caller's.
    std::thread([&] {
      try {
        at::set_num_threads(1);
        const StopScope scope(m_stop);
        result = trainPlainly(experiment, m_spec, *m_inputs, order, m_stop);
      } catch (const Stopped&) {
        status = Error::cancelled();
      } catch (const std::exception& error) {
        status = Error::failed("The reference could not be trained: {}.", plainMessage(error));
      }
    }).join();
    if (!status.ok()) return status.error();
    if (m_stop.stop_requested()) return Error::cancelled();
    progress.add(m_report.steps);
    return &m_references.emplace(key, std::move(result)).first->second;
  }

  Status trainOnLanes(const VariantPlan& plan, PlainResult& actual, ProgressCount& progress) {
    auto opened = TorchSession::open(
        std::make_shared<const TrainingJob>(TrainingJob{m_experiment, m_spec, plan, m_inputs, nullptr, m_peers}));
    if (!opened.ok()) return opened.error();
    auto& session = static_cast<TorchSession&>(**opened);
    RepeatOutcome outcome =
        session.runRepeat({.on_step = [&](int, double, double) { progress.add(1); }, .stop = m_stop});
    if (!outcome.failure.ok()) return outcome.failure;
    actual.losses = std::move(outcome.losses);
    Result<TensorMap> weights = session.gather(TorchSession::Which::Weights);
    if (!weights.ok()) return weights.error();
    Result<TensorMap> gradients = session.gather(TorchSession::Which::Gradients);
    if (!gradients.ok()) return gradients.error();
    actual.weights = std::move(*weights);
    actual.gradients = std::move(*gradients);
    return {};
  }

  void judge(const VariantPlan& plan, const PlainResult& actual, const PlainResult& wanted) {
    VariantEquality variant{plan.name,
                            plan.strategy,
                            plan.schedule_kind,
                            static_cast<int>(plan.stages.size()),
                            plan.micro_batches.split_size,
                            plan.micro_batches.count(),
                            plan.replicas(),
                            bitwiseWanted(m_experiment, m_spec, plan),
                            plan.modes.precision == Precision::Fp32 ? kEqualityTolerance : kCoarseTolerance,
                            true,
                            {}};
    variant.groups = {compareLosses(actual.losses, wanted.losses),
                      compareMaps("gradients", actual.gradients, wanted.gradients),
                      compareMaps("parameters", chosen(actual.weights, wanted.gradients, true),
                                  chosen(wanted.weights, wanted.gradients, true)),
                      compareMaps("buffers", chosen(actual.weights, wanted.gradients, false),
                                  chosen(wanted.weights, wanted.gradients, false))};
    for (const GroupEquality& group : variant.groups) variant.equal = variant.equal && within(group, variant);
    if (!wanted.losses.empty() && !std::isfinite(wanted.losses.back())) {
      m_report.notes.push_back(
          plan.name + ": the reference's own loss is not finite, so this proves little. Use a lower learning rate.");
    }
    m_report.variants.push_back(std::move(variant));
  }

  const Resolution& m_resolution;
  Experiment m_experiment;  ///< as it is trained for the check
  const ModelSpec& m_spec;
  const ReportProgress& m_report_progress;
  std::stop_token m_stop;
  std::shared_ptr<const TrainingInputs> m_inputs;
  PeersFactory m_peers;
  std::map<ReferenceKey, PlainResult> m_references;
  EqualityReport m_report;
};

}  // namespace

Result<EqualityReport> checkEquality(const Resolution& resolution, int steps, const WorkControl& control,
                                     const PeersFactory& peers) {
  installLaneAllocator();  // for the reference too: where tensors are made, it can be cancelled
  try {
    return unlessStopped(control.stop, [&] { return Check(resolution, steps, control, peers).run(); });
  } catch (const std::exception& error) {
    return Error::failed("The check failed: {}.", plainMessage(error));
  }
}

}  // namespace lanelab
