// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/brief_label.h"

#include <QPainter>
#include <QTextLayout>
#include <algorithm>

namespace lanelab::look {

BriefLabel::BriefLabel(int most_lines, QWidget* parent) : PlainLabel(parent), m_most_lines(most_lines) {
  setWordWrap(true);
  setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void BriefLabel::setSentence(const QString& text, const QString& more) {
  setText(text);
  setToolTip(more.isEmpty() || text.isEmpty() ? text + more : text + QLatin1Char('\n') + more);
}

int BriefLabel::heightForWidth(int width) const {
  const QMargins margins = contentsMargins();
  const int most = m_most_lines * fontMetrics().lineSpacing() + margins.top() + margins.bottom();
  return std::min(PlainLabel::heightForWidth(width), most);
}

QSize BriefLabel::sizeHint() const {
  const QSize whole = PlainLabel::sizeHint();
  return {whole.width(), heightForWidth(whole.width())};
}

QStringList BriefLabel::shownLines() const {
  const QRect room = contentsRect();
  const int fitting = std::max(1, room.height() / fontMetrics().lineSpacing());
  QTextLayout layout(text(), font());
  layout.beginLayout();
  QStringList lines;
  for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
    line.setLineWidth(room.width());
    const bool last = lines.size() + 1 == fitting;
    lines << (last ? fontMetrics().elidedText(text().mid(line.textStart()), Qt::ElideRight, room.width())
                   : text().mid(line.textStart(), line.textLength()).trimmed());
    if (last) break;
  }
  layout.endLayout();
  return lines;
}

void BriefLabel::paintEvent(QPaintEvent* event) {
  if (PlainLabel::heightForWidth(width()) <= height()) return PlainLabel::paintEvent(event);
  QPainter painter(this);
  painter.setPen(palette().color(foregroundRole()));
  painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter, shownLines().join(QLatin1Char('\n')));
}

}  // namespace lanelab::look
