// SPDX-License-Identifier: GPL-3.0-only
// What the board's scene shows: chips, cuts, and the ghost that follows the pointer. They paint; the view decides.
#pragma once

#include <QGraphicsItem>
#include <QString>
#include <vector>

#include "ui/board/board_layout.h"

namespace lanelab {

/// "layer3.0" -> "3.0", for chips too narrow for the whole name.
QString shortBlockName(const QString& name);

class ChipItem : public QGraphicsItem {
 public:
  struct Look {
    QString name;
    QString group;
    double share = 0;
    bool selected = false;
    bool focused = false;  ///< the keyboard is here
    bool moved = false;    ///< lies here only while dragging
    bool operator==(const Look&) const = default;
  };

  ChipItem();
  void show(const QRectF& rect, const Look& look, const QString& tip);
  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  QRectF m_rect;
  Look m_look;
};

class CutItem : public QGraphicsItem {
 public:
  CutItem(const BoardGeometry::Cut& cut, bool active);
  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  BoardGeometry::Cut m_cut;
  bool m_active;
};

/// Dashed outlines where the dragged chips were, and pale copies under the pointer.
class GhostItem : public QGraphicsItem {
 public:
  GhostItem();
  void show(const std::vector<QRectF>& origins, const std::vector<QString>& groups, QPointF offset);
  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  std::vector<QRectF> m_origins;
  std::vector<QString> m_groups;
  QPointF m_offset;
};

}  // namespace lanelab
