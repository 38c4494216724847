// SPDX-License-Identifier: GPL-3.0-only
// What a timeline shows: a trace or two aligned runs, what was predicted of them, the file behind them, bookmarks, the
// critical path. Knows no time range, no pixels and no widget. GUI thread.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "profiler/analysis/critical_path.h"
#include "profiler/trace/imported_trace.h"
#include "ui/timeline/model/changed_timeline.h"
#include "ui/timeline/model/dependencies.h"
#include "ui/timeline/model/timeline_data.h"
#include "ui/timeline/paint/layers.h"

namespace lanelab {

/// How a trace relates to the one that it replaced.
struct TraceChange {
  bool continued = false;   ///< the same run a little later, not another one
  bool same_names = false;  ///< a place in Trace::names still means the same
  bool same_lanes = false;  ///< so that what was said of lanes stays
};

class TimelineContent {
 public:
  /// Null when there is no trace.
  const std::shared_ptr<const TimelineData>& data() const { return m_data; }
  bool empty() const { return !m_data || m_data->empty(); }
  int lanes() const { return m_data ? static_cast<int>(m_data->trace().lanes.size()) : 0; }

  /// With `aligned`, two runs on one axis in the place of a trace. Forgets the imported file, and the prediction unless
  /// the trace continues.
  TraceChange setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const AlignedRuns> aligned);
  /// Null: none. False where that changes nothing. Rows stay, so that a SpanRef keeps its meaning.
  bool setPrediction(std::shared_ptr<const Trace> predicted);
  /// Dropped unless it is the file of the trace that is shown.
  void setImported(std::shared_ptr<const ImportedTrace> imported);
  /// Of the spans; valid until the content changes. Only if there is data.
  Dependencies dependencies() const { return {*m_data, m_imported.get()}; }

  /// What changes make of the data, which is shown in its place; null: nothing is changed. Everything else, and each
  /// SpanRef, remains of the measured data.
  void setChanged(std::shared_ptr<const ChangedTimeline> changed) { m_changed = std::move(changed); }
  const ChangedTimeline* changed() const { return m_changed.get(); }
  /// Whether labels of what is shown name stages, as they do where a lane has several.
  bool namesStages() const { return m_changed ? m_changed->data().namesStages() : m_data && m_data->namesStages(); }

  void setBookmarks(std::vector<TimelineBookmark> bookmarks) { m_bookmarks = std::move(bookmarks); }
  const std::vector<TimelineBookmark>& bookmarks() const { return m_bookmarks; }

  /// False where it was so already.
  bool setShowDifferences(bool show) { return std::exchange(m_shows_differences, show) != show; }
  bool showsDifferences() const { return m_shows_differences; }
  bool hasDifferences() const;  ///< something to compare with
  bool tintsDifferences() const { return m_shows_differences && hasDifferences(); }

  bool setShowCriticalPath(bool show);
  bool showsCriticalPath() const { return m_shows_path; }
  /// Of what is shown; empty unless they are.
  const std::vector<CriticalPath>& paths() const {
    return m_shows_path && m_changed ? m_changed->steps().paths : m_paths;
  }

 private:
  void findPaths();

  std::shared_ptr<const TimelineData> m_data;
  std::shared_ptr<const ChangedTimeline> m_changed;
  std::shared_ptr<const Trace> m_predicted;
  std::shared_ptr<const ImportedTrace> m_imported;
  std::vector<TimelineBookmark> m_bookmarks;
  std::vector<CriticalPath> m_paths;
  bool m_shows_path = false;
  bool m_shows_differences = false;
};

}  // namespace lanelab
