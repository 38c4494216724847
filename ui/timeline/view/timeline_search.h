// SPDX-License-Identifier: GPL-3.0-only
// The search of a timeline: what was typed, what was found of it in the trace that is shown, and which match is next.
#pragma once

#include <QObject>

#include "ui/timeline/model/span_finder.h"
#include "ui/timeline/view/search_state.h"
#include "ui/timeline/view/timeline_content.h"

namespace lanelab {

class TimelineSearch : public QObject {
  Q_OBJECT

 public:
  /// `content` must outlive it.
  explicit TimelineSearch(const TimelineContent& content);

  const QString& text() const { return m_finder.text(); }
  void setText(const QString& text);
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
  void search(const QString& text);
  void acceptFound();

  const TimelineContent& m_content;
  SpanFinder m_finder;
};

}  // namespace lanelab
