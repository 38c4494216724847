// SPDX-License-Identifier: GPL-3.0-only
#include "ui/watch/timeline_comparison.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>

#include "engine/record/run_store.h"
#include "profiler/analysis/aligned_runs.h"
#include "profiler/io/import/trace_import.h"
#include "ui/look/message_strip.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/run/run_controller.h"
#include "ui/run/shown_run.h"
#include "ui/watch/timeline_presenter.h"

namespace lanelab {

namespace {

int samplesOf(const RunRecord& record, const std::string& variant) {
  const VariantRecord* const found = record.find(variant);
  return found ? found->split_size : 0;
}

/// The trace of the variant of that name, else of the last variant that has one; null and a sentence if there is none.
TimelineComparison::OtherTrace traceOfRun(const QString& folder, const QString& variant, const WorkControl& control) {
  const auto record = readRun(folder.toStdString());
  if (!record.ok()) return {nullptr, look::shownText(record.error())};
  std::vector<std::string> names;
  for (const VariantRecord& each : record->variants) names.push_back(each.name);
  names.push_back(variant.toStdString());
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    const std::string path = tracePathOf(folder.toStdString(), *name);
    if (!QFileInfo::exists(QString::fromStdString(path))) continue;
    const auto read = readTrace(path, control);
    if (!read.ok()) return {nullptr, look::shownText(read.error())};
    return {*read, TimelineComparison::tr("%1 of %2").arg(look::shownName(*name), QDir(folder).dirName()),
            samplesOf(*record, *name), record->experiment.data.batch};
  }
  return {nullptr, TimelineComparison::tr("%1 has no timeline. Choose a run that recorded one.")
                       .arg(QDir::toNativeSeparators(folder))};
}

}  // namespace

TimelineComparison::TimelineComparison(const WindowParts& parts, TimelinePresenter* presenter)
    : QObject(parts.window), m_parts(parts), m_presenter(presenter) {}

bool TimelineComparison::isPossible() const { return comparableTrace(m_presenter->shown()) != nullptr; }

void TimelineComparison::fillMenu(QMenu* menu) {
  menu->clear();
  const auto shown = comparableTrace(m_presenter->shown());
  for (const auto& trace : m_parts.run->traces()) {
    if (trace == shown) continue;
    const QString name = QString::fromStdString(trace->title);
    auto* entry = menu->addAction(look::buttonText(name));
    entry->setToolTip(tr("Show the timeline of %1 below this one, step by step").arg(look::shownName(name)));
    connect(entry, &QAction::triggered, this, [this, trace, name] {
      const auto record = m_parts.run->record();
      const OtherTrace other{trace, name, record ? samplesOf(*record, trace->title) : 0,
                             record ? record->experiment.data.batch : 0};
      alignWith([other](const WorkControl&) { return other; });
    });
  }
  if (!menu->isEmpty()) return;
  auto* none = menu->addAction(tr("No other variant of this run has a timeline"));
  none->setToolTip(tr("Variants of the shown run are listed here"));
  none->setEnabled(false);
}

void TimelineComparison::chooseRun() {
  look::askForFolder(m_parts.window, "otherRunDialog", tr("Compare Timelines With the Run in"),
                     m_parts.controller->runsRoot(), [this](const QString& folder) { alignWithRun(folder); });
}

void TimelineComparison::alignWithRun(const QString& folder) {
  if (!isPossible()) return m_parts.messages->inform(tr("Show a run first, then choose the one to compare it with."));
  const QString variant = finishedVariant(m_presenter->shown())->variant;
  alignWith([folder, variant](const WorkControl& control) { return traceOfRun(folder, variant, control); });
}

void TimelineComparison::alignWith(const std::function<OtherTrace(const WorkControl&)>& read) {
  const auto first = comparableTrace(m_presenter->shown());
  if (!first) return;
  const FinishedVariant* const variant = finishedVariant(m_presenter->shown());
  const auto record = variant ? variant->record : nullptr;
  const int samples = record ? samplesOf(*record, variant->variant.toStdString()) : 0;
  const int batch = record ? record->experiment.data.batch : 0;
  m_reader.run([this, first, samples, batch, read](const WorkControl& control) -> LongWork::Then {
    const OtherTrace other = read(control);
    auto aligned = other.trace ? std::make_shared<const AlignedRuns>(
                                     alignRuns(*first, *other.trace, MicroBatchSizes{samples, other.samples}))
                               : nullptr;
    return [this, first, aligned, batch, other] {
      if (!aligned) return m_parts.messages->reportError(other.words);
      show(aligned, first, other.words, batch > 0 && batch == other.batch);
    };
  });
}

void TimelineComparison::show(std::shared_ptr<const AlignedRuns> aligned, const std::shared_ptr<const Trace>& first,
                              const QString& name, bool same_batch) {
  if (comparableTrace(m_presenter->shown()) != first) return;  // another one is shown by now
  const QString names = tr("A: %1, B: %2").arg(look::shownName(first->title), name);
  m_presenter->show(
      ComparedTraces{std::move(aligned), first, *finishedVariant(m_presenter->shown()), names, same_batch});
}

}  // namespace lanelab
