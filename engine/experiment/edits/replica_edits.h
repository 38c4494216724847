// SPDX-License-Identifier: GPL-3.0-only
// What the window reads and changes of variants whose lanes are replicas: pure functions on the value of an experiment.
#pragma once

#include <string>
#include <vector>

#include "engine/experiment/resolution.h"

namespace lanelab {

/// How many lanes a replica of ddp may have: the divisors of its lanes, as far as there are blocks.
std::vector<int> possibleLanesOfReplica(const ResolvedVariant& variant);
/// Cuts the model of a ddp variant for so many lanes, where its MACs come nearest to equal parts.
void setLanesOfReplica(const Experiment& experiment, const ModelSpec& model, int lanes, VariantConfig& variant);

/// Makes a variant that has another strategy a replicated one, on all its lanes: without keys that only pipelines have,
/// and in modes that replicas can train in.
void becomeReplicated(const Experiment& experiment, VariantConfig& variant);
/// After lanes have gone: where those left are no multiple of a replica's, each lane becomes a replica.
void settleReplicas(const Experiment& experiment, VariantConfig& variant);

/// "The replicas of DDP are cut alike ...": why a placement cannot be taken.
std::string whyReplicasStay(const VariantConfig& variant);

}  // namespace lanelab
