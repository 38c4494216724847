// SPDX-License-Identifier: GPL-3.0-only
// A row of widgets that goes on below where the room ends, so that it never widens what it is in. After Qt's example
// of the same name. Thread: GUI.
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace lanelab::look {

class FlowLayout : public QLayout {
  Q_OBJECT

 public:
  /// Pixels between widgets of a row, and between rows.
  FlowLayout(int between, int between_rows) : m_between(between), m_between_rows(between_rows) {}

  void addItem(QLayoutItem* item) override { m_items.emplace_back(item); }
  int count() const override { return static_cast<int>(m_items.size()); }
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange({0, 0, width, 0}, /*move=*/false); }
  void setGeometry(const QRect& area) override;
  QSize sizeHint() const override;     ///< all in one row
  QSize minimumSize() const override;  ///< of the largest one

 private:
  /// The height that the shown widgets take in the area's width.
  int arrange(const QRect& area, bool move) const;

  std::vector<std::unique_ptr<QLayoutItem>> m_items;
  int m_between, m_between_rows;
};

}  // namespace lanelab::look
