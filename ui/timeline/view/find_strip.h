// SPDX-License-Identifier: GPL-3.0-only
// The line over the timeline that finds spans: a field, how many there are, next and previous. Hidden until it is
// opened; Esc closes it.
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace lanelab {

class TimelineView;

class FindStrip : public QWidget {
  Q_OBJECT

 public:
  /// `timeline` must outlive it.
  explicit FindStrip(TimelineView* timeline, QWidget* parent = nullptr);

 public Q_SLOTS:
  void open();   ///< with the keyboard in the field, its text selected
  void close();  ///< what was found is no longer outlined; the keyboard goes to the timeline

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void showState();

  TimelineView* m_timeline;
  QLineEdit* m_field;
  QLabel* m_count;
  QToolButton* m_previous;
  QToolButton* m_next;
};

}  // namespace lanelab
