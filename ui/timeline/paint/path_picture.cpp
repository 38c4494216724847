// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/path_picture.h"
#include "ui/look/plain_text.h"

#include <QFontMetricsF>
#include <algorithm>

namespace lanelab {
namespace {

constexpr double kTitle = 6 * look::kGrid;
constexpr double kRow = 6 * look::kGrid;
constexpr double kBetween = 3 * look::kGrid;
constexpr double kPale = 0.72;  ///< of what the step does not hang on, from its colour to the surface
constexpr double kLeastLabel = 14;

class StepPainter {
 public:
  StepPainter(QPainter& painter, const QRectF& area, const PathStep& step, Nanoseconds longest, double names,
              const look::Palette& palette)
      : m_painter(painter),
        m_step(step),
        m_palette(palette),
        m_top(area.top()),
        m_left(area.left() + names),
        m_right(area.right()),
        m_name_left(area.left()) {
    m_scale = longest > 0 ? (m_right - m_left) / static_cast<double>(longest) : 0;
    for (const bool used : lanesInUse(*step.trace)) m_rows.push_back(used ? m_count++ : -1);
  }

  void paint() const {
    m_painter.setPen(m_palette.text);
    m_painter.setFont(look::textFont());
    m_painter.drawText(QRectF(m_name_left, m_top, m_right - m_name_left, kTitle), Qt::AlignLeft | Qt::AlignVCenter,
                       m_step.title);
    for (std::size_t lane = 0; lane < m_rows.size(); ++lane)
      if (m_rows[lane] >= 0) paintLane(static_cast<int>(lane));
    for (const Track& track : m_step.trace->tracks) {
      if (m_step.trace->laneAt(track.lane) == nullptr) continue;
      for (const Span& span : track.spans)
        if (span.category == Category::Action && span.step == m_step.path.step) paintAction(span, track.lane);
    }
    for (const PathLink& link : m_step.path.links)
      if (link.kind != PathLink::Kind::Action) paintWait(link);
    paintHandovers();
  }

 private:
  QRectF rowOf(int lane) const {
    const int row = m_rows[static_cast<std::size_t>(lane)];
    return {m_left, m_top + kTitle + kRow * row, m_right - m_left, kRow - look::kGrid / 2.0};
  }
  double xOf(Nanoseconds time) const { return m_left + static_cast<double>(time - m_step.path.window.start) * m_scale; }
  QRectF boxOf(TimeRange range, int lane) const {
    const QRectF row = rowOf(lane);
    return {xOf(range.start), row.top(), std::max(1.0, xOf(range.end) - xOf(range.start)), row.height()};
  }

  void paintLane(int lane) const {
    const LaneInfo& info = m_step.trace->lanes[static_cast<std::size_t>(lane)];
    const QRectF row = rowOf(lane);
    m_painter.setPen(m_palette.muted_text);
    m_painter.setFont(look::smallFont());
    m_painter.drawText(QRectF(m_name_left, row.top(), m_left - m_name_left - look::kGrid, row.height()),
                       Qt::AlignLeft | Qt::AlignVCenter, look::briefName(info.name.empty() ? info.device : info.name));
    m_painter.fillRect(QRectF(row.left(), row.top(), xOf(m_step.path.window.end) - row.left(), row.height()),
                       m_palette.idle_background);
  }

  /// The links are in order of time and without holes.
  const PathLink* linkAt(Nanoseconds time) const {
    const auto& links = m_step.path.links;
    const auto after = std::upper_bound(links.begin(), links.end(), time,
                                        [](Nanoseconds t, const PathLink& link) { return t < link.range.start; });
    return after == links.begin() ? nullptr : &*(after - 1);
  }

  bool onPath(const Span& span, int lane) const {
    const PathLink* const link = linkAt(span.start + span.range().length() / 2);
    return link != nullptr && link->kind == PathLink::Kind::Action && link->lane == lane && span.range().length() > 0;
  }

