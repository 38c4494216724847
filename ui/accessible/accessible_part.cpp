// SPDX-License-Identifier: GPL-3.0-only
#include "ui/accessible/accessible_part.h"

namespace lanelab {

QAccessibleInterface* AccessiblePart::childAt(int x, int y) const {
  for (int i = 0; i < childCount(); ++i)
    if (QAccessibleInterface* const part = child(i); part && part->rect().contains(x, y)) return part;
  return nullptr;
}

QString AccessiblePart::text(QAccessible::Text kind) const {
  if (!exists()) return {};
  if (kind == QAccessible::Name) return name();
  return kind == QAccessible::Description ? description() : QString();
}

QRect AccessiblePart::rect() const {
  if (!exists()) return {};
  const QRect place = area();
  return place.isEmpty() ? QRect() : QRect(m_view.mapToGlobal(place.topLeft()), place.size());
}

void* AccessiblePart::interface_cast(QAccessible::InterfaceType type) {
  const bool acts = type == QAccessible::ActionInterface && !actionNames().isEmpty();
  return acts ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
}

}  // namespace lanelab
