// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/measured_edits.h"

#include <QCoreApplication>

#include "engine/experiment/edits/placement_edits.h"
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
  const VariantConfig* const variant = document.activeIn(document.experiment());
  const VariantRecord* measured = record && variant ? record->find(variant->name) : nullptr;
  const VariantPlan* const plan = document.activePlan();
  if (!measured || !measured->bound || !plan || variant->strategy != Strategy::Pipeline ||
      goesRoundTheLanes(variant->schedule))
    return {};
  return measured->bound->stages.size() == plan->stages.size() ? stageTimesText(*measured->bound)
                                                               : std::vector<std::string>{};
}

void useMeasuredStageTimes(ExperimentDocument& document, const RunRecord* record) {
  const auto times = measuredStageTimes(document, record);
  if (times.empty()) return;
  document.edit(QCoreApplication::translate("MeasuredEdits", "schedule by measured stage times"), [&](Experiment& e) {
    VariantConfig& variant = *document.activeIn(e);
    setSchedule(e, document.model(), ScheduleKind::List, variant);
    variant.stage_times = times;
  });
}

}  // namespace lanelab
