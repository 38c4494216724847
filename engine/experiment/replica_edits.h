// SPDX-License-Identifier: GPL-3.0-only
// What the window reads and changes of variants whose lanes are replicas: pure functions on the value of an experiment.
#pragma once

#include <string>
#include <vector>

#include "engine/experiment/experiment.h"
#include "engine/experiment/variant_replicas.h"
#include "engine/placement/placement.h"
#include "engine/schedule/replicas.h"

namespace lanelab {

/// As the engine splits it, also where lanes are named that are not there: these are left out.
ReplicaSplit replicaSplitOf(const Experiment& experiment, const VariantConfig& variant);

/// Samples that one replica gets at most; the batch for variants without replicas.
int samplesOfReplica(const Experiment& experiment, const VariantConfig& variant);

/// How many lanes a replica of ddp may have: the divisors of its lanes, as far as there are blocks.
std::vector<int> possibleLanesOfReplica(const Experiment& experiment, const ModelSpec& model,
                                        const VariantConfig& variant);
/// Cuts the model of a ddp variant for so many lanes, where its MACs come nearest to equal parts.
void setLanesOfReplica(const Experiment& experiment, const ModelSpec& model, int lanes, VariantConfig& variant);

/// Makes a variant that has another strategy a replicated one, on all its lanes: without keys that only pipelines have,
/// and in modes that replicas can train in.
void becomeReplicated(const Experiment& experiment, VariantConfig& variant);
/// After lanes have gone: where those left are no multiple of a replica's, each lane becomes a replica.
void settleReplicas(const Experiment& experiment, VariantConfig& variant);

/// For each lane of the experiment the lane of the first replica that does the same; -1 for lanes of the first replica
/// and of none.
std::vector<int> repeatedLanes(const Experiment& experiment, const VariantConfig& variant);

/// "The replicas of DDP are cut alike ...": why a placement cannot be taken.
std::string whyReplicasStay(const VariantConfig& variant);

}  // namespace lanelab
