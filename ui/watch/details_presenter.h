// SPDX-License-Identifier: GPL-3.0-only
// Fills the details pane with the timeline's selected span or gap, and goes to the spans that it links to. What only
// the file of an imported trace has, arguments and the idle time of GPUs, is read off the window's thread.
//
// Thread: the window's. Timeline, pane and presenter must outlive it.
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "profiler/analysis/idle_causes.h"
#include "profiler/io/import/span_arguments.h"
#include "profiler/trace/imported_trace.h"
#include "ui/look/work.h"
#include "ui/timeline/layout/gap_details.h"
#include "ui/timeline/layout/span_details.h"

namespace lanelab {

class DetailsPane;
class TimelinePresenter;
class TimelineView;
struct ImportedFile;

class DetailsPresenter : public QObject {
  Q_OBJECT

 public:
  DetailsPresenter(TimelineView* timeline, DetailsPane* pane, const TimelinePresenter* presenter, QObject* parent);

 private:
  /// What the file says of a span.
  struct FromFile {
    EventArguments arguments;
    QString note;  ///< why there are none
    std::shared_ptr<const IdleCauses> causes;
  };

  void show();
  void showGap(GapDetails gap);
  void explain(const GapDetails& gap);
  void read(const ImportedFile& file, const SpanDetails& details);
  void showRead(const SpanDetails& details, const FromFile& read);

  TimelineView* m_timeline;
  DetailsPane* m_pane;
  const TimelinePresenter* m_presenter;
  std::optional<SpanDetails> m_shown;                ///< as the timeline gave it, without what the file says
  std::optional<GapDetails> m_shown_gap;             ///< in its place
  std::shared_ptr<const ImportedTrace> m_explained;  ///< whose causes these are
  std::shared_ptr<const IdleCauses> m_causes;
  std::shared_ptr<const Trace> m_explained_trace;  ///< the same of a trace whose causes the timeline does not have
  std::shared_ptr<const IdleCauses> m_trace_causes;
  LongWork m_reading;
};

}  // namespace lanelab
