// SPDX-License-Identifier: GPL-3.0-only
#include "ui/accessible/accessible_view.h"

#include <QEvent>
#include <utility>

namespace lanelab {

QAccessibleInterface* AccessibleView::child(int index) const {
  const int lanes = laneCount();
  return index >= 0 && index < lanes ? laneInPlace(index) : QAccessibleWidget::child(index - lanes);
}

int AccessibleView::indexOfChild(const QAccessibleInterface* child) const {
  if (!child) return -1;
  if (const int place = placeOf(*child); place >= 0) return place;
  const int widget = QAccessibleWidget::indexOfChild(child);
  return widget < 0 ? -1 : laneCount() + widget;
}

QAccessibleInterface* AccessibleView::childAt(int x, int y) const {
  if (QAccessibleInterface* const part = partAt(widget()->mapFromGlobal(QPoint(x, y)))) return part;
  return QAccessibleWidget::childAt(x, y);
}

QAccessibleInterface* AccessibleView::focusChild() const {
  return widget()->hasFocus() ? currentPart() : QAccessibleWidget::focusChild();
}

void AccessibleView::announceCurrent() {
  if (!widget()->hasFocus()) return;
  QAccessibleInterface* const part = currentPart();
  const QAccessible::Id id = part ? QAccessible::uniqueId(part) : 0;
  const QString name = part ? part->text(QAccessible::Name) : QString();
  const bool same = std::exchange(m_announced, id) == id, same_name = std::exchange(m_announced_name, name) == name;
  if (!part || (same && same_name)) return;
  QAccessibleEvent event(part, same ? QAccessible::NameChanged : QAccessible::Focus);
  QAccessible::updateAccessibility(&event);
}

bool AccessibleView::Watch::eventFilter(QObject* watched, QEvent* event) {
  const auto announce = [this] {
    m_owner.m_announced = 0;
    m_owner.announceCurrent();
  };
  if (event->type() == QEvent::FocusIn) QMetaObject::invokeMethod(this, announce, Qt::QueuedConnection);
  return QObject::eventFilter(watched, event);
}

}  // namespace lanelab
