// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/variant_controls.h"

#include <QSignalBlocker>

#include "engine/experiment/edits/placement_edits.h"
#include "engine/schedule/generate.h"
#include "ui/experiment/experiment_document.h"
#include "ui/experiment/schedule_title.h"
#include "ui/look/icons.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

constexpr const char* kRunning = "runningVariant";

}  // namespace

QTabBar* makeVariantTabs(ExperimentDocument* document) {
  auto* const tabs = new QTabBar;
  tabs->setObjectName("variantTabs");
  tabs->setAccessibleName(QObject::tr("Variant that the board shows"));
  tabs->setToolTip(QObject::tr("The variant whose placement and timeline are shown"));
  tabs->setDrawBase(false);
  tabs->setExpanding(false);
  tabs->setIconSize(QSize(look::kDotSize, look::kDotSize));  // all have room for it: none moves when a run begins
  tabs->setElideMode(Qt::ElideNone);
  tabs->setUsesScrollButtons(true);
  const auto show = [tabs, document] {
    const QSignalBlocker quiet(tabs);
    const auto& variants = document->experiment().variants;
    while (tabs->count() > static_cast<int>(variants.size())) tabs->removeTab(tabs->count() - 1);
    for (int i = 0; i < static_cast<int>(variants.size()); ++i) {
      const QString name = QString::fromStdString(variants[static_cast<std::size_t>(i)].name);
      if (i == tabs->count()) tabs->addTab(QString());
      tabs->setTabText(i, look::buttonText(name));
      if (tabs->tabIcon(i).isNull()) tabs->setTabIcon(i, look::dotMark(false));
      tabs->setTabData(i, name);
    }
    tabs->setCurrentIndex(document->activeVariant());
  };
  document->tell(tabs, show);
  QObject::connect(tabs, &QTabBar::currentChanged, document, &ExperimentDocument::setActiveVariant);
  show();
  return tabs;
}

void markRunning(QTabBar& tabs, const QString& variant) {
  if (tabs.property(kRunning).toString() == variant) return;
  tabs.setProperty(kRunning, variant);
  for (int i = 0; i < tabs.count(); ++i) {
    const bool runs = !variant.isEmpty() && tabs.tabData(i).toString() == variant;
    tabs.setTabIcon(i, look::dotMark(runs));
    tabs.setTabToolTip(i, runs ? QObject::tr("This variant is running") : QString());
  }
}

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
  m_document->tell(this, &ScheduleChoice::showSchedule);
  showSchedule();
}

void ScheduleChoice::setReadOnly(bool read_only) {
  m_read_only = read_only;
  showSchedule();
}

void ScheduleChoice::showSchedule() {
  const VariantConfig* const variant = m_document->activeIn(m_document->experiment());
  const bool pipeline = variant && variant->strategy == Strategy::Pipeline;
  setEnabled(pipeline && !m_read_only);
  setToolTip(pipeline ? tr("Order in which the lanes compute the micro-batches")
                      : tr("Only a pipeline has a schedule"));
  if (!pipeline) return;
  setCurrentIndex(variant->actions ? -1 : findData(QString::fromStdString(toWord(variant->schedule))));
}

void ScheduleChoice::use(int index) {
  const auto kind = fromWord<ScheduleKind>(itemData(index).toString().toStdString());
  if (!kind) return;
  m_document->edit(tr("schedule %1").arg(itemText(index)),
                   [&](Experiment& e) { setSchedule(e, m_document->model(), *kind, *m_document->activeIn(e)); });
}

}  // namespace lanelab
