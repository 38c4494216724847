// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/active_variant.h"

namespace lanelab {

QString activeVariantName(const ExperimentDocument& document) {
  const auto& variants = document.experiment().variants;
  const auto active = static_cast<std::size_t>(document.activeVariant());
  return active < variants.size() ? QString::fromStdString(variants[active].name) : QString();
}

void activateVariant(ExperimentDocument& document, const QString& name) {
  const auto& variants = document.experiment().variants;
  for (std::size_t i = 0; i < variants.size(); ++i)
    if (QString::fromStdString(variants[i].name) == name) return document.setActiveVariant(static_cast<int>(i));
}

}  // namespace lanelab
