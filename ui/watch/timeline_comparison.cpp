// SPDX-License-Identifier: GPL-3.0-only
#include "ui/watch/timeline_comparison.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>

#include "engine/record/run_store.h"
#include "profiler/analysis/aligned_runs.h"
#include "profiler/io/import/trace_import.h"
#include "ui/look/message_strip.h"
#include "ui/look/plain_text.h"
#include "ui/run/run_controller.h"
#include "ui/run/shown_run.h"
#include "ui/timeline/layout/action_difference.h"
#include "ui/watch/timeline_presenter.h"

namespace lanelab {

namespace {

/// "24 actions compared, together 3.1 % longer in B; only in A 3, only in B 6".
QString comparisonWords(const AlignedRuns& aligned) {
  using Words = TimelineComparison;
  if (aligned.cells.empty()) return Words::tr("no action in both");
  double a = 0, b = 0;
  for (const AlignedCell& cell : aligned.cells) {
    a += static_cast<double>(cell.a);
    b += static_cast<double>(cell.b);
  }
  const auto count = static_cast<qulonglong>(aligned.cells.size());
  QString words = a > 0 ? Words::tr("%1 actions in both, B's together %2").arg(count).arg(differenceText(b / a - 1))
                        : Words::tr("%1 actions in both").arg(count);
  if (aligned.only_a > 0) words += Words::tr(", only in A %1").arg(static_cast<qulonglong>(aligned.only_a));
  if (aligned.only_b > 0) words += Words::tr(", only in B %1").arg(static_cast<qulonglong>(aligned.only_b));
  return words;
}

/// The trace of the variant of that name, else of the last variant that has one; null and a sentence if there is none.
std::pair<std::shared_ptr<const Trace>, QString> traceOfRun(const QString& folder, const QString& variant) {
  const auto record = readRun(folder.toStdString());
  if (!record.ok()) return {nullptr, QString::fromStdString(record.error().message)};
  std::vector<std::string> names;
  for (const VariantRecord& each : record->variants) names.push_back(each.name);
  names.push_back(variant.toStdString());
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    const std::string path = tracePathOf(folder.toStdString(), *name);
    if (!QFileInfo::exists(QString::fromStdString(path))) continue;
    const auto read = readTrace(path);
    if (!read.ok()) return {nullptr, QString::fromStdString(read.error().message)};
    return {*read, TimelineComparison::tr("%1 of %2").arg(look::shownName(*name), QDir(folder).dirName())};
  }
  return {nullptr, TimelineComparison::tr("%1 holds no timeline. Choose a run that measured one.")
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
    entry->setToolTip(tr("Put the timeline of %1 below this one, step by step").arg(look::shownName(name)));
    connect(entry, &QAction::triggered, this,
            [this, trace, name] { alignWith([trace, name] { return OtherTrace(trace, name); }); });
  }
  if (!menu->isEmpty()) return;
  auto* none = menu->addAction(tr("No other variant of this run has a timeline"));
  none->setToolTip(tr("Variants of the shown run are listed here"));
  none->setEnabled(false);
}

void TimelineComparison::chooseRun() {
  auto* dialog =
      new QFileDialog(m_parts.window, tr("Compare Timelines With the Run in"), m_parts.controller->runsRoot());
  dialog->setObjectName("otherRunDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, this, &TimelineComparison::alignWithRun);
  dialog->open();
}

void TimelineComparison::alignWithRun(const QString& folder) {
  if (!isPossible())
    return m_parts.messages->say(MessageStrip::Kind::Information,
                                 tr("Show a run first, then choose the one to compare it with."));
  const QString variant = finishedVariant(m_presenter->shown())->variant;
  alignWith([folder, variant] { return traceOfRun(folder, variant); });
}

void TimelineComparison::alignWith(const std::function<OtherTrace()>& read) {
  const auto first = comparableTrace(m_presenter->shown());
  if (!first) return;
  m_reader.run([this, first, read]() -> Background::Then {
    auto [second, name] = read();
    auto aligned = second ? std::make_shared<const AlignedRuns>(alignRuns(*first, *second)) : nullptr;
    return [this, first, aligned, name = name] {
      if (!aligned) return m_parts.messages->say(MessageStrip::Kind::Error, name);
      show(aligned, first, name);
    };
  });
}

void TimelineComparison::show(std::shared_ptr<const AlignedRuns> aligned, const std::shared_ptr<const Trace>& first,
                              const QString& name) {
  if (comparableTrace(m_presenter->shown()) != first) return;  // another one is shown by now
  const QString names = tr("A: %1, B: %2").arg(look::shownName(first->title), name);
  const QString headline = tr("%1. %2").arg(names, comparisonWords(*aligned));
  m_presenter->show(ComparedTraces{std::move(aligned), first, *finishedVariant(m_presenter->shown()), headline});
}

}  // namespace lanelab
