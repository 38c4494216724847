// SPDX-License-Identifier: GPL-3.0-only
// The line over the timeline while changes are pending: what was changed, what follows, and what can be done with it.
// Hidden while nothing is pending.
#pragma once

#include <QFrame>

#include "ui/timeline/change/timeline_changes.h"

class QLabel;
class QPushButton;

namespace lanelab {

class ChangeStrip : public QFrame {
  Q_OBJECT

 public:
  /// `changes` must outlive it.
  explicit ChangeStrip(TimelineChanges* changes, QWidget* parent = nullptr);

  /// What the experiment can make of the changes. An empty `button`: nothing, and `sentence` says why.
  struct Setting {
    QString sentence;  ///< empty: the button says it all
    QString button;    ///< "Do It"
    QString tip;
  };
  void setSetting(const Setting& setting);

 Q_SIGNALS:
  void doItRequested();

 private:
  void showState();
  void copy();

  TimelineChanges* m_changes;
  QLabel* m_facts;
  QLabel* m_setting;
  QPushButton* m_do;
  QPushButton* m_copy;
};

}  // namespace lanelab
