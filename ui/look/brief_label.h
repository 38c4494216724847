// SPDX-License-Identifier: GPL-3.0-only
// Sentences of a few lines at most: if there is no room for all of them, the last line ends in an ellipsis, and the
// tool tip has the whole. Thread: GUI.
#pragma once

#include "ui/look/plain_label.h"

namespace lanelab::look {

class BriefLabel : public PlainLabel {
  Q_OBJECT

 public:
  BriefLabel(int most_lines, QWidget* parent);
  /// `more` follows the text in the tool tip.
  void setSentence(const QString& text, const QString& more = {});

  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {0, fontMetrics().height()}; }
  /// What is seen of the text at this size, a line each.
  QStringList shownLines() const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int m_most_lines;
};

}  // namespace lanelab::look
