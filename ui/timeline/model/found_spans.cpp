// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/found_spans.h"

#include <algorithm>

namespace lanelab {
namespace {

/// Where each of `wanted` lies in `row.spans`; both ascend, and neighbours in one are often neighbours in the other.
std::vector<std::uint32_t> positionsIn(const Row& row, const std::vector<std::uint32_t>& wanted) {
  std::vector<std::uint32_t> positions;
  std::size_t from = 0;
  for (const std::uint32_t span : wanted) {
    if (from < row.spans.size() && row.spans[from] != span) from = row.spans.firstFrom(span, from);
    if (from == row.spans.size()) break;
    if (row.spans[from] == span) positions.push_back(static_cast<std::uint32_t>(from++));
  }
  return positions;
}

}  // namespace

FoundSpans::FoundSpans(std::shared_ptr<const TimelineData> data, const QString& text, std::stop_token stop)
    : FoundSpans(data, findSpans(data->trace(), parseSearch(text.toStdString()), std::move(stop))) {}

FoundSpans::FoundSpans(std::shared_ptr<const TimelineData> data, std::vector<SpanMatch> matches)
    : m_data(std::move(data)), m_matches(std::move(matches)), m_by_row(m_data->rows().size()) {
  std::vector<std::vector<std::uint32_t>> of_track(m_data->trace().tracks.size());
  for (const SpanMatch& match : m_matches) of_track[match.track].push_back(match.span);
  for (std::size_t row = 0; row < m_by_row.size(); ++row) {
    const std::size_t track = m_data->rows()[row].track;
    if (track != Row::kNoTrack) m_by_row[row] = positionsIn(m_data->rows()[row], of_track[track]);
  }
}

SpanMatch FoundSpans::matchOf(SpanRef ref) const {
  const Row& row = m_data->rows()[ref.row];
  return {m_data->span(ref).start, static_cast<std::uint32_t>(row.track), row.spans[ref.position]};
}

std::optional<std::size_t> FoundSpans::placeOf(SpanRef ref) const {
  const SpanMatch wanted = matchOf(ref);
  const auto found = std::lower_bound(m_matches.begin(), m_matches.end(), wanted);
  if (found == m_matches.end() || *found != wanted) return std::nullopt;
  return static_cast<std::size_t>(found - m_matches.begin());
}

std::size_t FoundSpans::next(const std::optional<SpanRef>& current, Nanoseconds time, int direction) const {
  const SpanMatch from = current ? matchOf(*current) : SpanMatch{time, 0, 0};
  const auto after =
      current && direction > 0 ? std::ranges::upper_bound(m_matches, from) : std::ranges::lower_bound(m_matches, from);
  const auto place = static_cast<std::size_t>(after - m_matches.begin());
  return direction > 0 ? place % count() : (place + count() - 1) % count();
}

}  // namespace lanelab
