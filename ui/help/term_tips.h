// SPDX-License-Identifier: GPL-3.0-only
// Terms explain themselves on hover: headers of tables and short labels that have no tip of their own get that of the
// glossary, whichever room they are in. Thread: GUI.
#pragma once

#include <QObject>

namespace lanelab {

/// As an event filter of the application.
class TermTips : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace lanelab
