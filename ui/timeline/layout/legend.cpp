// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/legend.h"

#include <QFont>
#include <QFontMetricsF>
#include <QHash>
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
constexpr double kLegendMargin = 2 * look::kGrid;
constexpr double kLegendLine = 7 * look::kGrid;
constexpr double kFurtherLegendLine = 5 * look::kGrid;
constexpr double kLeastAboveLegend = 35 * look::kGrid;  ///< ruler, steps and two lanes

bool hasRows(const TimelineData& data, RowKind kind) {
  for (std::size_t row = 0; row < data.rows().size(); ++row)
    if (data.rowKind(row) == kind) return true;
  return false;
}

/// Rows of these are thin, and so are their marks.
bool isThin(LegendItem item) { return item == LegendItem::Transfer || item == LegendItem::Exchange; }

/// Of a text in the small font. Each layout measures each entry several times, and shaping a text takes longer than all
/// the rest of a layout, so widths are stored as long as the font is the same.
double textWidth(const QString& text) {
  struct Widths {
    QFont font;
    QHash<QString, double> of;
  };
  thread_local Widths widths;
  if (const QFont font = look::smallFont(); widths.font != font) widths = {font, {}};
  const auto known = widths.of.constFind(text);
  if (known != widths.of.constEnd()) return *known;
  return *widths.of.insert(text, QFontMetricsF(widths.font).horizontalAdvance(text));
}

double legendWidth(const LegendEntry& entry) {
  const double text = textWidth(entry.text);
  if (entry.item == LegendItem::More) return text;
  return (entry.rows ? kCheck + kMarkGap : 0) + kLegendMark + kMarkGap + text;
}

/// A line of entries.
struct LegendLine {
  double left = 0;
  double right = 0;
  double gap = 0;

  /// Each line holds one entry at least.
  bool holds(double x, const LegendEntry& entry) const { return x <= left || x + legendWidth(entry) <= right; }
};

int legendLines(const std::vector<LegendEntry>& entries, const LegendLine& row) {
  int lines = 1;
  double x = row.left;
  for (const LegendEntry& entry : entries) {
    if (!row.holds(x, entry)) {
      x = row.left;
      lines += 1;
    }
    x += legendWidth(entry) + row.gap;
  }
  return lines;
}

/// What has no room gives way to More.
void shortenLegend(std::vector<LegendEntry>& entries, const LegendLine& row, int lines) {
  if (legendLines(entries, row) <= lines) return;
  LegendEntry more;
  more.item = LegendItem::More;
  more.text = TimelineTexts::tr("more...");
  entries.push_back(more);
  while (entries.size() > 1 && legendLines(entries, row) > lines) entries.erase(entries.end() - 2);
}

void placeEntry(LegendEntry& entry, const QRectF& rect) {
  const double y = std::round(rect.center().y());
  const double height = isThin(entry.item) ? kLow : kHigh;
  const double mark_at = entry.rows ? rect.left() + kCheck + kMarkGap : rect.left();
  if (entry.rows) entry.check = QRectF(rect.left(), std::round(y - kCheck / 2), kCheck, kCheck);
  if (entry.item != LegendItem::More) entry.mark = QRectF(mark_at, std::round(y - height / 2), kLegendMark, height);
  entry.rect = rect;
}

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
  if (data.evaluates()) add(LegendItem::Evaluation, TimelineTexts::tr("evaluation"));
  if (!data.trace().live.empty()) add(LegendItem::Running, TimelineTexts::tr("running"));
  if (hasRows(data, RowKind::Transfers))
    addRows(LegendItem::Transfer, TimelineTexts::tr("transfer"), RowKind::Transfers);
  if (hasRows(data, RowKind::Exchange)) addRows(LegendItem::Exchange, TimelineTexts::tr("exchange"), RowKind::Exchange);
  if (data.prediction()) addRows(LegendItem::Predicted, TimelineTexts::tr("predicted"), RowKind::Predicted);
  addRows(LegendItem::Idle, TimelineTexts::tr("idle"), RowKind::Idle);
  addOthers();
  return entries;
}

double legendHeight(const std::vector<LegendEntry>& entries, const QRectF& area) {
  const LegendLine wide{area.left() + look::kLaneColumn, area.right(), kLeastEntryGap};
  const LegendLine whole{area.left() + kLegendMargin, area.right(), kLeastEntryGap};
  if (legendLines(entries, wide) == 1) return kLegendLine;
  const int most =
      std::max(1, static_cast<int>((area.height() - kLeastAboveLegend - kLegendLine) / kFurtherLegendLine) + 1);
  return kLegendLine + (std::min(legendLines(entries, whole), most) - 1) * kFurtherLegendLine;
}

std::vector<LegendEntry> placedLegend(std::vector<LegendEntry> entries, const TimelineLayout& layout) {
  const QRectF& legend = layout.legend;
  LegendLine row{layout.body.left(), layout.area.right(), kEntryGap};
  if (legendLines(entries, row) > 1) row.gap = kLeastEntryGap;
  if (legendLines(entries, row) > 1) row.left = layout.area.left() + kLegendMargin;
  const int lines = 1 + static_cast<int>(std::round((legend.height() - kLegendLine) / kFurtherLegendLine));
  shortenLegend(entries, row, lines);
  const double height = lines > 1 ? kFurtherLegendLine : legend.height();
  const double above = lines > 1 ? (kLegendLine - kFurtherLegendLine) / 2 : 0;
  int line = 0;
  double x = row.left;
  for (LegendEntry& entry : entries) {
    if (!row.holds(x, entry)) {
      x = row.left;
      line += 1;
    }
    placeEntry(entry, QRectF(x, legend.top() + above + line * kFurtherLegendLine, legendWidth(entry), height));
    x += legendWidth(entry) + row.gap;
  }
  return entries;
}

}  // namespace lanelab
