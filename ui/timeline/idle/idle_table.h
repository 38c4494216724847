// SPDX-License-Identifier: GPL-3.0-only
// Busy and idle of each lane, its gaps longest first and why they are there; a row jumps to its place in the timeline.
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>

#include "profiler/analysis/idle_causes.h"
#include "profiler/trace/imported_trace.h"

class QComboBox;
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
  /// Tables and figures of this part of the trace only; nothing: of all of it.
  void setRange(std::optional<TimeRange> range);
  /// Whether tables and figures are of the newest trace; while a run goes they follow it a little later.
  bool isCurrent() const { return !m_stale; }
  /// Over the tables; its figures are those of the trace, its sentence is the window's.
  SuggestionStrip& strip() { return *m_strip; }

 Q_SIGNALS:
  void jumpRequested(int lane, lanelab::TimeRange range);  ///< a click or Enter on a gap
  void rangeClearRequested();
  /// What to know of the figures of an imported trace, which may be nothing; once for each trace.
  void importExplained(const QString& sentences);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refill();
  void makeWindowsChoice();
  bool offersPeriods() const;
  void showWindows();
  const IdleCauses& causes() const { return m_part ? *m_part : m_whole; }
  void fillLanes();
  void fillGaps();
  void sayWhy();
  QString importSentences() const;
  void showDoubt();
  void showWaterfall();

  CopyableTable* m_lanes;
  CopyableTable* m_gaps;
  QLabel* m_note;
  SuggestionStrip* m_strip;
  QWidget* m_range_strip;
  QLabel* m_range_name;
  QWidget* m_windows_strip;
  QComboBox* m_windows;
  std::optional<WindowKind> m_wanted_windows;  ///< where steps overlap; nothing: periods
  IdleCauses m_whole;                          ///< of m_explained
  std::optional<IdleCauses> m_part;            ///< of it, in m_range
  std::vector<GapPlace> m_shown;               ///< in causes()
  std::size_t m_found = 0;                     ///< gaps, also those that are not shown
  std::optional<TimeRange> m_range;
  std::shared_ptr<const Trace> m_explained;
  std::shared_ptr<const Trace> m_trace;
  std::shared_ptr<const ImportedTrace> m_imported;  ///< of m_trace, where it was imported
  QTimer m_pause;                                   ///< runs for a moment after each filling
  bool m_stale = false;                             ///< m_trace is not in the tables yet
};

}  // namespace lanelab
