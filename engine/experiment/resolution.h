// SPDX-License-Identifier: GPL-3.0-only
// What an experiment means, worked out once: its model, what each variant is, and everything that is wrong. Board,
// form, dry run, simulator, advice and runner all take this value instead of reading the experiment again.
//
// Tolerant and strict in one: what a variant is reads as well as it can be read, for a board that is being edited; its
// plan is there only where nothing of it is wrong. Immutable; any thread. Values that belong to it point into it, so
// whoever holds one of them holds the resolution, too.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/experiment_checks.h"
#include "engine/experiment/step_barrier.h"
#include "engine/experiment/training_modes.h"
#include "engine/experiment/variant_plan.h"
#include "engine/experiment/variant_replicas.h"

namespace lanelab {

class Resolution;
struct ExportedNetwork;
struct OpenedModel;

/// What is known of the model before an experiment is resolved, such as by the resolution before an edit.
struct KnownModel {
  /// What placements are read for if the experiment describes no model.
  std::shared_ptr<const ModelSpec> if_none = nullptr;
  /// Its network, which is not read again if the experiment has the same and its file was not written since.
  std::shared_ptr<const OpenedModel> opened = nullptr;
  /// The one that is built in, which is not built again for the same classes and samples.
  std::shared_ptr<const ExportedNetwork> network = nullptr;
};

/// What one variant of an experiment is. Of replicas, placement, stages and micro-batches are the first one's.
class ResolvedVariant {
 public:
  /// Made by resolve(); `whole` holds it.
  ResolvedVariant(const Resolution& whole, const VariantConfig& config, std::string where);
  ResolvedVariant(const ResolvedVariant&) = delete;
  ResolvedVariant& operator=(const ResolvedVariant&) = delete;

  const Resolution& resolution() const { return m_whole; }  ///< which holds it
  const Experiment& experiment() const;
  const ModelSpec& model() const;                                 ///< see Resolution::model()
  const std::shared_ptr<const ExportedNetwork>& network() const;  ///< see Resolution::network()
  bool hasModel() const;
  const VariantConfig& config() const { return m_config; }
  const std::string& where() const { return m_where; }  ///< "variants[2]"

  /// That it may use, in its order; those that are not there are left out.
  const std::vector<LaneId>& lanes() const { return m_lanes; }
  bool replicated() const { return isReplicated(m_config); }
  int replicas() const { return static_cast<int>(m_split.lanes.size()); }
  /// Of each replica, at least one; without replicas all lanes.
  const std::vector<std::vector<LaneId>>& replicaLanes() const { return m_split.lanes; }
  /// For each lane of the experiment the lane of the first replica that does the same; -1 for lanes of the first
  /// replica and of none.
  std::vector<int> repeatedLanes() const;

  /// Of a batch that a replica gets at most; the batch without replicas. At least 1.
  int samples() const;
  /// Samples a micro-batch, within 1 and samples() whatever the file says.
  int splitSize() const;
  /// By the split size, or one where batch norms are synchronised.
  MicroBatches microBatches() const;
  /// Unknown blocks and lanes are passed over, blocks without a word follow their neighbour.
  const Placement& placement() const { return m_placement; }
  /// Cuts are kept where two neighbours lie on one lane.
  const std::vector<Stage>& stages() const { return m_stages; }
  const TrainingModes& modes() const { return m_modes; }
  StepBarrier stepBarrier() const { return m_step_barrier; }

  /// The same experiment with `variant` alone, in place of this one: see Resolution::with().
  std::shared_ptr<const Resolution> with(const VariantConfig& variant) const;

  /// What keeps this variant from being planned, besides what all variants share.
  const std::vector<ExperimentProblem>& problems() const { return m_problems; }
  /// What an executor does; BadInput names the first problem. Made at the first call, as with many micro-batches it
  /// takes long.
  const Result<VariantPlan>& plan() const;

  /// For the other parts of resolution: how replicas share lanes and samples, and the first one as a variant alone.
  const ReplicaSplit& split() const { return m_split; }
  const VariantConfig& firstReplica() const { return m_split.one; }

 private:
  Result<VariantPlan> makePlan() const;

  const Resolution& m_whole;
  const VariantConfig m_config;
  const std::string m_where;
  const std::vector<LaneId> m_lanes;
  const ReplicaSplit m_split;
  const Placement m_placement;
  const std::vector<Stage> m_stages;
  const TrainingModes m_modes;
  const StepBarrier m_step_barrier;
  std::vector<ExperimentProblem> m_problems;
  mutable std::once_flag m_planned;
  mutable std::optional<Result<VariantPlan>> m_plan;
};

class Resolution {
 public:
  /// See resolve() and with(), which make them.
  Resolution(const Experiment& experiment, const KnownModel& known);
  Resolution(const Resolution& base, const VariantConfig& variant);
  Resolution(const Resolution&) = delete;
  Resolution& operator=(const Resolution&) = delete;

  const Experiment& experiment() const { return m_experiment; }
  /// Whether the experiment's own values describe a model.
  bool hasModel() const { return m_has_model; }
  /// The experiment's; where its values describe none, the one that resolve() was given, or one without blocks.
  const ModelSpec& model() const { return *m_model; }
  /// The network that model() describes, opened or built once for all who train, measure, draw or check it; null if
  /// there is none.
  const std::shared_ptr<const ExportedNetwork>& network() const { return m_network; }
  /// For the resolution of the same experiment after an edit.
  KnownModel known() const { return {m_model, m_opened, m_network}; }
  /// Whether the network is what its file holds now.
  bool isCurrent() const;
  /// One for each of the experiment, in its order; none where it has more variants or lanes than are possible, which is
  /// one of the problems.
  const std::deque<ResolvedVariant>& variants() const { return m_variants; }
  /// Null where none has that name.
  const ResolvedVariant* find(const std::string& variant) const;

  /// Everything that is wrong with the values, whatever the machine: ranges, names, cuts; files that cannot be read are
  /// not looked at. Names also what can be planned and simulated but not trained.
  const std::vector<ExperimentProblem>& problems() const { return m_problems; }
  /// Whether nothing is wrong; else the first problem (BadInput).
  Status trainable() const;
  /// Whether all variants have plans, made now; else the first problem (BadInput).
  Status planned() const;
  /// What is wrong with the model and its data alone.
  Status describedModel() const;

  /// The same experiment with `variant` alone: the model and what all variants share are not worked out again. For what
  /// is tried or previewed.
  std::shared_ptr<const Resolution> with(const VariantConfig& variant) const;

 private:
  void describe(const KnownModel& known);
  void collectProblems();

  Experiment m_experiment;
  std::shared_ptr<const OpenedModel> m_opened;
  std::shared_ptr<const ExportedNetwork> m_network;
  std::shared_ptr<const ModelSpec> m_model;
  bool m_has_model = false;
  std::deque<ResolvedVariant> m_variants;
  std::optional<ExperimentProblem> m_model_problem;
  std::vector<ExperimentProblem> m_common;  ///< what is wrong whatever the variants are, up to them in the file
  std::vector<ExperimentProblem> m_problems;
  bool m_plannable = true;  ///< m_problems are of training only
};

/// Works out everything but the plans, which are made when they are asked for. Opens the network of the experiment
/// unless it is known.
std::shared_ptr<const Resolution> resolve(const Experiment& experiment, const KnownModel& known = {});

/// How often this process has worked out a variant, and made a plan of one: each should happen once between an edit and
/// its run.
struct ResolutionCount {
  std::int64_t variants = 0;
  std::int64_t plans = 0;
};
ResolutionCount resolutionCount();

}  // namespace lanelab
