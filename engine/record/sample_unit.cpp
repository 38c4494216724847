// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/sample_unit.h"

#include "base/text.h"

namespace lanelab {

SampleUnit SampleUnit::of(const ModelSpec& model) {
  if (model.vocabulary > 0) return {.tokens = numbersOf(model.input)};
  return {.others = !isImage(model.input)};
}

SampleUnit SampleUnit::common(const SampleUnit& a, const SampleUnit& b) {
  return a == b ? a : SampleUnit{.others = true};
}

std::string SampleUnit::word() const { return areImages() ? "image" : "sample"; }

std::string SampleUnit::perSecond() const { return word() + "s/s"; }

std::string SampleUnit::speedText(double samples_per_second) const {
  const std::string samples = formatFigures(samples_per_second) + " " + perSecond();
  return tokens > 0 ? samples + ", " + formatFigures(samples_per_second * static_cast<double>(tokens)) + " tokens/s"
                    : samples;
}

}  // namespace lanelab
