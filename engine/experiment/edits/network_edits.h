// SPDX-License-Identifier: GPL-3.0-only
// Another network, or other data for it. Pure functions, legal before means legal after.
#pragma once

#include <optional>
#include <string>

#include "engine/experiment/experiment.h"
#include "engine/experiment/model_file.h"

namespace lanelab {

/// Sets the network; input shape and classes follow where the new one cannot take the old ones, data and loss where the
/// old one was a file.
void setArchitecture(Experiment& experiment, const std::string& arch);

/// Sets a model file in place of the network, with the weights and the blocks of the file. Shape, classes, data source,
/// loss, batch and split sizes become what the file can take; cuts and placements stay, for carryPlacements(). A file
/// that cannot be read is set too, and is then a problem of the experiment.
void setModelFile(Experiment& experiment, const OpenedModel& opened);

/// After the model file was written again, and `opened` since: classes, shape and sizes of micro-batches become what it
/// can take now, data source and loss too if it has other inputs or outputs than `before`. Cuts and placements follow
/// as by carryPlacements(). The choice of blocks and the file of weights stay.
void followModelFile(Experiment& experiment, const OpenedModel& opened, const ModelSpec& before);

/// Blocks of the model file: its modules at this depth, or chosen automatically. Nothing happens without a model file.
void setBlockDepth(Experiment& experiment, std::optional<int> depth);

/// Sets where the data come from; shape, classes and loss become what digits and CIFAR-10 need, and random images lose
/// epochs and shuffling.
void setDataSource(Experiment& experiment, DataSource source);

/// For data that are there to be learned, after setDataSource(): settings that are still those of a new experiment
/// become ones with which a ResNet reaches 90 % of the handwritten digits in one repeat: six epochs, batches of 64 in
/// four micro-batches, momentum, a learning rate that falls from 0.05. Whatever was set already stays.
void setToLearn(Experiment& experiment);

/// Sets the optimizer; momentum and Nesterov go with SGD alone.
void setOptimizer(Experiment& experiment, OptimizerKind optimizer);

/// After a change of the network, where there is one now: cuts and placements that name blocks which are gone move to
/// the block nearest in share of cost, or are dropped. `network`: networkOf() the experiment.
void carryPlacements(Experiment& experiment, const OpenedNetwork& network, const ModelSpec& before);

}  // namespace lanelab
