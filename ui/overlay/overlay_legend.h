// SPDX-License-Identifier: GPL-3.0-only
// The curves of an overlay by name, with a piece of the line of each; one that the mouse is on, or the keyboard, is to
// be highlighted. Thread: GUI.
#pragma once

#include <QListWidget>

#include "engine/library/overlay/run_overlay.h"

namespace lanelab {

class OverlayLegend : public QListWidget {
  Q_OBJECT

 public:
  explicit OverlayLegend(QWidget* parent = nullptr);
  void setOverlay(const Overlay& overlay);
  /// Shows which curve the mouse is on in the plot; -1: none. Says nothing.
  void showCurve(int curve);

 Q_SIGNALS:
  void curveChosen(int curve);  ///< -1: none

 protected:
  void changeEvent(QEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void drawSamples();
};

}  // namespace lanelab
