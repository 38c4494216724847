// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/sentence_label.h"

#include <QPainter>

#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {

SentenceLabel::SentenceLabel(QWidget* parent) : PlainLabel(parent) {
  setWordWrap(true);
  setMinimumWidth(1);  // a long word is cut rather than the form widened
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  setFont(look::smallFont());
  setContentsMargins(2 * look::kGrid, 0, 0, 0);
  setVisible(false);
}

void SentenceLabel::setSentence(const QString& sentence) {
  const QString shown = look::shownText(sentence);
  setText(shown);
  setAccessibleName(shown);
  setVisible(!sentence.isEmpty());
}

void SentenceLabel::paintEvent(QPaintEvent* event) {
  QLabel::paintEvent(event);
  QPainter(this).fillRect(QRect(0, 1, 2, height() - 2), look::current().warning);
}

}  // namespace lanelab
