// SPDX-License-Identifier: GPL-3.0-only
// The search of a timeline: what was typed, or what else finds spans, what was found in the trace that is shown, and
// which match is next.
// Searches at once where that takes no time, else off the window's thread, so that typing never waits.
#pragma once

#include <QObject>

#include "ui/look/latest_work.h"
#include "ui/timeline/model/found_spans.h"
#include "ui/timeline/view/timeline_content.h"

namespace lanelab {

/// How far the search is.
struct SearchState {
  std::size_t count = 0;
  std::optional<std::size_t> place;  ///< of the current span among the matches, from 0
  bool searching = false;
};

class TimelineSearch : public QObject {
  Q_OBJECT

 public:
  /// `content` must outlive it.
  explicit TimelineSearch(const TimelineContent& content) : m_content(content) {}

  const QString& text() const { return m_text; }
  void setText(const QString& text);
  /// In place of a text, until one is set; empty: nothing.
  void setFinder(SpanFinder finder);
  /// In a trace that replaced the one before. `growing`: the answer of a search in progress is awaited first, or it
  /// would never end.
  void searchAgain(bool growing);

  /// Null unless they are of the trace that is shown.
  const FoundSpans* found() const;
  SearchState state(const std::optional<SpanRef>& current) const;
  /// The match after the current span or the time, round the end; before it where `direction` is below 0.
  std::optional<SpanRef> next(const std::optional<SpanRef>& current, Nanoseconds time, int direction) const;

 Q_SIGNALS:
  void foundChanged();

 private:
  bool seeks() const;
  void search();
  void give(std::shared_ptr<const FoundSpans> found);

  const TimelineContent& m_content;
  QString m_text;
  SpanFinder m_finder;                        ///< while there is no text
  std::shared_ptr<const FoundSpans> m_found;  ///< null while the first search of a text runs
  bool m_searching = false;
  LatestWork m_work;
};

}  // namespace lanelab
