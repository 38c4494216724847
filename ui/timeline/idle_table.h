// Busy and idle of each lane, its gaps longest first and why they are there; a row jumps to its place in the timeline.
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>

#include "profiler/trace/trace.h"

namespace lanelab {

class IdleTable : public QWidget {
  Q_OBJECT

 public:
  explicit IdleTable(QWidget* parent = nullptr);
  ~IdleTable() override;
  void setTrace(std::shared_ptr<const Trace> trace);

 Q_SIGNALS:
  void jumpRequested(lanelab::TimeRange range);   ///< a click or Enter on a gap

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  class Tables;
  void refill();

  std::unique_ptr<Tables> m_tables;
  std::shared_ptr<const Trace> m_trace;
  QTimer m_pause;         ///< runs for a moment after each filling
  bool m_stale = false;   ///< m_trace is not in the tables yet
};

}  // namespace lanelab
