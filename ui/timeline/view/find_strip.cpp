// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/find_strip.h"

#include <QFontMetrics>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>

#include "ui/look/parts.h"
#include "ui/look/theme.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {

FindStrip::FindStrip(TimelineView* timeline, QWidget* parent) : QWidget(parent), m_timeline(timeline) {
  setObjectName(QStringLiteral("findStrip"));
  auto* row = look::makeLayout<QHBoxLayout>(this, look::kGrid);
  m_field = new QLineEdit;
  m_field->setObjectName(QStringLiteral("findField"));
  m_field->setAccessibleName(tr("Find in the timeline"));
  m_field->setPlaceholderText(tr("Find: conv, layer3.0, 1F3, mb 3, stage 1, step 2 B5, lane 0 ..."));
  m_field->setToolTip(
      tr("Part of a name, an action such as 1F3 or F3, \"mb 3\", \"stage 1\", \"step 2\", \"lane 0\"; several words "
         "narrow it down"));
  m_field->setClearButtonEnabled(true);
  m_field->installEventFilter(this);
  row->addWidget(m_field, 1);
  m_count = new look::PlainLabel;
  m_count->setObjectName(QStringLiteral("findCount"));
  m_count->setMinimumWidth(QFontMetrics(look::textFont()).horizontalAdvance(tr("%1 of %2").arg(88'888).arg(88'888)));
  row->addWidget(m_count);
  m_previous =
      look::toolButton("findPreviousButton", "previous", tr("Previous"), tr("Previous match (Shift+Enter, Shift+F3)"));
  m_next = look::toolButton("findNextButton", "next", tr("Next"), tr("Next match (Enter, F3)"));
  auto* shut = look::toolButton("findCloseButton", "close", tr("Close"), tr("Close (Esc)"));
  for (QToolButton* const button : {m_previous, m_next, shut}) row->addWidget(button);
  connect(m_field, &QLineEdit::textChanged, m_timeline, &TimelineView::setSearch);
  connect(m_previous, &QToolButton::clicked, m_timeline, &TimelineView::findPrevious);
  connect(m_next, &QToolButton::clicked, m_timeline, &TimelineView::findNext);
  connect(shut, &QToolButton::clicked, this, &FindStrip::close);
  connect(m_timeline, &TimelineView::searchChanged, this, &FindStrip::showState);
  showState();
  hide();
}

void FindStrip::open() {
  show();
  m_timeline->setFinding(true);
  m_field->setFocus(Qt::ShortcutFocusReason);
  m_field->selectAll();
  m_timeline->setSearch(m_field->text());
}

void FindStrip::close() {
  hide();
  m_timeline->setFinding(false);
  m_timeline->setSearch({});
  m_timeline->setFocus(Qt::OtherFocusReason);
}

bool FindStrip::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto& key = *static_cast<QKeyEvent*>(event);
  if (key.key() == Qt::Key_Escape) {
    close();
    return true;
  }
  if (key.key() != Qt::Key_Return && key.key() != Qt::Key_Enter) return QWidget::eventFilter(watched, event);
  if (key.modifiers() & Qt::ShiftModifier)
    m_timeline->findPrevious();
  else
    m_timeline->findNext();
  return true;
}

void FindStrip::showState() {
  const SearchState state = m_timeline->searchState();
  QString text;
  if (state.searching)
    text = tr("searching");
  else if (!m_timeline->search().trimmed().isEmpty())
    text = state.count == 0 ? tr("none")
           : state.place    ? tr("%1 of %2").arg(*state.place + 1).arg(state.count)
                            : tr("%1 found").arg(state.count);
  m_count->setText(text);
  m_previous->setEnabled(state.count > 0);
  m_next->setEnabled(state.count > 0);
}

}  // namespace lanelab
