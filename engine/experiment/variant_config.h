// SPDX-License-Identifier: GPL-3.0-only
// One variant of an experiment: how its lanes share model and batch. What it means is worked out by resolution.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/experiment/choices.h"
#include "engine/experiment/fields.h"
#include "engine/schedule/schedule_kind.h"

namespace lanelab {

/// Where a variant comes from that was made to be faster than another (advise/suggestions.h), so that a run can say
/// what came of it.
struct SuggestedFrom {
  std::string of;              ///< the variant that it should be faster than
  std::string change;          ///< "Move layer3.0 to lane 0"
  double predicted_ratio = 1;  ///< that variant's predicted step over this one's
  bool unclear = false;        ///< the range of the prediction has no change in it
  bool operator==(const SuggestedFrom&) const = default;
};

template <class See>
void describeFields(const SuggestedFrom*, See& see) {
  using C = SuggestedFrom;
  see(Field("of", &C::of, "variant", "", {.required = true}));
  see(Field("change", &C::change, "change", "Such as Move layer3.0 to lane 0."));
  see(Field("predicted_ratio", &C::predicted_ratio, "predicted ratio",
            "Predicted step time of that variant over that of this one: above 1 is faster.",
            {.low = 0, .above_low = true, .required = true}));
  see(Field("unclear", &C::unclear, "unclear prediction", "The 90 % range of the prediction has no change in it.",
            {.if_changed = true}));
}

/// These stages compute their whole forward again and the others nothing, or all stages do the same.
using VariantRecompute = std::variant<std::vector<int>, Recompute>;

struct VariantConfig {
  std::string name;
  Strategy strategy = Strategy::Single;
  ScheduleKind schedule = ScheduleKind::Gpipe;
  std::optional<int> split_size;          ///< none: the whole batch
  std::optional<std::vector<int>> lanes;  ///< indices into Experiment::lanes; none: all
  std::optional<std::vector<std::string>> cuts;
  std::optional<std::map<std::string, int>> placement;
  std::optional<int> warm_up = {};
  std::optional<double> activation_limit_mib = {};
  std::optional<std::vector<std::string>> stage_times = {};
  std::optional<std::vector<std::string>> actions = {};  ///< `cuts` lie on lanes as `schedule` has them
  std::optional<Precision> precision = {};
  std::optional<BatchNormMode> batch_norm = {};
  std::optional<VariantRecompute> recompute = {};
  std::optional<bool> step_barrier = {};
  std::optional<int> replicas = {};
  std::optional<SuggestedFrom> suggested_from = {};
  bool operator==(const VariantConfig&) const = default;
};

/// Whether its schedule says something: of another strategy it is the default.
inline bool hasSchedule(const VariantConfig& variant) {
  return variant.strategy == Strategy::Pipeline || variant.strategy == Strategy::Ddp ||
         variant.schedule != VariantConfig{}.schedule;
}

/// Sets another schedule, without what was given for the one before: warm-up depth, limit, times, edited order.
inline void changeSchedule(VariantConfig& variant, ScheduleKind schedule = VariantConfig{}.schedule) {
  variant.schedule = schedule;
  variant.warm_up.reset();
  variant.activation_limit_mib.reset();
  variant.stage_times.reset();
  variant.actions.reset();
}

/// Whether it recomputes certain stages, rather than all in one mode or what the experiment says.
inline bool namesStages(const VariantConfig& variant) {
  return variant.recompute && std::holds_alternative<std::vector<int>>(*variant.recompute);
}

/// Leaves out stages to recompute that are no longer there.
inline void dropLostRecompute(VariantConfig& variant, std::size_t stages) {
  auto* const chosen = variant.recompute ? std::get_if<std::vector<int>>(&*variant.recompute) : nullptr;
  if (chosen) std::erase_if(*chosen, [&](int stage) { return stage >= static_cast<int>(stages); });
}

/// Limits that depend on other values (the batch, the lanes, the stages) are checked with those: experiment_checks.h.
template <class See>
void describeFields(const VariantConfig*, See& see) {
  using C = VariantConfig;
  see(Field("name", &C::name, "name", "Files are named after it, so no two may differ in case or spaces only.",
            {.most_characters = kMostNameCharacters, .fewest_characters = 1, .required = true}));
  see(Field("strategy", &C::strategy, "strategy",
            "single: one lane does everything. model-parallel: the model is cut over the lanes, and one of them "
            "computes at a time. pipeline: the same with several micro-batches in flight. data-parallel: every lane "
            "has the whole model and a part of the batch; the first holds the weights, computes the loss and updates, "
            "as torch.nn.DataParallel. ddp: every replica has its own weights; gradients are averaged in buckets "
            "during the backward, as DistributedDataParallel. A replica may be a pipeline of several lanes.",
            {.required = true}));
  see(Field(
      "schedule", &C::schedule, "schedule",
      "pipeline and ddp only. interleaved-1f1b, interleaved-zb and looped-bfs place several stages on each lane, in "
      "rounds, zb-v, v-half, v-min and dualpipe-v two in a V, hanayo several in waves; custom needs actions.",
      {.written = hasSchedule}));
  see(Field("split_size", &C::split_size, "split size",
            "Micro-batch size: samples per micro-batch, at most the batch; the last one may be smaller. A pipeline "
            "needs it.",
            {.low = 1}));
  see(Field("lanes", &C::lanes, "lanes", "Lanes by index: the i-th holds stage i. Default: all.",
            {.low = 0, .fewest_items = 1, .unique_items = true}));
  see(Field("cuts", &C::cuts, "cuts", "The first block of each next stage, such as [\"layer3.0\"]; [] is one stage."));
  see(Field("placement", &C::placement, "placement",
            "Instead of cuts: the lane of every block, such as { \"stem\": 0, \"layer1.0\": 0 }.", {.low = 0}));
  see(Field("warm_up", &C::warm_up, "warm-up depth",
            "1f1b, zb-h1, interleaved-1f1b, hanayo: forwards of the first lane before its first backward. list: most "
            "micro-batches in flight in a stage. Default: the schedule's own.",
            {.low = 1, .high = 32767, .label = "Warm-up forwards", .placeholder = "schedule default"}));
  see(Field(
      "activation_limit_mib", &C::activation_limit_mib, "limit of activations",
      "list only: most MiB of activations in a lane at once, as the layer table counts them. Default: unlimited, but "
      "with a step barrier no more micro-batches are in flight than lanes or warm_up.",
      {.low = 0, .above_low = true, .label = "Limit (MiB)", .placeholder = "unlimited"}));
  see(Field("stage_times", &C::stage_times, "times of the stages",
            "list only: F:I:W of each stage for one micro-batch, such as \"10:12:8\", or one for all, in any unit. A "
            "run's report prints those it measured. Default: by MACs.",
            {.pattern = "^[0-9]+:[0-9]+:[0-9]+$", .label = "Stage times", .placeholder = "by MACs"}));
  see(Field("actions", &C::actions, "actions",
            "An edited schedule instead of a generated one: one CSV row per lane, such as \"0F0,0F1,0B0,0B1\"."));
  see(Field("precision", &C::precision, "precision of the variant", "Instead of training.precision.",
            {.label = "Precision"}));
  see(Field("batch_norm", &C::batch_norm, "batch norm of the variant", "Instead of training.batch_norm.",
            {.label = "Batch norm"}));
  see(Field(
      "recompute", &C::recompute, "recomputed stages",
      "Instead of training.recompute: false, true or activations for all stages, or the stages that compute their "
      "whole forward again, such as [0, 1]; [] is none.",
      {.low = 0, .unique_items = true}));
  see(Field("step_barrier", &C::step_barrier, "step barrier of the variant", "Instead of training.step_barrier."));
  see(Field("replicas", &C::replicas, "number of replicas",
            "ddp only, if a replica does not have one lane for each stage. Default: the lanes divided by the stages.",
            {.low = 1}));
  see(Field("suggested_from", &C::suggested_from, "suggestion",
            "Written with a suggested variant: which variant it should be faster than, and by how much, so that a run "
            "reports the outcome.",
            {.former_key = "mend"}));
}

}  // namespace lanelab
