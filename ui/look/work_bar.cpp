// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/work_bar.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/look/parts.h"
#include "ui/look/theme.h"
#include "ui/look/work.h"

namespace lanelab {
namespace {

constexpr int kBarWidth = 240, kBarSteps = 1000;

}  // namespace

QString wordsForTimeLeft(double seconds) {
  if (!(seconds >= 0) || !std::isfinite(seconds)) return {};
  if (seconds < 5) return WorkBar::tr("a few seconds left");
  if (seconds < 57.5) return WorkBar::tr("about %1 seconds left").arg(static_cast<int>(std::round(seconds / 5)) * 5);
  const int minutes = static_cast<int>(std::round(seconds / 60));
  if (minutes <= 1) return WorkBar::tr("about 1 minute left");
  if (minutes < 60) return WorkBar::tr("about %1 minutes left").arg(minutes);
  const int half_hours = static_cast<int>(std::round(seconds / 1800));
  if (half_hours == 2) return WorkBar::tr("about 1 hour left");
  const QString half = half_hours % 2 ? QString(".5") : QString();
  return WorkBar::tr("about %1 hours left").arg(QString::number(half_hours / 2) + half);
}

WorkBar::WorkBar(const QString& name, Shape shape, QWidget* parent, Work* followed)
    : QWidget(parent), m_words(new look::PlainLabel), m_bar(new QProgressBar), m_cancel(new QToolButton) {
  m_words->setObjectName(name + "Words");
  m_words->setMinimumWidth(1);  // long words are cut rather than the window widened
  m_bar->setObjectName(name + "Bar");
  m_bar->setAccessibleName(tr("Progress"));
  m_bar->setFormat(tr("%p %"));
  m_bar->setMinimumWidth(kBarWidth);
  m_cancel->setObjectName(name + "Cancel");
  m_cancel->setText(tr("Cancel"));
  m_cancel->setToolTip(tr("Cancel this work"));
  auto* rows = look::makeLayout<QVBoxLayout>(this, look::kGrid);
  auto* line = new QHBoxLayout;
  line->setSpacing(2 * look::kGrid);
  if (shape == Shape::Line) {
    line->addWidget(m_words, 1);
    m_bar->setMaximumWidth(kBarWidth);
    setMinimumHeight(std::max(m_bar->sizeHint().height(), m_cancel->sizeHint().height()));  // work moves nothing
  } else {
    rows->addWidget(m_words);
  }
  line->addWidget(m_bar);
  line->addWidget(m_cancel);
  rows->addLayout(line);
  connect(m_cancel, &QToolButton::clicked, this, &WorkBar::cancelRequested);
  setEnded();
  if (!followed) return;
  setVisible(false);
  connect(followed, &Work::begun, this, [this] { m_stopping = false; });
  connect(followed, &Work::progressed, this, &WorkBar::showProgress);
  connect(followed, &Work::stopping, this, [this] { setStopping(tr("Cancelling")); });
  connect(followed, &Work::ended, this, [this] {
    setEnded();
    setVisible(false);
  });
  connect(this, &WorkBar::cancelRequested, followed, &Work::cancel);
}

void WorkBar::showProgress(const Progress& progress, double seconds_left) {
  QString words = look::shownText(progress.phase);
  if (const QString left = wordsForTimeLeft(seconds_left); !left.isEmpty()) words += QStringLiteral(" \u2013 ") + left;
  showWords(words, progress);
}

void WorkBar::showWords(const QString& words, const Progress& progress) {
  if (!m_stopping) m_words->setText(words);
  m_bar->setRange(0, progress.total > 0 ? kBarSteps : 0);
  m_bar->setValue(static_cast<int>(progress.share() * kBarSteps));
  m_bar->show();
  m_cancel->setVisible(m_has_cancel);
  m_cancel->setEnabled(!m_stopping);
  setVisible(true);
}

void WorkBar::setStopping(const QString& words) {
  m_stopping = true;
  m_words->setText(words);
  m_cancel->setEnabled(false);
}

void WorkBar::setEnded(const QString& words) {
  m_stopping = false;
  m_words->setText(words);
  m_bar->hide();
  m_cancel->hide();
}

}  // namespace lanelab
