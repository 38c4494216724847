// SPDX-License-Identifier: GPL-3.0-only
// The lanes that a variant may use, and variants whose lanes are replicas: how many there are, on which lanes, and what
// each of them is alone. A part of resolution.h, which is what other rooms include.
//
// data-parallel is torch.nn.DataParallel: every lane takes the whole model and a chunk of the batch, the first one
// holds the weights and updates them. ddp is DistributedDataParallel: every replica holds its own weights, takes every
// R-th row of the batch, and gradients are averaged; with cuts a replica is a pipeline on as many lanes as it has
// stages, or as `replicas` says.
#pragma once

#include <string>
#include <vector>

#include "engine/experiment/experiment.h"
#include "engine/experiment/experiment_checks.h"

namespace lanelab {

/// In the variant's order, all where it names none; indices that name no lane are left out.
std::vector<LaneId> variantLanes(const Experiment& experiment, const VariantConfig& variant);

/// Whether the variant names lanes well; else what is wrong is added. Silently false where the experiment has none.
bool checkVariantLanes(const Experiment& experiment, const VariantConfig& variant, const std::string& where,
                       Problems& problems);

bool isReplicated(const VariantConfig& variant);

struct ReplicaSplit {
  int samples = 1;                         ///< of a batch that the first replica gets, which gets the most
  std::vector<std::vector<LaneId>> lanes;  ///< of each replica, never empty; one for variants without replicas
  VariantConfig one;                       ///< what the first replica does, as a variant without others
};
/// As well as the variant can be read: lanes that are not there are left out, and without any it is on lane 0.
/// checkReplicas() says whether the rest fits.
ReplicaSplit replicaSplit(const Experiment& experiment, const VariantConfig& variant);

/// Of a replicated variant whose lanes exist: keys that it has no use for, lanes that do not divide, replicas without
/// samples.
void checkReplicas(const Experiment& experiment, const VariantConfig& variant, const std::string& where,
                   Problems& problems);

}  // namespace lanelab
