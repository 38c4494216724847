// SPDX-License-Identifier: GPL-3.0-only
// The form's rows, made from the rows of an experiment's fields (engine/experiment/fields.h): an option that has a
// label there is in the form, with an input for its type and its description as tooltip.
#pragma once

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

/// What the active variant recomputes: as the experiment says, which comes first, its own mode, or certain stages.
FormRow recomputeRow(ExperimentDocument* document);
/// Which stages those are; useful if the variant names stages.
FormRow recomputedStagesRow(ExperimentDocument* document);
/// "0, 2" into stages, nothing into none; or why it is neither, and `stages` stays.
QString readRecomputedStages(const QString& text, std::vector<int>& stages);

/// The modes of recomputation, by their words, behind "" for that of the experiment.
ChoiceField::Choices recomputeChoices(const Experiment& experiment);

}  // namespace lanelab
