// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/measured_edits.h"

#include <QCoreApplication>

#include "engine/experiment/experiment_edits.h"
#include "engine/schedule/generate.h"

namespace lanelab {

void useSplitSize(ExperimentDocument& document, int split_size) {
  const QString text = QCoreApplication::translate("MeasuredEdits", "split size %1").arg(split_size);
  document.edit(text, [split_size](Experiment& e) {
    for (VariantConfig& variant : e.variants) {
      if (variant.strategy != Strategy::Pipeline) continue;
      variant.split_size = split_size;
      return;
    }
  });
}

std::vector<std::string> measuredStageTimes(const ExperimentDocument& document, const RunRecord* record) {
  const auto active = static_cast<std::size_t>(document.activeVariant());
  if (!record || active >= document.experiment().variants.size()) return {};
  const VariantConfig& variant = document.experiment().variants[active];
  const VariantRecord* measured = record->find(variant.name);
  const VariantPlan* const plan = document.activePlan();
  if (!measured || !measured->bound || !plan || variant.strategy != Strategy::Pipeline ||
      goesRoundTheLanes(variant.schedule))
    return {};
  return measured->bound->stages.size() == plan->stages.size() ? stageTimesText(*measured->bound)
                                                               : std::vector<std::string>{};
}

void useMeasuredStageTimes(ExperimentDocument& document, const RunRecord* record) {
  const auto times = measuredStageTimes(document, record);
  if (times.empty()) return;
  const auto active = static_cast<std::size_t>(document.activeVariant());
  document.edit(QCoreApplication::translate("MeasuredEdits", "schedule by measured stage times"), [&](Experiment& e) {
    setSchedule(e, document.model(), ScheduleKind::List, e.variants[active]);
    e.variants[active].stage_times = times;
  });
}

}  // namespace lanelab
