// SPDX-License-Identifier: GPL-3.0-only
#include "ui/help/term_tips.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QToolTip>

#include "ui/help/glossary.h"

namespace lanelab {
namespace {

constexpr qsizetype kLongestLabel = 40;  ///< characters: what is longer is a sentence that happens to have a term

/// A tip and where it holds.
struct Tip {
  QString text;
  QRect area;
};

Tip headerTip(const QHeaderView& header, QPoint point) {
  const int section = header.logicalIndexAt(point);
  if (section < 0 || !header.model()) return {};
  const auto words = [&](int role) {
    return header.model()->headerData(section, header.orientation(), role).toString();
  };
  const QString name = words(Qt::DisplayRole), own = words(Qt::ToolTipRole);
  if (!own.isEmpty() && own != name) return {};
  const int start = header.sectionViewportPosition(section);
  return {termTip(name), QRect(start, 0, header.sectionSize(section), header.height())};
}

/// What explains the field explains its label, too.
Tip labelTip(const QLabel& label) {
  if (!label.toolTip().isEmpty() || label.text().size() > kLongestLabel || label.text().endsWith('.')) return {};
  QStringList lines{label.buddy() ? label.buddy()->toolTip() : QString(), termTip(label.text())};
  lines.removeAll(QString());
  return {lines.join('\n'), label.rect()};
}

Tip tipAt(const QWidget& widget, QPoint point) {
  if (const auto* const label = qobject_cast<const QLabel*>(&widget)) return labelTip(*label);
  const auto* const header = qobject_cast<const QHeaderView*>(widget.parentWidget());
  return header && header->viewport() == &widget ? headerTip(*header, point) : Tip{};
}

}  // namespace

bool TermTips::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ToolTip || !watched->isWidgetType()) return false;
  auto& widget = *static_cast<QWidget*>(watched);
  const auto& help = *static_cast<QHelpEvent*>(event);
  const Tip tip = tipAt(widget, help.pos());
  if (tip.text.isEmpty()) return false;
  QToolTip::showText(help.globalPos(), tip.text, &widget, tip.area);
  return true;
}

}  // namespace lanelab
