// SPDX-License-Identifier: GPL-3.0-only
// The form's rows, made from the rows of an experiment's fields (engine/experiment/fields.h): an option that has a
// label there is in the form, with an input for its type and its description as tooltip.
#pragma once

#include <optional>
#include <vector>

#include "ui/experiment/form_fields.h"

namespace lanelab {

struct FormRow {
  QString label;
  FormField* field;  ///< its object name is its place without points: trainingLrWarmup
};

/// Those of "model", "data", "training", or of the experiment itself (""), in the order of the file.
std::vector<FormRow> formRows(ExperimentDocument* document, const QString& section);

/// The row of the active variant's value `key`, which has a label.
FormRow variantRow(ExperimentDocument* document, const QString& key);

/// Which stages of the active variant recompute.
FormRow recomputeRow(ExperimentDocument* document);

/// "none", "activations", "all", "0, 2", or "default" or nothing (as the experiment says) into stages; or why it is
/// none of these.
QString readRecomputedStages(const QString& text, int stages, std::optional<VariantRecompute>& value);

}  // namespace lanelab
