// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/timeline_search.h"

#include <utility>

namespace lanelab {
namespace {

constexpr std::size_t kMostAtOnce = 200'000;  ///< spans; a few milliseconds

}  // namespace

void TimelineSearch::setText(const QString& text) {
  if (text == m_text && !m_finder) return;
  m_finder = nullptr;
  m_text = text;
  search();
}

void TimelineSearch::setFinder(SpanFinder finder) {
  if (!finder && !m_finder) return;
  m_finder = std::move(finder);
  m_text.clear();
  search();
}

void TimelineSearch::searchAgain(bool growing) {
  if (seeks() && !(growing && m_searching)) search();
}

bool TimelineSearch::seeks() const { return m_finder != nullptr || !m_text.isEmpty(); }

/// A search that still goes is given up.
void TimelineSearch::search() {
  m_work.cancel();
  m_searching = false;
  const std::shared_ptr<const TimelineData> data = m_content.data();
  if (m_content.empty() || (!m_finder && parseSearch(m_text.toStdString()).empty())) return give(nullptr);
  const auto find = [finder = m_finder, text = m_text, data](const std::stop_token& stop) {
    return finder ? std::make_shared<const FoundSpans>(data, finder(data->trace(), stop))
                  : std::make_shared<const FoundSpans>(data, text, stop);
  };
  if (data->trace().spanCount() <= kMostAtOnce) return give(find({}));
  m_searching = true;
  m_work.ask([this, find](const std::stop_token& stop) -> Background::Then {
    return [this, found = find(stop)] {
      m_searching = false;
      give(found);
    };
  });
  give(nullptr);  // what was found of another text or trace is no answer to this one
}

/// What was found in a trace that was replaced meanwhile is searched again.
void TimelineSearch::give(std::shared_ptr<const FoundSpans> found) {
  m_found = std::move(found);
  if (m_found && !this->found()) return search();
  Q_EMIT foundChanged();
}

const FoundSpans* TimelineSearch::found() const {
  return m_found && &m_found->data() == m_content.data().get() ? m_found.get() : nullptr;
}

SearchState TimelineSearch::state(const std::optional<SpanRef>& current) const {
  SearchState state;
  state.searching = m_searching;
  if (m_found) state.count = m_found->count();
  if (current && found()) state.place = found()->placeOf(*current);
  return state;
}

std::optional<SpanRef> TimelineSearch::next(const std::optional<SpanRef>& current, Nanoseconds time,
                                            int direction) const {
  if (!m_found || m_found->count() == 0) return {};
  std::size_t place = m_found->next(current, time, direction);
  std::optional<SpanRef> ref = m_found->refOf(place);
  for (std::size_t tried = 1; !ref && tried < m_found->count(); ++tried) {
    place = (place + (direction > 0 ? 1 : m_found->count() - 1)) % m_found->count();
    ref = m_found->refOf(place);
  }
  return ref;
}

}  // namespace lanelab
