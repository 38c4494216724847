// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/schedule_choice.h"

#include "engine/experiment/experiment_edits.h"
#include "engine/schedule/generate.h"
#include "ui/experiment/experiment_document.h"
#include "ui/experiment/schedule_title.h"

namespace lanelab {

ScheduleChoice::ScheduleChoice(ExperimentDocument* document, QWidget* parent)
    : QComboBox(parent), m_document(document) {
  setObjectName("schedule");
  setAccessibleName(tr("Schedule of the variant"));
  for (const ScheduleKind kind : knownSchedules()) {
    addItem(scheduleTitle(kind), QString::fromStdString(toWord(kind)));
    setItemData(count() - 1, scheduleTip(kind), Qt::ToolTipRole);
  }
  setPlaceholderText(scheduleTitle(ScheduleKind::Custom));
  connect(this, &QComboBox::activated, this, &ScheduleChoice::use);
  connect(m_document, &ExperimentDocument::changed, this, &ScheduleChoice::showSchedule);
  connect(m_document, &ExperimentDocument::activeVariantChanged, this, &ScheduleChoice::showSchedule);
  showSchedule();
}

void ScheduleChoice::setReadOnly(bool read_only) {
  m_read_only = read_only;
  showSchedule();
}

void ScheduleChoice::showSchedule() {
  const auto& variants = m_document->experiment().variants;
  const auto active = static_cast<std::size_t>(m_document->activeVariant());
  const bool pipeline = active < variants.size() && variants[active].strategy == Strategy::Pipeline;
  setEnabled(pipeline && !m_read_only);
  setToolTip(pipeline ? tr("Order in which the lanes compute the micro-batches")
                      : tr("Only a pipeline has a schedule"));
  if (!pipeline) return;
  setCurrentIndex(variants[active].actions ? -1 : findData(QString::fromStdString(toWord(variants[active].schedule))));
}

void ScheduleChoice::use(int index) {
  const auto kind = fromWord<ScheduleKind>(itemData(index).toString().toStdString());
  if (!kind) return;
  const auto variant = static_cast<std::size_t>(m_document->activeVariant());
  m_document->edit(tr("schedule %1").arg(itemText(index)),
                   [&](Experiment& e) { setSchedule(e, m_document->model(), *kind, e.variants[variant]); });
}

}  // namespace lanelab
