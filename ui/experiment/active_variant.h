// SPDX-License-Identifier: GPL-3.0-only
// The document's active variant by its name, as views and run records know it.
#pragma once

#include <QString>

#include "ui/experiment/experiment_document.h"

namespace lanelab {

/// Empty for an experiment without variants.
QString activeVariantName(const ExperimentDocument& document);

/// Nothing happens if the experiment has no variant of that name.
void activateVariant(ExperimentDocument& document, const QString& name);

}  // namespace lanelab
