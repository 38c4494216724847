// SPDX-License-Identifier: GPL-3.0-only
// The plot of an overlay on the screen: the mouse on a point names its run, variant and value, and a curve can be
// highlighted. Takes no focus: the legend has the curves, the table all values. Thread: GUI.
#pragma once

#include <QWidget>

#include "ui/overlay/overlay_painter.h"

namespace lanelab {

class OverlayView : public QWidget {
  Q_OBJECT

 public:
  explicit OverlayView(QWidget* parent = nullptr);
  void setOverlay(const Overlay& overlay);
  /// -1: none.
  void highlight(int curve);
  int highlighted() const { return m_highlighted; }
  /// Where the plot is.
  QRectF plotRect() const;

 Q_SIGNALS:
  void curveEntered(int curve);  ///< by the mouse; -1: it left the curves

 protected:
  bool event(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void point(const std::optional<PlotPlace>& place);

  Overlay m_overlay;
  OverlayPlot m_plot;
  int m_highlighted = -1;
  std::optional<PlotPlace> m_pointed;
};

}  // namespace lanelab
