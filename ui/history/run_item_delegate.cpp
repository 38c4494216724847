// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/run_item_delegate.h"

#include <QApplication>
#include <QPainter>

#include "ui/look/theme.h"

namespace lanelab {

namespace {

constexpr int kHeadlineLines = 2;

int lineHeight(const QFont& font) { return QFontMetrics(font).height(); }

/// Up to kHeadlineLines lines, the last one elided.
void drawWrapped(QPainter& painter, const QRect& rect, const QString& text) {
  const QFontMetrics metrics = painter.fontMetrics();
  QRect line(rect.left(), rect.top(), rect.width(), metrics.height());
  QString rest = text;
  for (int i = 0; i < kHeadlineLines && !rest.isEmpty(); ++i, line.translate(0, metrics.height())) {
    qsizetype fits = rest.size();
    while (fits > 0 && metrics.horizontalAdvance(rest.left(fits)) > rect.width()) {
      const auto blank = rest.lastIndexOf(' ', fits - 1);
      fits = blank > 0 ? blank : fits - 1;
    }
    const bool last = i == kHeadlineLines - 1;
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     last ? metrics.elidedText(rest, Qt::ElideRight, rect.width()) : rest.left(fits));
    rest = rest.mid(fits).trimmed();
  }
}

}  // namespace

void RunItemDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem background = option;
  initStyleOption(&background, index);
  background.text.clear();
  QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &background, painter, option.widget);

  const bool selected = option.state.testFlag(QStyle::State_Selected);
  const auto& palette = look::current();
  const QColor text = selected ? option.palette.color(QPalette::HighlightedText) : palette.text;
  const QColor muted = selected ? text : palette.muted_text;
  const QColor status = index.data(ReadableRole).toBool() || selected ? muted : palette.error;
  QFont bold = look::textFont();
  bold.setBold(true);
  const QFont small = look::smallFont();
  QRect rect = option.rect.adjusted(2 * look::kGrid, look::kGrid, -2 * look::kGrid, -look::kGrid);

  painter->save();
  const QString when = index.data(WhenRole).toString();
  painter->setFont(small);
  painter->setPen(muted);
  const int when_width = painter->fontMetrics().horizontalAdvance(when);
  painter->drawText(QRect(rect.left(), rect.top(), rect.width(), lineHeight(bold)), Qt::AlignRight | Qt::AlignVCenter,
                    when);
  painter->setFont(bold);
  painter->setPen(text);
  const int name_width = rect.width() - when_width - 2 * look::kGrid;
  const QString name = painter->fontMetrics().elidedText(index.data(NameRole).toString(), Qt::ElideMiddle, name_width);
  painter->drawText(QRect(rect.left(), rect.top(), name_width, lineHeight(bold)), Qt::AlignLeft | Qt::AlignVCenter,
                    name);
  rect.setTop(rect.top() + lineHeight(bold));
  painter->setFont(small);
  painter->setPen(status);
  painter->drawText(QRect(rect.left(), rect.top(), rect.width(), lineHeight(small)), Qt::AlignLeft | Qt::AlignVCenter,
                    index.data(StatusRole).toString());
  rect.setTop(rect.top() + lineHeight(small));
  painter->setPen(muted);
  drawWrapped(*painter, rect, index.data(HeadlineRole).toString());
  painter->restore();
}

QSize RunItemDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
  QFont bold = look::textFont();
  bold.setBold(true);
  const int headline =
      index.data(HeadlineRole).toString().isEmpty() ? 0 : kHeadlineLines * lineHeight(look::smallFont());
  return {120, lineHeight(bold) + lineHeight(look::smallFont()) + headline + 2 * look::kGrid};
}

}  // namespace lanelab
