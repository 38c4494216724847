// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/progress_line.h"

#include <QStatusBar>
#include <QStringList>
#include <algorithm>

#include "base/text.h"
#include "ui/look/plain_text.h"
#include "ui/look/work_bar.h"
#include "ui/run/run_controller.h"

namespace lanelab {

namespace {

QString wordsOf(const RunProgress& progress) {
  QStringList parts{look::capitalised(progress.phase)};
  // The step that the timeline draws, not the one that ended last.
  if (!progress.preparing && progress.steps > 1)
    parts.append(
        ProgressLine::tr("step %1 of %2").arg(std::min(progress.step + 1, progress.steps)).arg(progress.steps));
  if (progress.samples_per_second > 0)
    parts.append(QString::fromStdString(progress.unit_of_speed.speedText(progress.samples_per_second)));
  if (const QString left = wordsForTimeLeft(progress.seconds_left); !left.isEmpty()) parts.append(left);
  return parts.join(QStringLiteral(" \u2013 "));
}

}  // namespace

ProgressLine::ProgressLine(QStatusBar* bar)
    : QObject(bar), m_status(bar), m_run(new WorkBar(QStringLiteral("progress"), WorkBar::Shape::Line)) {
  bar->addPermanentWidget(m_run);
  m_run->hideCancel();  // the tool bar has the button of the run
}

void ProgressLine::setPreparing() {
  m_any_unit = false;
  m_run->setEnded();
  m_run->showWords(tr("Preparing"), {});
}

void ProgressLine::show(const RunProgress& progress) {
  m_run->showWords(wordsOf(progress), progress.work());
  if (progress.units > 0 && !std::exchange(m_any_unit, true)) Q_EMIT firstUnitStarted();
}

void ProgressLine::setStopping() { m_run->setStopping(tr("Stopping after the action that computes now")); }

void ProgressLine::setEnded(const QString& words) { m_run->setEnded(words); }

void ProgressLine::follow(Work* work, const QString& name) {
  m_status->addPermanentWidget(new WorkBar(name, WorkBar::Shape::Line, nullptr, work));
}

}  // namespace lanelab
