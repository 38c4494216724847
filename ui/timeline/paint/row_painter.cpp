// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/row_painter.h"

#include <algorithm>
#include <cmath>

#include "ui/timeline/paint/cause_pattern.h"

namespace lanelab {
namespace {

constexpr int kNarrowestOutline = 6;
constexpr int kNarrowestHatch = 8;
constexpr int kNarrowestLabel = 9;
constexpr double kLabelMargin = 3;
constexpr double kNarrowestCause = 20;
constexpr double kNarrowestPattern = 3;
constexpr int kPlateHeight = 16;
constexpr double kRunningPaleness = 0.45;  ///< from an action's colour to the surface
constexpr double kSecondPaleness = 0.4;    ///< of an action of every second step, where steps overlap

/// What is distinguished by more than its colour.
bool isHatched(Category category, Phase phase) {
  return category == Category::Communication ||
         (category == Category::Action && (isBackward(phase) || phase == Phase::BackwardWeight));
}

}  // namespace

QColor runningColor(const look::Palette& palette, const QColor& action) {
  return palette.pale(action, kRunningPaleness);
}

void ColumnProfile::set(int x0, int x1, int height, QRgb color) {
  const int from = std::max(x0, m_area.left()), to = std::min(x1, m_area.right() + 1),
            high = std::min(height, m_area.height());
  if (from >= to || high <= 0) return;
  if (m_heights.empty()) {
    m_heights.resize(static_cast<std::size_t>(m_area.width()));
    m_colors.resize(m_heights.size());
  }
  std::fill_n(m_heights.begin() + (from - m_area.left()), to - from, high);
  std::fill_n(m_colors.begin() + (from - m_area.left()), to - from, color);
}

QRect plateOf(const LabelOrder& order, const LabelPlace& place) {
  return QRectF(std::round(place.left) - order.margin / 2, order.room.center().y() - kPlateHeight / 2.0,
                place.text->width + order.margin, kPlateHeight)
      .toRect();
}

RowPainter::RowPainter(const TimelineScene& scene)
    : m_scene(scene), m_failed(colorsFor(scene.palette.error, false)), m_idle(findIdle()) {
  for (std::size_t i = 0; i < m_colors.size(); ++i) {
    const auto category = static_cast<Category>(i / kPhases);
    const auto phase = static_cast<Phase>(i % kPhases);
    if (phase <= Phase::Update)
      m_colors[i] = colorsFor(scene.palette.span(category, phase), isHatched(category, phase));
  }
  for (std::size_t i = 0; i <= static_cast<std::size_t>(Phase::Update); ++i) {
    const auto phase = static_cast<Phase>(i);
    const QColor fill = scene.palette.span(Category::Action, phase);
    m_running[i] = colorsFor(runningColor(scene.palette, fill), isHatched(Category::Action, phase));
    m_second[i] = colorsFor(scene.palette.pale(fill, kSecondPaleness), isHatched(Category::Action, phase));
  }
  std::ranges::transform(look::nameColors(scene.palette), m_named.begin(),
                         [this](const QColor& fill) { return colorsFor(fill, false); });
  const QRectF& area = scene.layout.area;
  for (const RowBox& box : scene.layout.rows)
    if (box.rect.bottom() >= area.top() && box.rect.top() <= area.bottom()) m_visible.push_back(box);
}

const RowPainter::BarColors& RowPainter::colorsOf(const Span& span) const {
  const Trace& trace = m_scene.data.trace();
  if (!m_scene.data.computes() && hasNameColor(span.category)) return m_named[look::nameColorOf(trace.nameOf(span))];
  if (span.category == Category::Action && m_scene.data.stepsOverlap() && isSecondOfTwo(span.step))
    return m_second[static_cast<std::size_t>(span.phase)];
  return trace.failed(span) ? m_failed : colorsOf(span.category, span.phase);
}

/// `failed`: a failed action is the one span of a compute row whose category says nothing.
const RowPainter::BarColors& RowPainter::colorsOf(const Column& column, bool failed) const {
  if (!m_scene.data.computes() && column.kind.name != kAnyName)
    return m_named[look::nameColorOf(m_scene.data.trace().names[column.kind.name])];
  return failed ? m_failed : colorsOf(column.kind.category, column.kind.phase);
}

RowPainter::BarColors RowPainter::colorsFor(const QColor& fill, bool hatched) const {
  BarColors colors{fill.rgb(), look::mix(fill, m_scene.palette.outline, 0.45).rgb(), look::inkOn(fill).rgb(),
                   std::nullopt};
  if (hatched) colors.hatch = Hatch{m_scene.palette.hatchOn(fill).rgb(), kBackwardSpacing};
  return colors;
}

std::vector<std::pair<QRgb, Hatch>> RowPainter::hatched() const {
  std::vector<std::pair<QRgb, Hatch>> all;
  const auto add = [&all](const BarColors& colors) {
    if (colors.hatch) all.emplace_back(colors.fill, *colors.hatch);
  };
  std::ranges::for_each(m_colors, add);
  std::ranges::for_each(m_running, add);
  std::ranges::for_each(m_second, add);
  return all;
}

/// Only step windows can be idle; time between them is nobody's. Windows nearer than a pixel are drawn as one.
RowPainter::IdlePieces RowPainter::findIdle() const {
  IdlePieces pieces;
  for (const StepWindow& step : m_scene.data.steps()) {
    const TimeRange seen = intersection(step.range, m_scene.scale.range);
    if (seen.empty()) continue;
    const int x0 = static_cast<int>(std::lround(m_scene.scale.x(seen.start)));
    const int x1 = std::max(static_cast<int>(std::lround(m_scene.scale.x(seen.end))), x0 + 1);
    if (!pieces.empty() && pieces.back().second >= x0)
      pieces.back().second = x1;
    else
      pieces.emplace_back(x0, x1);
  }
  return pieces;
}

QRect RowPainter::barsOf(const RowBox& box) const {
  return QRectF(m_scene.layout.body.left(), box.rect.top(), m_scene.layout.body.width(), box.rect.height()).toRect();
}

void RowPainter::paint(RowSurface& surface, const RowBox& box) const {
  const Row& row = m_scene.data.rows()[box.row];
  const bool lane = row.kind == Track::Kind::Compute && row.depth == 0;
  if (lane) {
    if (m_scene.layout.shows_idle) surface.idle(barsOf(box));
    paintUnknown(surface, box);
  }
  if (lane && m_scene.layout.shows_idle && m_scene.palette.high_contrast) paintPatterns(surface, box);
  if (row.track != Row::kNoTrack) paintSpans(surface, box);
  if (lane && m_scene.layout.shows_idle) paintCauses(surface, box);
}

/// While a device has not reported what it did, its lane is neither busy nor idle.
void RowPainter::paintUnknown(RowSurface& surface, const RowBox& box) const {
  const std::optional<Nanoseconds> until = m_scene.data.knownUntil(m_scene.data.rows()[box.row].lane);
  if (!until) return;
  const TimeRange unknown = intersection({*until, m_scene.data.range().end}, m_scene.scale.range);
  if (unknown.empty()) return;
  const double x0 = std::round(m_scene.scale.x(unknown.start)), x1 = std::round(m_scene.scale.x(unknown.end));
  surface.fill(QRectF(x0, box.rect.top(), x1 - x0, box.rect.height()).toRect(), m_scene.palette.surface.rgb());
}

/// In a compute row the height of a column is the utilization; thin rows keep their height, as marks of a pixel would
/// be lost.
void RowPainter::paintSpans(RowSurface& surface, const RowBox& box) const {
  const Row& row = m_scene.data.rows()[box.row];
  const RowDetail detail = levelOfDetail(row, m_scene.data.track(row), m_scene.scale);
  const bool compute = row.kind == Track::Kind::Compute;
  const QRect area = barsOf(box);
  const int left = static_cast<int>(std::lround(m_scene.scale.left));
  ColumnProfile profile(area);
  for (const Column& column : detail.columns) {
    const int height =
        compute ? std::max(static_cast<int>(std::lround(area.height() * column.busy)), 1) : area.height();
    profile.set(left + column.x0, left + column.x1, height,
                colorsOf(column, compute && column.kind.category == Category::Other).fill);
  }
  std::vector<WideBar> wide;
  for (const Bar& bar : detail.bars) {
    const int x0 = static_cast<int>(std::lround(std::max(bar.x0, m_scene.layout.body.left())));
    const int x1 = static_cast<int>(std::lround(std::min(bar.x1, m_scene.layout.body.right())));
    const Span& span = m_scene.data.span({box.row, bar.position});
    if (x1 - x0 >= kNarrowestOutline)
      wide.push_back({QRect(x0, area.top(), x1 - x0, area.height()), span,
                      compute && m_scene.data.isRunning({box.row, bar.position})});
    else  // Narrow bars are distinguished by a free pixel instead of an outline.
      profile.set(x0 + (compute ? 1 : 0), x1, area.height(), colorsOf(span).fill);
  }
  if (!profile.empty()) surface.columns(profile);
  for (const WideBar& bar : wide) paintBar(surface, bar, compute);
}

/// A bar is cut off at the body's edges, so it gets an outline there only where it really ends; one in progress does
/// not end yet.
void RowPainter::paintBar(RowSurface& surface, const WideBar& bar, bool outlined) const {
  const auto& [rect, span, running] = bar;
  const BarColors& colors = running ? m_running[static_cast<std::size_t>(span.phase)] : colorsOf(span);
  const QRect inner =
      rect.adjusted(span.start >= m_scene.scale.range.start ? 1 : 0, outlined ? 1 : 0,
                    outlined && !running && span.end <= m_scene.scale.range.end ? -1 : 0, outlined ? -1 : 0);
  const bool hatched = inner.width() >= kNarrowestHatch;
  surface.bar(rect, outlined ? m_scene.palette.outline.rgb() : colors.edge, inner, colors.fill,
              hatched ? colors.hatch : std::nullopt);
  if (rect.height() < kLowestLabel || inner.width() < kNarrowestLabel || !m_scene.showsLine(QRectF(inner).center().y()))
    return;
  surface.label({LabelKey::ofSpan(m_scene.data, span, colors.ink), QRectF(inner), kLabelMargin, std::nullopt});
}

/// `visit` hears the cause and the edges of each piece in sight that is at least this wide.
template <class Visit>
void RowPainter::eachCause(const RowBox& box, double least, Visit visit) const {
  const auto& pieces = m_scene.data.causesOf(m_scene.data.rows()[box.row].lane);
  auto piece = std::lower_bound(pieces.begin(), pieces.end(), m_scene.scale.range.start,
                                [](const CausePiece& one, Nanoseconds time) { return one.range.end <= time; });
  for (; piece != pieces.end() && piece->range.start < m_scene.scale.range.end; ++piece) {
    const double x0 = std::max(m_scene.scale.x(piece->range.start), m_scene.layout.body.left());
    const double x1 = std::min(m_scene.scale.x(piece->range.end), m_scene.layout.body.right());
    if (x1 - x0 >= least) visit(piece->cause, x0, x1);
  }
}

void RowPainter::paintPatterns(RowSurface& surface, const RowBox& box) const {
  const QRect bars = barsOf(box);
  eachCause(box, kNarrowestPattern, [&](Cause cause, double x0, double x1) {
    const int left = static_cast<int>(std::lround(x0)), right = static_cast<int>(std::lround(x1));
    paintPattern(surface, QRect(left, bars.top(), right - left, bars.height()), patternOf(cause),
                 m_scene.palette.idle_background.rgb(), m_scene.palette.idle_hatch.rgb());
  });
}

/// Why the lane is idle, where the words have room.
void RowPainter::paintCauses(RowSurface& surface, const RowBox& box) const {
  const QRect bars = barsOf(box);
  if (bars.height() < kPlateHeight || !m_scene.showsLine(QRectF(bars).center().y())) return;
  eachCause(box, kNarrowestCause, [&](Cause cause, double x0, double x1) {
    surface.label({LabelKey::ofCause(cause, m_scene.palette.muted_text.rgb()),
                   QRectF(x0, bars.top(), x1 - x0, bars.height()), 2.0 * look::kGrid,
                   m_scene.palette.idle_background.rgb()});
  });
}

}  // namespace lanelab
