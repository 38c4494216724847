// SPDX-License-Identifier: GPL-3.0-only
// What is wrong with a variant besides its lanes, replicas and placement, which have files of their own. A part of
// resolution.h, which is what other rooms include.
#pragma once

#include <string>
#include <vector>

#include "engine/experiment/experiment.h"
#include "engine/experiment/experiment_checks.h"

namespace lanelab {

class ResolvedVariant;

/// Everything that keeps the variant from being planned. Without a model (its own problems are told elsewhere) only
/// what needs none is looked at.
void checkVariant(const ResolvedVariant& variant, Problems& problems);

/// What can be planned and simulated but not trained: a batch norm that would see one value a channel. Of a variant
/// that can be planned.
void checkTrainable(const ResolvedVariant& variant, Problems& problems);

/// The name of variant `i`: too long, without letters, or that of another before it.
void checkVariantName(const std::vector<VariantConfig>& variants, std::size_t i, const std::string& where,
                      Problems& problems);

}  // namespace lanelab
