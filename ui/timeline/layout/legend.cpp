// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/legend.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/look/theme.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

constexpr double kLegendMark = 5 * look::kGrid;
constexpr double kMarkGap = 1.5 * look::kGrid;
constexpr double kEntryGap = 5 * look::kGrid;
constexpr double kLeastEntryGap = 2.5 * look::kGrid;
constexpr double kCheck = 2.25 * look::kGrid;
constexpr double kHigh = 3 * look::kGrid;
constexpr double kLow = 1.5 * look::kGrid;

bool hasRows(const TimelineData& data, RowKind kind) {
  for (std::size_t row = 0; row < data.rows().size(); ++row)
    if (data.rowKind(row) == kind) return true;
  return false;
}

/// Rows of these are thin, and so are their marks.
bool isThin(LegendItem item) { return item == LegendItem::Transfer || item == LegendItem::Exchange; }

}  // namespace

std::vector<LegendEntry> legendEntries(const TimelineData& data, const RowArrangement& arrangement) {
  std::vector<LegendEntry> entries;
  const auto add = [&entries](LegendItem item, const QString& text) {
    entries.push_back({item, text, {}, true, 0, {}, {}, {}});
  };
  int number = 0;
  const auto addRows = [&](LegendItem item, const QString& text, RowKind rows) {
    entries.push_back({item, text, rows, arrangement.shows(rows), ++number, {}, {}, {}});
  };
  const auto addOthers = [&] {
    if (hasRows(data, RowKind::HostThreads))
      addRows(LegendItem::Host, TimelineTexts::tr("host threads"), RowKind::HostThreads);
    if (data.computes() || !data.counters().empty())
      addRows(LegendItem::Counters, TimelineTexts::tr("counters"), RowKind::Counters);
  };
  if (data.communicates()) {
    add(LegendItem::Communication, TimelineTexts::tr("communication"));
    add(LegendItem::Copy, TimelineTexts::tr("copy"));
    add(LegendItem::Named, TimelineTexts::tr("compute, a colour for each name"));
  }
  if (!data.computes()) {
    addOthers();
    return entries;
  }
  add(LegendItem::Forward, TimelineTexts::tr("F forward"));
  add(LegendItem::Backward, TimelineTexts::tr("B backward"));
  add(LegendItem::Update, TimelineTexts::tr("U update"));
  if (!data.trace().live.empty()) add(LegendItem::Running, TimelineTexts::tr("running"));
  if (hasRows(data, RowKind::Transfers))
    addRows(LegendItem::Transfer, TimelineTexts::tr("transfer"), RowKind::Transfers);
  if (hasRows(data, RowKind::Exchange)) addRows(LegendItem::Exchange, TimelineTexts::tr("exchange"), RowKind::Exchange);
  if (data.prediction()) addRows(LegendItem::Predicted, TimelineTexts::tr("predicted"), RowKind::Predicted);
  addRows(LegendItem::Idle, TimelineTexts::tr("idle"), RowKind::Idle);
  addOthers();
  return entries;
}

std::vector<LegendEntry> placedLegend(std::vector<LegendEntry> entries, const TimelineLayout& layout) {
  const QFontMetricsF metrics(look::smallFont());
  const QRectF& legend = layout.legend;
  const double y = std::round(legend.center().y());
  const auto widthOf = [&](const LegendEntry& entry) {
    const double check = entry.rows ? kCheck + kMarkGap : 0;
    return check + kLegendMark + kMarkGap + metrics.horizontalAdvance(entry.text);
  };
  double all = 0;
  for (const LegendEntry& entry : entries) all += widthOf(entry) + kEntryGap;
  const double gap = layout.body.left() + all - kEntryGap > layout.area.right() ? kLeastEntryGap : kEntryGap;
  double x = layout.body.left();
  for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
    const double width = widthOf(*entry);
    if (x + width > layout.area.right()) {
      entries.erase(entry, entries.end());
      break;
    }
    const double height = isThin(entry->item) ? kLow : kHigh;
    const double mark_at = entry->rows ? x + kCheck + kMarkGap : x;
    if (entry->rows) entry->check = QRectF(x, std::round(y - kCheck / 2), kCheck, kCheck);
    entry->mark = QRectF(mark_at, std::round(y - height / 2), kLegendMark, height);
    entry->rect = QRectF(x, legend.top(), width, legend.height());
    x += width + gap;
  }
  return entries;
}

}  // namespace lanelab
