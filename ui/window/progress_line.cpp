// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/progress_line.h"

#include <QProgressBar>
#include <QStatusBar>
#include <QStringList>

#include "base/text.h"
#include "ui/look/plain_label.h"
#include "ui/run/run_controller.h"

namespace lanelab {

namespace {

QString capitalised(QString text) {
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

QString wordsOf(const RunProgress& progress) {
  QStringList parts{capitalised(progress.phase)};
  if (progress.steps > 1 && progress.step > 0)
    parts.append(ProgressLine::tr("step %1 of %2").arg(progress.step).arg(progress.steps));
  if (progress.images_per_second > 0)
    parts.append(ProgressLine::tr("%1 images/s").arg(QString::fromStdString(formatNumber(progress.images_per_second))));
  if (const QString left = wordsForTimeLeft(progress.seconds_left); !left.isEmpty()) parts.append(left);
  return parts.join(QStringLiteral(" \u2013 "));
}

}  // namespace

ProgressLine::ProgressLine(QStatusBar* bar) : QObject(bar), m_words(new look::PlainLabel), m_bar(new QProgressBar) {
  m_words->setObjectName("progressWords");
  m_bar->setObjectName("progressBar");
  m_bar->setAccessibleName(tr("Repeats done"));
  m_bar->setTextVisible(false);
  m_bar->setFixedWidth(160);
  m_bar->hide();
  bar->addPermanentWidget(m_words);
  bar->addPermanentWidget(m_bar);
}

void ProgressLine::setPreparing() {
  m_stopping = false;
  m_bar->setRange(0, 0);
  m_bar->show();
  m_words->setText(tr("Preparing"));
}

void ProgressLine::show(const RunProgress& progress) {
  if (!m_stopping) m_words->setText(wordsOf(progress));
  if (progress.units == 0) return;
  const bool first = m_bar->maximum() == 0;
  m_bar->setRange(0, progress.units);
  m_bar->setValue(progress.unit);
  if (first) Q_EMIT firstUnitStarted();
}

void ProgressLine::setStopping() {
  m_stopping = true;
  m_words->setText(tr("Stopping after the action that computes now"));
}

void ProgressLine::setEnded(const QString& words) {
  m_bar->hide();
  m_words->setText(words);
}

}  // namespace lanelab
