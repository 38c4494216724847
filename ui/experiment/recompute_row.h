// SPDX-License-Identifier: GPL-3.0-only
// The form's row of the stages that compute their activations again.
#pragma once

#include <optional>
#include <vector>

#include "ui/experiment/form_rows.h"

namespace lanelab {

/// Which stages of the active variant recompute.
FormRow recomputeRow(ExperimentDocument* document);

/// "none", "all", "0, 2" or nothing (as the experiment says) into stages; or why it is none of these.
QString readRecomputedStages(const QString& text, int stages, std::optional<std::vector<int>>& value);

}  // namespace lanelab
