// SPDX-License-Identifier: GPL-3.0-only
// One line of text that ends in an ellipsis where the room ends; the tool tip then holds all of it.
#pragma once

#include <QWidget>

namespace lanelab {

class ElidedLabel : public QWidget {
  Q_OBJECT

 public:
  explicit ElidedLabel(QWidget* parent = nullptr);
  void setText(const QString& text);
  const QString& text() const { return m_text; }
  void clear() { setText({}); }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_text;
};

}  // namespace lanelab
