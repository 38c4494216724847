// SPDX-License-Identifier: GPL-3.0-only
// What is wrong with the field above it, or with what a pane shows: a small sentence with a bar at its left. Thread:
// GUI.
#pragma once

#include "ui/look/plain_label.h"

namespace lanelab {

/// Wraps its words; hidden while empty.
class SentenceLabel : public look::PlainLabel {
  Q_OBJECT

 public:
  explicit SentenceLabel(QWidget* parent = nullptr);
  void setSentence(const QString& sentence);

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace lanelab
