// SPDX-License-Identifier: GPL-3.0-only
// Busy and idle of each lane, its gaps longest first and why they are there; a row jumps to its place in the timeline.
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>

#include "profiler/analysis/idle_causes.h"
#include "profiler/trace/imported_trace.h"

class QLabel;

namespace lanelab {

class CopyableTable;
class SuggestionStrip;

class IdleTable : public QWidget {
  Q_OBJECT

 public:
  explicit IdleTable(QWidget* parent = nullptr);
  void setTrace(std::shared_ptr<const Trace> trace);
  /// A trace of any program, with what its file says of GPUs and threads.
  void setImported(std::shared_ptr<const ImportedTrace> imported);
  /// Over the tables; its figures are those of the trace, its sentence is the window's.
  SuggestionStrip& strip() { return *m_strip; }

 Q_SIGNALS:
  void jumpRequested(lanelab::TimeRange range);  ///< a click or Enter on a gap

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refill();
  void fillLanes();
  void fillGaps();
  void sayWhy(std::size_t total);

  CopyableTable* m_lanes;
  CopyableTable* m_gaps;
  QLabel* m_note;
  SuggestionStrip* m_strip;
  IdleCauses m_causes;
  std::vector<GapPlace> m_shown;  ///< in m_causes
  std::shared_ptr<const Trace> m_trace;
  std::shared_ptr<const ImportedTrace> m_imported;  ///< of m_trace, where it was imported
  QTimer m_pause;                                   ///< runs for a moment after each filling
  bool m_stale = false;                             ///< m_trace is not in the tables yet
};

}  // namespace lanelab
