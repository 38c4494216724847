// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/action_difference.h"

#include <cmath>

#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
bool tinted(const TimelineData& data, const Row& row) {
  return row.holdsActions() &&
         (!data.aligned() || data.aligned()->lanes[static_cast<std::size_t>(row.lane)].side == RunSide::B);
}

bool hasDifferences(const TimelineData& data) {
  return data.aligned() ? !data.aligned()->cells.empty() : data.prediction() != nullptr;
}

std::optional<double> differenceOf(const TimelineData& data, SpanRef ref) {
  if (!tinted(data, data.rows()[ref.row])) return std::nullopt;
  const Span span = data.span(ref);
  if (data.aligned()) {
    const AlignedCell* cell = data.aligned()->find(span);
    if (!cell || cell->a <= 0) return std::nullopt;
    return static_cast<double>(cell->b) / static_cast<double>(cell->a) - 1;
  }
  const auto expected = span.category == Category::Action ? data.expectedLength(ref) : std::nullopt;
  if (!expected || *expected <= 0) return std::nullopt;
  return static_cast<double>(span.range().length()) / static_cast<double>(*expected) - 1;
}

QString differenceText(double difference) {
  const double share = std::abs(difference) * 100;
  if (share < 0.05) return TimelineTexts::tr("0 %");
  const QString number = QString::number(share, 'f', share < 9.95 ? 1 : 0);
  return difference > 0 ? TimelineTexts::tr("+%1 %").arg(number) : TimelineTexts::tr("\u2212%1 %").arg(number);
}

}  // namespace lanelab
