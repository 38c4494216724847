// SPDX-License-Identifier: GPL-3.0-only
#include "ui/help/hit_delegate.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QPainter>
#include <QTextLayout>
#include <algorithm>

#include "ui/help/help_search.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr int kMargin = 2 * look::kGrid;
constexpr int kMostLines = 3;  ///< of the found line; the page has the rest

/// Broken into lines of this width, with the words marked.
void layOut(QTextLayout& layout, const QString& words, double width) {
  QList<QTextLayout::FormatRange> marks;
  QTextCharFormat mark;
  mark.setFontWeight(QFont::Bold);
  for (const TextRange& range : wordsIn(layout.text(), words)) marks.append({range.start, range.length, mark});
  layout.setFormats(marks);
  layout.beginLayout();
  double y = 0;
  for (int lines = 0; lines < kMostLines; ++lines) {
    QTextLine line = layout.createLine();
    if (!line.isValid()) break;
    line.setLineWidth(width);
    line.setPosition({0, y});
    y += line.height();
  }
  layout.endLayout();
}

int titleHeight() { return QFontMetrics(look::bold(look::textFont())).height() + look::kGrid; }

}  // namespace

void HitDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem row(option);
  initStyleOption(&row, index);
  row.text.clear();
  QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &row, painter, row.widget);
  const bool chosen = option.state & QStyle::State_Selected;
  const QRect inside = option.rect.adjusted(kMargin, kMargin, -kMargin, -kMargin);
  const QColor ink = chosen ? option.palette.color(QPalette::HighlightedText) : look::current().text;
  painter->save();
  painter->setPen(ink);
  painter->setFont(look::bold(look::textFont()));
  const QFontMetrics metrics(painter->font());
  painter->drawText(inside, Qt::AlignLeft | Qt::AlignTop,
                    metrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, inside.width()));
  QTextLayout layout(index.data(kLineRole).toString(), look::textFont());
  layOut(layout, m_words, inside.width());
  painter->setPen(chosen ? ink : look::current().muted_text);
  layout.draw(painter, QPointF(inside.left(), inside.top() + titleHeight()));
  painter->restore();
}

QSize HitDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const auto* const view = qobject_cast<const QAbstractItemView*>(option.widget);
  const int width = view ? view->viewport()->width() : option.rect.width();
  QTextLayout layout(index.data(kLineRole).toString(), look::textFont());
  if (!layout.text().isEmpty()) layOut(layout, m_words, std::max(width - 2 * kMargin, 1));
  const double lines = layout.text().isEmpty() ? -look::kGrid : layout.boundingRect().height();
  return {width, static_cast<int>(2 * kMargin + titleHeight() + lines)};
}

}  // namespace lanelab
