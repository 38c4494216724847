// SPDX-License-Identifier: GPL-3.0-only
// How long a run would take. Pure; seconds.
#pragma once

#include <optional>

#include "engine/advise/step_predictor.h"
#include "engine/experiment/resolution.h"

namespace lanelab {

/// The steps of all repeats of all variants, warm-ups included: neither preparing nor evaluating is in it. Nothing for
/// epochs, whose steps depend on the data, for a variant without a plan, and for block times of another model.
std::optional<double> predictedRunSeconds(const Resolution& resolution, const StepPredictor& predictor);

}  // namespace lanelab
