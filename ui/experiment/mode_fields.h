// SPDX-License-Identifier: GPL-3.0-only
// The form's fields of the training modes: precision, batch norm, and which activations are recomputed; the
// experiment's, and a variant's own.
#pragma once

#include <optional>
#include <vector>

#include "ui/experiment/form_fields.h"

namespace lanelab {

struct ModeField {
  QString label;
  FormField* field;
  QString object_name;
};

std::vector<ModeField> trainingModeFields(ExperimentDocument* document);
/// Of the active variant; each may follow the experiment.
std::vector<ModeField> variantModeFields(ExperimentDocument* document);

/// "none", "all", "0, 2" or nothing (as the experiment says) into stages; or why it is none of these.
QString readRecomputedStages(const QString& text, int stages, std::optional<std::vector<int>>& value);

}  // namespace lanelab
