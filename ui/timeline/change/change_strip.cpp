// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/change/change_strip.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/look/parts.h"
#include "ui/timeline/change/change_texts.h"

namespace lanelab {

ChangeStrip::ChangeStrip(TimelineChanges* changes, QWidget* parent)
    : QFrame(parent),
      m_changes(changes),
      m_facts(look::wrappedLabel("changeFacts", {}, this)),
      m_setting(look::wrappedLabel("changeSetting", {}, this)),
      m_do(look::button("changeDoIt", tr("&Do It"), tr("Edit the experiment so that a run has the changes (Enter)"),
                        this)),
      m_copy(look::button("changeCopy", tr("Co&py"), tr("Copy the changes and what follows from them as text"), this)) {
  setObjectName(QStringLiteral("changeStrip"));
  setAccessibleName(tr("Changes of the timeline"));
  m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_setting->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* const shut = look::button("changeClose", tr("Cl&ose"), tr("Restore the measured timeline (Esc)"), this);
  auto* const texts = new QVBoxLayout;
  texts->setSpacing(0);
  texts->addWidget(m_facts);
  texts->addWidget(m_setting);
  auto* const row = look::makeLayout<QHBoxLayout>(this, look::kGrid, look::kPaneMargins);
  row->addLayout(texts, 1);
  for (QPushButton* const button : {m_do, m_copy, shut}) row->addWidget(button, 0, Qt::AlignTop);
  connect(m_do, &QPushButton::clicked, this, &ChangeStrip::doItRequested);
  connect(m_copy, &QPushButton::clicked, this, &ChangeStrip::copy);
  connect(shut, &QPushButton::clicked, m_changes, &TimelineChanges::restore);
  connect(m_changes, &TimelineChanges::shownChanged, this, &ChangeStrip::showState);
  connect(m_changes, &TimelineChanges::pendingChanged, this, &ChangeStrip::showState);
  setSetting({});
  showState();
}

void ChangeStrip::setSetting(const Setting& setting) {
  m_setting->setText(setting.sentence);
  m_setting->setVisible(!setting.sentence.isEmpty());
  m_do->setVisible(!setting.button.isEmpty());
  if (setting.button.isEmpty()) return;
  m_do->setText(setting.button);
  m_do->setToolTip(setting.tip);
}

void ChangeStrip::showState() {
  setVisible(m_changes->isPending());
  const auto& shown = m_changes->shown();
  m_copy->setEnabled(shown.has_value());
  if (!shown) return m_facts->setText(tr("Replaying the steps..."));
  m_facts->setText(
      changesReport(shown->timeline->data(), *shown).replace(QLatin1Char('\n'), QStringLiteral("  \u00b7  ")));
}

void ChangeStrip::copy() {
  if (const auto& shown = m_changes->shown())
    QApplication::clipboard()->setText(changesReport(shown->timeline->data(), *shown));
}

}  // namespace lanelab
