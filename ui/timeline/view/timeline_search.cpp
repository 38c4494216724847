// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/timeline_search.h"

namespace lanelab {

TimelineSearch::TimelineSearch(const TimelineContent& content) : m_content(content) {
  connect(&m_finder, &SpanFinder::foundChanged, this, &TimelineSearch::acceptFound);
}

void TimelineSearch::setText(const QString& text) {
  if (text != m_finder.text()) search(text);
}

void TimelineSearch::search(const QString& text) {
  m_finder.find(m_content.empty() ? nullptr : m_content.data(), text);
}

void TimelineSearch::searchAgain(bool growing) {
  if (!text().isEmpty() && !(growing && m_finder.searching())) search(text());
}

/// What was found in a trace that was replaced meanwhile is searched again.
void TimelineSearch::acceptFound() {
  const auto& found = m_finder.found();
  if (found && &found->data() != m_content.data().get()) return search(text());
  Q_EMIT foundChanged();
}

const FoundSpans* TimelineSearch::found() const {
  const auto& found = m_finder.found();
  return found && &found->data() == m_content.data().get() ? found.get() : nullptr;
}

SearchState TimelineSearch::state(const std::optional<SpanRef>& current) const {
  SearchState state;
  state.searching = m_finder.searching();
  if (m_finder.found()) state.count = m_finder.found()->count();
  if (current && found()) state.place = found()->placeOf(*current);
  return state;
}

std::optional<SpanRef> TimelineSearch::next(const std::optional<SpanRef>& current, Nanoseconds time,
                                            int direction) const {
  const auto& matches = m_finder.found();
  if (!matches || matches->count() == 0) return {};
  std::size_t place = current ? matches->next(*current, direction) : matches->next(time, direction);
  std::optional<SpanRef> ref = matches->refOf(place);
  for (std::size_t tried = 1; !ref && tried < matches->count(); ++tried) {
    place = (place + (direction > 0 ? 1 : matches->count() - 1)) % matches->count();
    ref = matches->refOf(place);
  }
  return ref;
}

}  // namespace lanelab
