// SPDX-License-Identifier: GPL-3.0-only
// Nested spans as a flame graph, the outermost at the top: a frame for each path of names, as wide as its time. A click
// or Enter widens a frame to the whole width and asks for its longest span, Esc goes back; arrows go from frame to
// frame. Thread: GUI.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "profiler/analysis/statistics/flame_tree.h"
#include "ui/statistics/shown_statistics.h"

namespace lanelab {

/// A tree and the trace that it is of; immutable, any thread.
struct ShownFlame {
  StatisticsTrace of;
  FlameTree tree;
};

class FlameView : public QWidget {
  Q_OBJECT

 public:
  explicit FlameView(QWidget* parent = nullptr);

  /// What is widened and current stays, if it is in the new tree. Null: nothing.
  void setFlame(std::shared_ptr<const ShownFlame> flame);
  /// Frames without all words of it in their names are pale.
  void setFilter(const QString& text);
  /// Empty unless some frame is current.
  QString currentText() const { return m_current ? textOf(*m_current) : QString(); }
  /// Where a frame is drawn; empty if it is not in sight.
  QRectF rectOf(std::uint32_t frame) const;

 Q_SIGNALS:
  /// The longest span of a frame is to be seen.
  void spanRequested(lanelab::StatisticsTrace of, lanelab::SpanMatch span);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  const std::vector<FlameFrame>& frames() const { return m_shown->tree.frames; }
  std::optional<std::uint32_t> frameAt(QPointF point) const;
  std::optional<std::uint32_t> sameFrame(const ShownFlame& before, std::optional<std::uint32_t> frame) const;
  std::optional<std::uint32_t> childOf(std::optional<std::uint32_t> frame) const;
  std::optional<std::uint32_t> besides(std::uint32_t frame, int direction) const;
  QString nameOf(std::uint32_t frame) const;
  QString textOf(std::uint32_t frame) const;
  QColor colorOf(std::uint32_t frame) const;
  void paintFrame(QPainter& painter, std::uint32_t frame) const;
  void setCurrent(std::optional<std::uint32_t> frame);
  void open(std::uint32_t frame);
  bool goBack();
  bool step(int key);

  std::shared_ptr<const ShownFlame> m_shown;
  std::optional<std::uint32_t> m_wide;  ///< takes the whole width; none: all do
  std::optional<std::uint32_t> m_current, m_hovered;
  QString m_filter;
};

}  // namespace lanelab