  void paintAction(const Span& span, int lane) const {
    const QRectF box = boxOf(span.range(), lane);
    const bool marked = onPath(span, lane);
    const bool hollow = !marked && m_palette.high_contrast;  // pale would not be seen
    const QColor color = m_palette.phase(span.phase);
    const QColor fill = marked ? color : hollow ? m_palette.surface : m_palette.pale(color, kPale);
    m_painter.fillRect(box, fill);
    if (box.width() > 3) {
      m_painter.setPen(QPen(marked ? m_palette.outline : hollow ? color : m_palette.surface, 1));
      m_painter.setBrush(Qt::NoBrush);
      m_painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    paintLabel(span, box, fill);
  }

  void paintLabel(const Span& span, const QRectF& box, const QColor& fill) const {
    if (box.width() < kLeastLabel) return;
    m_painter.setFont(look::smallFont());
    const QString text = look::shownName(m_step.trace->nameOf(span)).mid(QString::number(span.stage).size());
    if (QFontMetricsF(m_painter.font()).horizontalAdvance(text) + look::kGrid > box.width()) return;
    m_painter.setPen(look::inkOn(fill));
    m_painter.drawText(box, Qt::AlignCenter, text);
  }

  void paintWait(const PathLink& link) const {
    const QRectF box = boxOf(link.range, link.lane);
    const bool transfer = link.kind != PathLink::Kind::Wait;
    const double height = transfer ? box.height() / 3 : box.height() / 6;
    m_painter.fillRect(QRectF(box.left(), box.center().y() - height / 2, box.width(), height),
                       transfer ? m_palette.transfer : m_palette.warning);
  }

  /// Where the path goes from lane to lane.
  void paintHandovers() const {
    m_painter.setPen(QPen(m_palette.text, 1.5));
    const auto& links = m_step.path.links;
    for (std::size_t i = 1; i < links.size(); ++i) {
      if (links[i].lane == links[i - 1].lane) continue;
      const double x = xOf(links[i].range.start);
      m_painter.drawLine(QPointF(x, rowOf(links[i - 1].lane).center().y()),
                         QPointF(x, rowOf(links[i].lane).center().y()));
    }
  }

  QPainter& m_painter;
  const PathStep& m_step;
  const look::Palette& m_palette;
  double m_top;
  double m_left;
  double m_right;
  double m_name_left;
  double m_scale = 0;
  std::vector<int> m_rows;  ///< of each lane; -1 for one that takes no part
  int m_count = 0;
};

double heightOf(const PathStep& step) {
  const std::vector<bool> used = step.trace ? lanesInUse(*step.trace) : std::vector<bool>();
  return kTitle + kRow * static_cast<double>(std::ranges::count(used, true)) + kBetween;
}

double nameWidth(const std::vector<PathStep>& steps) {
  const QFontMetricsF metrics(look::smallFont());
  double width = 0;
  for (const PathStep& step : steps)
    for (const LaneInfo& lane : step.trace->lanes)
      width = std::max(width, metrics.horizontalAdvance(look::briefName(lane.name.empty() ? lane.device : lane.name)));
  return width + 3 * look::kGrid;
}

}  // namespace

PathStep pathStep(QString title, std::shared_ptr<const Trace> trace) {
  PathStep step{std::move(title), std::move(trace), {}};
  std::vector<CriticalPath> paths = criticalPaths(*step.trace);
  if (!paths.empty()) step.path = std::move(paths.back());
  return step;
}

double heightOf(const std::vector<PathStep>& steps) {
  double height = 0;
  for (const PathStep& step : steps) height += heightOf(step);
  return height;
}

void paintPaths(QPainter& painter, const QRectF& area, const std::vector<PathStep>& steps,
                const look::Palette& palette) {
  Nanoseconds longest = 0;
  for (const PathStep& step : steps) longest = std::max(longest, step.path.window.length());
  const double names = nameWidth(steps);
  QRectF rest = area;
  for (const PathStep& step : steps) {
    StepPainter(painter, rest, step, longest, names, palette).paint();
    rest.setTop(rest.top() + heightOf(step));
  }
}

}  // namespace lanelab
