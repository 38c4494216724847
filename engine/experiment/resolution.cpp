// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/resolution.h"

#include <algorithm>
#include <atomic>

#include "engine/experiment/experiment_checks.h"
#include "engine/experiment/model_file.h"
#include "engine/experiment/variant_placement.h"
#include "engine/experiment/variant_schedule.h"
#include "engine/placement/tied_stages.h"

namespace lanelab {
namespace {

std::atomic<std::int64_t> resolved_variants = 0;
std::atomic<std::int64_t> made_plans = 0;

/// With one micro-batch there is one order: each stage after the one before, and back.
VariantConfig oneAfterAnother(VariantConfig variant) {
  changeSchedule(variant, ScheduleKind::Gpipe);
  return variant;
}

StepBarrier barrierOf(const ResolvedVariant& variant) {
  const bool asked = variant.config().step_barrier.value_or(variant.experiment().training.step_barrier);
  return stepBarrierOf(variant.experiment(), asked, variant.replicas(), variant.stages().size(),
                       tiedStages(variant.model(), variant.stages()));
}

ScheduleKind scheduleKind(const ResolvedVariant& variant) {
  const VariantConfig& config = variant.config();
  if (variant.modes().batch_norm == BatchNormMode::Synchronised) return ScheduleKind::Gpipe;
  if (config.actions) return ScheduleKind::Custom;
  return config.strategy == Strategy::Pipeline || config.strategy == Strategy::Ddp ? config.schedule
                                                                                   : ScheduleKind::Gpipe;
}

Result<Schedule> firstSchedule(const ResolvedVariant& variant) {
  const MicroBatches micro_batches = variant.microBatches();
  const StagedSamples staged{variant.model(),          variant.stages(),      variant.experiment().lanes.size(),
                             micro_batches.split_size, micro_batches.count(), windowKindOf(variant.stepBarrier())};
  const VariantConfig& one = variant.firstReplica();
  return scheduleOf(variant.modes().batch_norm == BatchNormMode::Synchronised ? oneAfterAnother(one) : one, staged);
}

void layOutReplicas(VariantPlan& plan, const std::vector<std::vector<LaneId>>& lanes) {
  const std::vector<LaneId> first = lanesOfStages(plan.stages).front();
  for (const std::vector<LaneId>& replica : lanes) {
    std::vector<LaneId>& own = plan.replica_lanes.emplace_back();
    for (const LaneId lane : first)
      own.push_back(
          replica[static_cast<std::size_t>(std::find(lanes[0].begin(), lanes[0].end(), lane) - lanes[0].begin())]);
  }
  plan.schedule = replicate(plan.schedule, lanes);
  plan.schedule.first_updates = plan.strategy == Strategy::DataParallel;
}

/// What is beyond them is not worked out, only named.
bool isWithinLimits(const Experiment& experiment) {
  return experiment.variants.size() <= kMostVariants && experiment.lanes.size() <= kMostLanes;
}

void checkVariantCount(std::size_t count, Problems& problems) {
  if (count == 0)
    problems.add("variants",
                 "There is nothing to run. Add a variant, such as { \"name\": \"Single\", \"strategy\": \"single\" }.");
  if (count > kMostVariants)
    problems.add("variants", "There are {} variants; at most {} are possible.", count, kMostVariants);
}

Status statusOf(const std::vector<ExperimentProblem>& problems) {
  return problems.empty() ? Status() : Status(errorOf(problems.front()));
}

}  // namespace

ResolvedVariant::ResolvedVariant(const Resolution& whole, const VariantConfig& config, std::string where)
    : m_whole(whole),
      m_config(config),
      m_where(std::move(where)),
      m_lanes(variantLanes(whole.experiment(), config)),
      m_split(replicaSplit(whole.experiment(), config)),
      m_placement(readPlacement(whole.experiment(), whole.model(), m_split)),
      m_stages(stagesOf(whole.model(), m_split.one, m_placement)),
      m_modes(variantModes(whole.experiment().training, config, m_stages.size())),
      m_step_barrier(barrierOf(*this)) {
  ++resolved_variants;
  Problems problems;
  checkVariant(*this, problems);
  m_problems = std::move(problems.found);
}

const Experiment& ResolvedVariant::experiment() const { return m_whole.experiment(); }
const ModelSpec& ResolvedVariant::model() const { return m_whole.model(); }
const std::shared_ptr<const ExportedNetwork>& ResolvedVariant::network() const { return m_whole.network(); }
bool ResolvedVariant::hasModel() const { return m_whole.hasModel(); }

std::vector<int> ResolvedVariant::repeatedLanes() const {
  std::vector<int> repeated(experiment().lanes.size(), -1);
  const std::vector<std::vector<LaneId>>& lanes = replicaLanes();
  for (std::size_t replica = 1; replica < lanes.size(); ++replica)
    for (std::size_t i = 0; i < lanes[replica].size(); ++i)
      if (lanes[replica][i].index() < repeated.size()) repeated[lanes[replica][i].index()] = lanes[0][i].value;
  return repeated;
}

int ResolvedVariant::samples() const { return std::max(1, m_split.samples); }

int ResolvedVariant::splitSize() const { return std::clamp(m_config.split_size.value_or(samples()), 1, samples()); }

MicroBatches ResolvedVariant::microBatches() const {
  return {samples(), m_modes.batch_norm == BatchNormMode::Synchronised ? samples() : splitSize()};
}

const Result<VariantPlan>& ResolvedVariant::plan() const {
  std::call_once(m_planned, [this] { m_plan = makePlan(); });
  return *m_plan;
}

Result<VariantPlan> ResolvedVariant::makePlan() const {
  ++made_plans;
  if (const Status described = m_whole.describedModel(); !described.ok()) return described.error();
  if (const Status fine = statusOf(m_problems); !fine.ok()) return fine.error();
  if (experiment().lanes.empty())
    return Error::badInput("lanes: There is no lane. Add one, such as { \"device\": \"cpu:0\" }.");
  Result<Schedule> schedule = firstSchedule(*this);
  if (!schedule.ok()) return Error::badInput("{}.schedule: {}", m_where, schedule.error());
  VariantPlan plan{m_config.name, m_config.strategy, scheduleKind(*this),  m_placement,
                   m_stages,      microBatches(),    std::move(*schedule), m_modes};
  if (replicated()) layOutReplicas(plan, replicaLanes());
  plan.step_barrier = m_step_barrier;
  plan.forward_again = forwardAgain(model(), m_stages, m_modes);
  plan.schedule.updates_last = updatesLast(experiment().training, plan.stages.size(), tiedStages(model(), plan.stages));
  return plan;
}

Resolution::Resolution(const Experiment& experiment, const KnownModel& known)
    : m_experiment(experiment), m_opened(openModel(experiment.model, known.opened)) {
  if (m_opened) adoptModel(m_experiment, *m_opened);
  describe(known);
  const std::size_t variants = isWithinLimits(m_experiment) ? experiment.variants.size() : 0;
  for (std::size_t i = 0; i < variants; ++i)
    m_variants.emplace_back(*this, experiment.variants[i], "variants[" + std::to_string(i) + "]");
  collectProblems();
}

Resolution::Resolution(const Resolution& base, const VariantConfig& variant)
    : m_experiment(base.m_experiment),
      m_opened(base.m_opened),
      m_network(base.m_network),
      m_model(base.m_model),
      m_has_model(base.m_has_model),
      m_model_problem(base.m_model_problem),
      m_common(base.m_common) {
  m_experiment.variants = {variant};
  m_variants.emplace_back(*this, variant, "variant \"" + variant.name + "\"");
  collectProblems();
}

/// The model, and what is wrong with all that stands before the variants in the file.
void Resolution::describe(const KnownModel& known) {
  const OpenedNetwork network = networkOf(m_experiment, m_opened.get(), known.network);
  if (network.ok()) m_network = *network;
  Problems problems;
  std::optional<ModelSpec> described;
  checkModelAndData(m_experiment, network, problems, described);
  if (!problems.found.empty()) m_model_problem = problems.found.front();
  checkTraining(m_experiment.training, problems);
  checkLanes(m_experiment.lanes, problems);
  m_common = std::move(problems.found);
  m_has_model = described.has_value();
  m_model = described       ? std::make_shared<const ModelSpec>(std::move(*described))
            : known.if_none ? known.if_none
                            : std::make_shared<const ModelSpec>();
}

void Resolution::collectProblems() {
  Problems problems{m_common};
  checkVariantCount(m_experiment.variants.size(), problems);
  for (std::size_t i = 0; i < m_variants.size(); ++i) {
    const ResolvedVariant& variant = m_variants[i];
    checkVariantName(m_experiment.variants, i, variant.where(), problems);
    problems.found.insert(problems.found.end(), variant.problems().begin(), variant.problems().end());
  }
  checkFields(m_experiment, "", problems);
  m_plannable = problems.found.empty();
  for (const ResolvedVariant& variant : m_variants) {
    if (problems.found.empty()) checkTrainable(variant, problems);
  }
  m_problems = std::move(problems.found);
}

const ResolvedVariant* Resolution::find(const std::string& variant) const {
  const auto found = std::find_if(m_variants.begin(), m_variants.end(),
                                  [&](const ResolvedVariant& one) { return one.config().name == variant; });
  return found == m_variants.end() ? nullptr : &*found;
}

bool Resolution::isCurrent() const { return isModelOf(m_experiment.model, m_opened); }

Status Resolution::trainable() const { return statusOf(m_problems); }

Status Resolution::planned() const {
  if (!m_plannable) return statusOf(m_problems);
  for (const ResolvedVariant& variant : m_variants) {
    if (!variant.plan().ok()) return variant.plan().error();
  }
  return {};
}

Status Resolution::describedModel() const { return m_model_problem ? Status(errorOf(*m_model_problem)) : Status(); }

std::shared_ptr<const Resolution> Resolution::with(const VariantConfig& variant) const {
  return std::make_shared<const Resolution>(*this, variant);
}

std::shared_ptr<const Resolution> ResolvedVariant::with(const VariantConfig& variant) const {
  return m_whole.with(variant);
}

std::shared_ptr<const Resolution> resolve(const Experiment& experiment, const KnownModel& known) {
  return std::make_shared<const Resolution>(experiment, known);
}

ResolutionCount resolutionCount() { return {resolved_variants.load(), made_plans.load()}; }

}  // namespace lanelab
