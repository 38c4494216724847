// WATCH: lanes as rows, spans coloured and lettered, idle hatched. Zoom and pan, hover, selection; follows the newest step while a run goes.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "profiler/trace/trace.h"
#include "ui/export/picture.h"

namespace lanelab {

class TimelineView : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineView(QWidget* parent = nullptr);
  ~TimelineView() override;

  /// Null: empty, with a sentence on what will be here. The visible range is kept when the new trace continues the one shown.
  void setTrace(std::shared_ptr<const Trace> trace);
  std::shared_ptr<const Trace> trace() const;
  /// Stays at the newest step as the trace grows, until the person zooms or pans.
  void setFollow(bool follow);

  TimeRange visibleRange() const;
  void setVisibleRange(TimeRange range);
  std::optional<TimeRange> selection() const;
  void setSelection(std::optional<TimeRange> range);
  bool showsDetails() const;
  void setShowDetails(bool show);       ///< block rows under each lane

  /// What is visible now, for export; caption says measured or predicted, lanes, range.
  Picture picture() const;

 public Q_SLOTS:
  void fit();
  void zoomToSelection();
  void previousZoom();
  void nextStep();
  void previousStep();

 Q_SIGNALS:
  void visibleRangeChanged();
  void selectionChanged();
  void hoverChanged(const QString& sentence);   ///< for the status line; empty when nothing is hovered

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

/// Picture of a whole trace, for the report and the command line.
Picture timelinePicture(std::shared_ptr<const Trace> trace, std::optional<TimeRange> range = {});

}  // namespace lanelab
