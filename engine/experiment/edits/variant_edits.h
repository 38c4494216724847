// SPDX-License-Identifier: GPL-3.0-only
// Names of new variants, and what is left of predictions when an experiment changes.
#pragma once

#include <string>

#include "engine/experiment/experiment.h"

namespace lanelab {

/// Takes away what was predicted of suggested variants that `after` has otherwise than `before`: they themselves, the
/// variants they fix, or what is common to all.
void dropStaleSuggestions(const Experiment& before, Experiment& after);

/// The name itself, or with the smallest number behind it that no other variant has, compared as file names.
std::string freeVariantName(const Experiment& experiment, const std::string& name);

}  // namespace lanelab
