// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/viewed_run_bar.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <utility>

#include "ui/history/run_words.h"
#include "ui/look/elided_label.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"
#include "ui/run/shown_run.h"

namespace lanelab {

ViewedRunBar::ViewedRunBar(QWidget* parent) : QFrame(parent), m_text(new ElidedLabel), m_variants(new QComboBox) {
  setObjectName("viewedRunBar");
  auto* row = look::makeLayout<QHBoxLayout>(this, 2 * look::kGrid,
                                            {3 * look::kGrid, look::kGrid, 2 * look::kGrid, look::kGrid});
  m_text->setObjectName("viewedRunText");
  row->addWidget(m_text, 1);
  m_variants->setObjectName("viewedVariant");
  m_variants->setAccessibleName(tr("Variant of the viewed run"));
  m_variants->setToolTip(tr("Variant of the viewed run whose timeline is shown"));
  row->addWidget(m_variants);
  m_use = look::button("useViewedRun", tr("Use as Experiment"), tr("Edit the experiment of this run"));
  auto* close =
      look::button("closeViewedRun", tr("Back to Experiment"), tr("Stop viewing it, and show the open experiment"));
  row->addWidget(m_use);
  row->addWidget(close);
  connect(m_variants, &QComboBox::activated, this,
          [this](int index) { Q_EMIT variantChosen(m_variants->itemData(index).toString()); });
  connect(m_use, &QPushButton::clicked, this, &ViewedRunBar::useRequested);
  connect(close, &QPushButton::clicked, this, &ViewedRunBar::closeRequested);
  hide();
}

void ViewedRunBar::showRun(const ShownRun& run) {
  const auto record = run.record();
  m_variants->clear();
  m_use->show();
  if (!record || !run.isViewed()) return setViewing(false);
  const QString date = run_words::date(record->started);
  const QString name = look::shownName(run.viewedName());
  m_text->setText(date.isEmpty() ? tr("Viewing run %1.").arg(name) : tr("Viewing run %1 of %2.").arg(name, date));
  for (const auto& variant : record->variants)
    m_variants->addItem(look::briefName(variant.name), QString::fromStdString(variant.name));
  m_variants->setVisible(m_variants->count() > 1);
  setViewing(true);
}

void ViewedRunBar::showTrace(const QString& path) {
  m_variants->clear();
  m_variants->hide();
  m_use->hide();
  m_text->setText(tr("Viewing trace %1.").arg(look::shownName(QFileInfo(path).fileName())));
  setViewing(true);
}

void ViewedRunBar::setBeside(bool message) { m_text->setVisible(!message); }

void ViewedRunBar::setViewing(bool viewing) {
  setVisible(viewing);
  if (std::exchange(m_viewing, viewing) != viewing) Q_EMIT viewingChanged();
}

void ViewedRunBar::showVariant(const QString& variant) { m_variants->setCurrentIndex(m_variants->findData(variant)); }

/// As the message strip, of another colour than its sentences.
void ViewedRunBar::paintEvent(QPaintEvent*) {
  const auto& palette = look::current();
  QPainter painter(this);
  painter.fillRect(rect(), look::mix(palette.surface, palette.accent, 0.12));
  painter.fillRect(QRect(0, 0, look::kGrid, height()), palette.accent);
}

}  // namespace lanelab
