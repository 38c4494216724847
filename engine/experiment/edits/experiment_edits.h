// SPDX-License-Identifier: GPL-3.0-only
// What board, table and form do to the value of an experiment: pure functions, legal before means legal after. Undo
// knows nothing of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/experiment/experiment.h"
#include "engine/placement/placement.h"
#include "engine/schedule/schedule.h"

namespace lanelab {

/// Writes a placement into a variant: as `cuts` where these say the same, block by block otherwise. An edited order
/// goes where stages change their lanes. Of replicas only cuts move that leave each as many stages as before; else
/// nothing changes. A `single` variant of several stages becomes a gpipe pipeline of about four micro-batches; returns
/// true when that happened.
bool writePlacement(const Experiment& experiment, const ModelSpec& model, const Placement& placement,
                    VariantConfig& variant);

/// Consecutive blocks on each lane in turn, cut where the MACs before come nearest to equal parts.
Placement balancedPlacement(const ModelSpec& model, const std::vector<LaneId>& lanes);
/// Sets another schedule, without what was given for the old one (warm-up depth, limit, times, edited order). A
/// schedule that takes several stages a lane gets them, each stage cut in two where its MACs halve; coming back, every
/// second cut stays.
void setSchedule(const Experiment& experiment, const ModelSpec& model, ScheduleKind schedule, VariantConfig& variant);
/// Sets or, with none, drops the edited order of the variant's actions.
void setActions(const std::optional<Schedule>& schedule, VariantConfig& variant);

/// Sets the strategy. From `single` the blocks spread evenly over all lanes; to `single` they gather on the variant's
/// first lane.
void setStrategy(const Experiment& experiment, const ModelSpec& model, Strategy strategy, VariantConfig& variant);

/// Sets the network; input shape and classes follow where the new one cannot take the old ones, data and loss where the
/// old one was a file.
void setArchitecture(Experiment& experiment, const std::string& arch);
/// Sets a model file in place of the network, with the weights and the blocks of the file. Shape, classes, data source,
/// loss, batch and split sizes become what the file can take; cuts and placements stay, for carryPlacements(). A file
/// that cannot be read is set too, and is then a problem of the experiment.
void setModelFile(Experiment& experiment, const std::string& path);

/// Blocks of the model file: its modules at this depth, or chosen automatically. Nothing happens without a model file.
void setBlockDepth(Experiment& experiment, std::optional<int> depth);
/// Sets where the data come from; shape, classes and loss become what digits and CIFAR-10 need, and random images lose
/// epochs and shuffling.
void setDataSource(Experiment& experiment, DataSource source);
/// Sets the optimizer; momentum and Nesterov go with SGD alone.
void setOptimizer(Experiment& experiment, OptimizerKind optimizer);
/// After a change of the network, where there is one now: cuts and placements that name blocks which are gone move to
/// the block nearest in share of cost, or are dropped.
void carryPlacements(Experiment& experiment, const ModelSpec& before);

/// Appends a lane on `device`.
void addLane(Experiment& experiment, Device device);
/// Removes a lane; its blocks go to the lane above it (the first lane's to the one below), in every variant. The last
/// lane stays.
void removeLane(Experiment& experiment, const ModelSpec& model, LaneId lane);
/// Which lanes a variant may use (not empty); blocks on others go to the nearest of these.
void setVariantLanes(const Experiment& experiment, const ModelSpec& model, const std::vector<LaneId>& lanes,
                     VariantConfig& variant);

/// The lanes as they compute: a limit says what fits, and changes neither the bits nor the times of a step.
std::vector<LaneConfig> withoutMemoryLimits(std::vector<LaneConfig> lanes);

/// Takes away what was predicted of suggested variants that `after` has otherwise than `before`: they themselves, the
/// variants they fix, or what is common to all.
void dropStaleSuggestions(const Experiment& before, Experiment& after);

/// The name itself, or with the smallest number behind it that no other variant has, compared as file names.
std::string freeVariantName(const Experiment& experiment, const std::string& name);

}  // namespace lanelab
