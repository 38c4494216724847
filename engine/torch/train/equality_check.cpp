// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/train/equality_check.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <thread>
#include <tuple>

#include "base/stop_point.h"
#include "base/text.h"
#include "engine/experiment/training_targets.h"
#include "engine/files/clipped_name.h"
#include "engine/placement/tied_stages.h"
#include "engine/run/rank_lanes.h"
#include "engine/torch/devices/lane_memory.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/train/machine_check.h"
#include "engine/torch/train/reference_training.h"
#include "engine/torch/train/rounding_bounds.h"
#include "engine/torch/train/tensor_comparison.h"
#include "engine/torch/train/torch_session.h"

namespace lanelab {

namespace {

constexpr double kDamping = 0.1;
constexpr double kDampedRate = 0.001;

/// The parameters or the buffers of all weights.
TensorMap chosen(const TensorMap& weights, const std::set<std::string>& names, bool parameters) {
  TensorMap some;
  for (const auto& [name, tensor] : weights) {
    if (names.contains(name) == parameters) some.emplace(name, tensor);
  }
  return some;
}

bool within(const GroupEquality& group, const VariantEquality& variant) {
  return variant.bitwise_wanted ? group.bitwise == group.tensors
                                : group.problem.empty() && group.worst_difference <= variant.tolerance;
}

bool allWithin(const VariantEquality& variant) {
  return std::ranges::all_of(variant.groups, [&](const GroupEquality& group) { return within(group, variant); });
}

/// A difference so many times the tolerance is not rounding that one more training would reveal.
constexpr double kHopeless = 100;

/// Whether tensors may be within the tolerance once it is known what rounding alone moves. It explains no loss.
bool mayBeRounding(const VariantEquality& variant, const MeasuredRounding& known) {
  if (variant.bitwise_wanted || !within(variant.groups.front(), variant)) return false;
  const double most = known.trainings > 0 ? kHopeless * variant.tolerance : std::numeric_limits<double>::max();
  return known.trainings < kRoundingTrainings && std::ranges::all_of(variant.groups, [&](const GroupEquality& group) {
           return group.problem.empty() && group.worst_difference <= most;
         });
}

/// A loss that has grown so many times before it is infinite comes of a training that diverges.
constexpr double kDiverges = 10;

/// What the reader should do about a training whose numbers are not finite.
std::string adviceFor(const PlainResult& reference) {
  const std::optional<NotFinite>& first = reference.not_finite;
  if (first && first->step == 0 && first->gradient.empty())
    return "The loss of step 1 is not finite, before any update, so a lower learning rate does not help. Check the "
           "data, the initial weights and the network.";
  if (first && first->step == 0)
    return "The loss of step 1 is finite, but the gradient of " + first->gradient +
           " is not, so a lower learning rate does not help. Check the network for a square root, a logarithm, a norm "
           "or a division at 0.";
  if (!first) return "Losses and gradients are finite, but the last update is not. Use a lower learning rate.";
  const double before = reference.losses[static_cast<std::size_t>(first->step) - 1];
  const std::string step = std::to_string(first->step + 1);
  if (std::abs(before) > kDiverges * std::abs(reference.losses.front()))
    return "The losses grow until step " + step + ": the training diverges. Use a lower learning rate.";
  return "Step " + step +
         " is the first that is not finite, and the loss had not grown before. Check the data of step " + step +
         "; if they are right, use a lower learning rate.";
}

/// The names of the tensors that rounding alone moves, for readers.
std::string roundingNote(const VariantEquality& variant) {
  std::vector<std::string> parts;
  for (const GroupEquality& group : variant.groups)
    if (!group.rounding.empty())
      parts.push_back(std::to_string(group.rounding.size()) + " of the " + group.what + " (" +
                      firstNames(group.rounding) + ")");
  if (parts.empty()) return {};
  return variant.name + ": rounding alone moves " + joinAnd(parts) +
         " by more than the tolerance, as training the reference again from weights that differ in their last bit "
         "shows. Such a difference is divided by the size of which the move is the tolerance.";
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
void damp(const ModelSpec& model, TensorMap& weights) {
  for (const BlockSpec& block : model.blocks) {
    const LayerSpec* last = nullptr;
    for (const LayerSpec& layer : block.layers)
      if (layer.type == "BatchNorm2d" && layer.name.find(".bn") != std::string::npos) last = &layer;
    if (!last) continue;
    const std::string scale = last->name + ".weight";
    weights[scale] = weights.at(scale).mul(kDamping);
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
    progress.finish();  // references that nobody needed again
    return std::move(m_report);
  }

 private:
  Status prepare() {
    if (const Status lanes = checkLanes(m_experiment.lanes); !lanes.ok()) return lanes;
    if (std::string note = ownLossNote(m_resolution); !note.empty()) m_report.notes.push_back(std::move(note));
    const auto inputs = loadTrainingInputs(m_experiment, m_resolution.network());
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
    if (!m_spec.imported) {
      TrainingInputs damped = *m_inputs;
      damp(m_spec, damped.weights);
      m_inputs = std::make_shared<const TrainingInputs>(std::move(damped));
      note += "residual branches damped to 0.1 at ";
    }
    m_experiment.training.lr = std::min(m_experiment.training.lr, kDampedRate);
    m_report.notes.push_back(note + "a learning rate of at most 0.001: " +
                             (m_spec.imported ? "large steps" : "a fresh ResNet") + " would magnify rounding.");
    return {};
  }

  using ReferenceKey = std::tuple<PlainOrder, Precision, BatchNormMode>;
  /// A training that variants are compared with.
  struct Reference {
    Experiment experiment;
    PlainOrder order;
    PlainResult result = {};
    MeasuredRounding rounding = {};  ///< measured when a variant asks for it
  };

  static ReferenceKey referenceKey(const VariantPlan& plan) {
    return {orderOf(plan), plan.modes.precision, plan.modes.batch_norm};
  }

  /// Of the variants, of the references that they share, and of those that may be trained again.
  std::int64_t stepsOfAll() const {
    std::map<ReferenceKey, bool> rounded;
    for (const ResolvedVariant& variant : m_resolution.variants())
      rounded[referenceKey(*variant.plan())] |= !bitwiseWanted(m_experiment, m_spec, *variant.plan());
    std::size_t trainings = m_resolution.variants().size() + rounded.size();
    for (const auto& [key, again] : rounded) trainings += again ? kRoundingTrainings : 0;
    return static_cast<std::int64_t>(trainings) * m_report.steps;
  }

  Status checkVariant(const VariantPlan& plan, ProgressCount& progress) {
    const Result<Reference*> wanted = reference(plan, progress);
    if (!wanted.ok()) return wanted.error();
    progress.begin("Training " + plan.name + " on its lanes");
    PlainResult actual;
    if (const Status trained = trainOnLanes(plan, actual, progress); !trained.ok()) return trained;
    return judge(plan, actual, **wanted, progress);
  }

  Result<Reference*> reference(const VariantPlan& plan, ProgressCount& progress) {
    const ReferenceKey key = referenceKey(plan);
    if (const auto known = m_references.find(key); known != m_references.end()) return &known->second;
    Reference reference{m_experiment, orderOf(plan)};
    reference.experiment.training.precision = plan.modes.precision;
    reference.experiment.training.batch_norm = plan.modes.batch_norm;
    const int replicas = reference.order.replicas, parts = plan.micro_batches.count();
    progress.begin("Training the reference: one thread, " +
                   (replicas > 1 ? std::to_string(replicas) + " replicas, each " : std::string()) +
                   std::to_string(parts) + (parts == 1 ? " micro-batch" : " micro-batches one after the other"));
    Result<PlainResult> result = trainedAlone(reference, *m_inputs);
    if (!result.ok()) return result.error();
    reference.result = std::move(*result);
    progress.add(m_report.steps);
    return &m_references.emplace(key, std::move(reference)).first->second;
  }

  Result<PlainResult> trainedAlone(const Reference& reference, const TrainingInputs& inputs) const {
    PlainResult result;
    Status status;
    // A thread of its own, whose number of threads is set without touching the caller's.
    std::thread([&] {
      try {
        at::set_num_threads(1);
        const StopScope scope(m_stop);
        result = trainPlainly(reference.experiment, m_spec, inputs, reference.order, m_stop);
      } catch (const Stopped&) {
        status = Error::cancelled();
      } catch (const std::exception& error) {
        status = Error::failed("The reference could not be trained: {}.", plainMessage(error));
      }
    }).join();
    if (!status.ok()) return status.error();
    if (m_stop.stop_requested()) return Error::cancelled();
    return result;
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

  Status judge(const VariantPlan& plan, const PlainResult& actual, Reference& reference, ProgressCount& progress) {
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
    const bool finite = compare(variant, actual, reference);
    while (finite && !allWithin(variant) && mayBeRounding(variant, reference.rounding)) {
      if (const Status measured = measureRounding(reference, variant.tolerance, progress); !measured.ok())
        return measured;
      compare(variant, actual, reference);
    }
    variant.equal = finite && allWithin(variant);
    if (!finite) variant.not_finite = adviceFor(reference.result);
    if (const std::string note = roundingNote(variant); variant.equal && !note.empty()) m_report.notes.push_back(note);
    if (const std::string& lost = variant.groups.back().not_finite; finite && !lost.empty())
      m_report.notes.push_back(variant.name + ": the buffer " + lost +
                               " of the reference is not finite. A batch norm with one value per channel in a "
                               "micro-batch does that: use a larger split size.");
    m_report.variants.push_back(std::move(variant));
    return {};
  }

  /// Group by group; whether the reference's losses, gradients and parameters are finite.
  bool compare(VariantEquality& variant, const PlainResult& actual, const Reference& reference) const {
    const PlainResult& wanted = reference.result;
    ComparisonRule of_gradients, of_weights;
    if (!variant.bitwise_wanted) {
      of_gradients = {variant.tolerance, reference.rounding.gradients};
      of_weights = {variant.tolerance, reference.rounding.weights};
    }
    const TensorMap parameters = chosen(wanted.weights, wanted.parameters, true),
                    buffers = chosen(wanted.weights, wanted.parameters, false);
    variant.groups = {
        compareLosses(actual.losses, wanted.losses),
        compareMaps("gradients", actual.gradients, wanted.gradients, of_gradients),
        compareMaps("parameters", chosen(actual.weights, wanted.parameters, true), parameters, of_weights),
        compareMaps("buffers", chosen(actual.weights, wanted.parameters, false), buffers, of_weights)};
    const auto lost = std::ranges::find_if(wanted.losses, [](double loss) { return !std::isfinite(loss); });
    if (lost != wanted.losses.end())
      variant.groups[0].not_finite = "loss of step " + std::to_string(lost - wanted.losses.begin() + 1);
    variant.groups[1].not_finite = firstNotFinite(wanted.gradients);
    variant.groups[2].not_finite = firstNotFinite(parameters, m_inputs->weights);
    variant.groups[3].not_finite = firstNotFinite(buffers, m_inputs->weights);
    // Running statistics need not be finite for the others to prove something.
    return std::all_of(variant.groups.begin(), variant.groups.end() - 1,
                       [](const GroupEquality& group) { return group.not_finite.empty(); });
  }

  Status measureRounding(Reference& reference, double tolerance, ProgressCount& progress) const {
    progress.begin("Training the reference again, to measure rounding");
    const Precision precision = reference.experiment.training.precision;
    TrainingInputs inputs = *m_inputs;
    inputs.weights = nudged(inputs.weights, reference.result.gradients, precision, reference.rounding.trainings);
    const Result<PlainResult> moved = trainedAlone(reference, inputs);
    if (!moved.ok()) return moved.error();
    widen(reference.rounding, reference.result, *moved, precision, tolerance);
    progress.add(m_report.steps);
    return {};
  }

  const Resolution& m_resolution;
  Experiment m_experiment;  ///< as it is trained for the check
  const ModelSpec& m_spec;
  const ReportProgress& m_report_progress;
  std::stop_token m_stop;
  std::shared_ptr<const TrainingInputs> m_inputs;
  PeersFactory m_peers;
  std::map<ReferenceKey, Reference> m_references;
  EqualityReport m_report;
};

}  // namespace

Result<EqualityReport> checkEquality(const Resolution& resolution, int steps, const WorkControl& control,
                                     const PeersFactory& peers) {
  installLaneAllocator();  // for the reference too: where tensors are made, it can be cancelled
  try {
    return withStop(control.stop, [&] { return Check(resolution, steps, control, peers).run(); });
  } catch (const std::exception& error) {
    return Error::failed("The check failed: {}.", plainMessage(error));
  }
}

}  // namespace lanelab
