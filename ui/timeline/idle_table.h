// Busy and idle of each lane, and its gaps longest first; a row jumps to its place in the timeline.
#pragma once

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

 private:
  class Tables;
  std::unique_ptr<Tables> m_tables;
};

}  // namespace lanelab
