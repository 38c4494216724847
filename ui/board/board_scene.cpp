// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_scene.h"

#include <QFontMetricsF>
#include <QGraphicsItem>
#include <QPainter>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.h"
#include "ui/board/block_names.h"
#include "ui/board/board_facts.h"
#include "ui/board/board_view.h"
#include "ui/look/plain_text.h"
#include "ui/look/quantity_text.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

/// How names are written on chips: one form and one size for all, so that they read as one row.
struct NameStyle {
  const std::vector<QString>& names;
  QFont font;
};

/// The first style in which every name fits its chip; in the last those that do not are turned upright, and cut.
NameStyle styleFor(const std::vector<QString>& names, const std::vector<QString>& shortened,
                   const std::vector<qreal>& widths) {
  const NameStyle styles[] = {{names, look::textFont()}, {shortened, look::textFont()}, {shortened, look::smallFont()}};
  for (const NameStyle& style : styles) {
    const QFontMetricsF metrics(style.font);
    bool fits = true;
    for (std::size_t i = 0; fits && i < names.size(); ++i)
      fits = metrics.horizontalAdvance(style.names[i]) <= widths[i];
    if (fits) return style;
  }
  return styles[2];
}

constexpr qreal kNameInset = 2;  ///< at each side of a chip

/// Per micro-batch; of the batch while there is no variant.
int shownSamples(const BoardState& state) {
  const ResolvedVariant* const variant = state.document().active();
  return variant ? variant->splitSize() : std::max(1, state.experiment().data.batch);
}

/// Lane by lane, the lane that it repeats as a further replica; -1: none.
std::vector<int> shownRepeatedLanes(const BoardState& state) {
  const ResolvedVariant* const variant = state.document().active();
  return variant ? variant->repeatedLanes() : std::vector<int>{};
}

/// Replicas keep their number of stages, and while a run is in progress nothing moves.
bool hasGrips(const BoardState& state) {
  const ResolvedVariant* const variant = state.document().active();
  return variant && !variant->replicated() && !state.readOnly();
}

QString chipTip(const BlockSpec& block, double share, ChipCost by) {
  return BoardView::tr("%1 (%2)\nParameters: %3; MACs per sample: %4\n%5 % of all %6, output %7")
      .arg(look::shownName(block.name), QString::fromStdString(block.type),
           parametersText(block.parameters, block.frozen_parameters), countText(block.macs),
           QString::fromStdString(formatNumber(share * 100, 2)), costName(by),
           QString::fromStdString(formatShape(block.output)));
}

}  // namespace

class ChipItem : public QGraphicsItem {
 public:
  struct Look {
    QString name;  ///< as it is written
    QFont font;
    QString group;
    double share = 0;
    bool selected = false;
    bool focused = false;  ///< the keyboard is here
    bool moved = false;    ///< lies here only while dragging
  };

  ChipItem() { setZValue(1); }

  void show(const QRectF& rect, const Look& look, const QString& tip) {
    if (rect != m_rect) prepareGeometryChange();
    m_rect = rect;
    m_look = look;
    setToolTip(tip);
    setZValue(look.focused ? 1.5 : 1);
    update();
  }

  QRectF boundingRect() const override { return m_rect.adjusted(-3, -3, 3, 3); }

  void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override {
    const look::Palette& palette = look::current();
    const QColor fill = palette.group(m_look.group);
    painter->setRenderHint(QPainter::Antialiasing);
    const bool marked = m_look.selected || m_look.moved;
    const qreal edge = palette.high_contrast ? 2 : 1;
    QPen pen(marked ? palette.accent : palette.block_edge, marked ? 2 * edge : edge);
    if (m_look.moved) pen.setStyle(Qt::DashLine);
    painter->setPen(pen);
    painter->setBrush(fill);
    const qreal inset = pen.widthF() / 2;
    painter->drawRoundedRect(m_rect.adjusted(inset, inset, -inset, -inset), kChipRadius, kChipRadius);
    if (m_look.focused) {
      painter->setPen(palette.focusRing());
      painter->setBrush(Qt::NoBrush);
      painter->drawRoundedRect(m_rect.adjusted(-2, -2, 2, 2), kChipRadius + 2, kChipRadius + 2);
    }
    const QFontMetricsF name_metrics(look::textFont());
    const QFontMetricsF share_metrics(look::smallFont());
    const QString share = costShareText(m_look.share);
    const QRectF inside = m_rect.adjusted(kNameInset, 0, -kNameInset, 0);
    if (const QFontMetricsF own(m_look.font); own.horizontalAdvance(m_look.name) > inside.width())
      return paintUpright(*painter, own, look::inkOn(fill));
    const bool two_lines = m_rect.height() >= name_metrics.height() + share_metrics.height() + 2 &&
                           share_metrics.horizontalAdvance(share) <= inside.width();
    const qreal text_height = name_metrics.height() + (two_lines ? share_metrics.height() : 0);
    const qreal top = m_rect.center().y() - text_height / 2;
    QColor ink = look::inkOn(fill);
    painter->setPen(ink);
    painter->setFont(m_look.font);
    painter->drawText(QRectF(inside.left(), top, inside.width(), name_metrics.height()), Qt::AlignCenter,
                      QFontMetricsF(m_look.font).elidedText(m_look.name, Qt::ElideRight, inside.width()));
    if (!two_lines) return;
    if (!palette.high_contrast) ink.setAlphaF(0.75F);
    painter->setPen(ink);
    painter->setFont(look::smallFont());
    painter->drawText(QRectF(inside.left(), top + name_metrics.height(), inside.width(), share_metrics.height()),
                      Qt::AlignCenter, share);
  }

 private:
  /// Read from below. Of a name that is too long the number at its end tells it from others.
  QString uprightName(const QFontMetricsF& metrics, qreal length) const {
    if (metrics.horizontalAdvance(m_look.name) <= length) return m_look.name;
    static const QRegularExpression number_at_end(QStringLiteral("[._](\\d+)$"));
    const QString number = number_at_end.match(m_look.name).captured(1);
    return number.isEmpty() ? metrics.elidedText(m_look.name, Qt::ElideRight, length) : number;
  }

  void paintUpright(QPainter& painter, const QFontMetricsF& metrics, const QColor& ink) const {
    painter.save();
    painter.translate(m_rect.center());
    painter.rotate(-90);
    const qreal length = m_rect.height() - 2 * kNameInset;
    painter.setPen(ink);
    painter.setFont(m_look.font);
    painter.drawText(QRectF(-length / 2, -metrics.height() / 2, length, metrics.height()), Qt::AlignCenter,
                     uprightName(metrics, length));
    painter.restore();
  }

  QRectF m_rect;
  Look m_look;
};

class CutItem : public QGraphicsItem {
 public:
  CutItem(const BoardGeometry::Cut& cut, bool active) : m_cut(cut), m_active(active) {
    setZValue(active ? 3 : 2);
    setToolTip(QObject::tr("%1 per micro-batch from lane %2 to lane %3. Drag sideways to move the cut.")
                   .arg(bytesText(cut.bytes))
                   .arg(cut.from.value)
                   .arg(cut.to.value));
  }

  QRectF boundingRect() const override {
    const QRectF line = QRectF(m_cut.line.p1(), m_cut.line.p2()).normalized();
    return line.united(m_cut.handle).adjusted(-3, -3, 3, 3);
  }

  void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override {
    const look::Palette& palette = look::current();
    const QColor color = m_active ? palette.accent : palette.muted_text;
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(color, m_active ? 2 : 1.5));
    painter->drawLine(m_cut.line);
    painter->setPen(QPen(color, 1));
    painter->setBrush(palette.surface);
    const qreal radius = m_cut.handle.height() / 2;
    painter->drawRoundedRect(m_cut.handle, radius, radius);
    painter->setPen(palette.text);
    painter->setFont(look::smallFont());
    if (m_cut.labelled) {
      painter->drawText(m_cut.handle, Qt::AlignCenter, bytesText(m_cut.bytes));
    } else {
      const QPointF centre = m_cut.handle.center();
      for (const qreal x : {-2.0, 2.0}) painter->drawLine(centre + QPointF(x, -3), centre + QPointF(x, 3));
    }
  }

 private:
  BoardGeometry::Cut m_cut;
  bool m_active;
};

/// The handle of an empty lane.
class GripItem : public QGraphicsItem {
 public:
  GripItem(const QRectF& handle, bool active) : m_handle(handle), m_active(active) {
    setZValue(2);
    setToolTip(QObject::tr("Drag left to add a stage: the blocks after the cut move to this lane"));
  }

  QRectF boundingRect() const override { return m_handle.adjusted(-2, -2, 2, 2); }

  void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override {
    const look::Palette& palette = look::current();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(m_active ? palette.accent : palette.muted_text, m_active ? 2 : 1));
    painter->setBrush(palette.surface);
    painter->drawRoundedRect(m_handle.adjusted(1, 1, -1, -1), kChipRadius, kChipRadius);
    const QPointF centre = m_handle.center();
    painter->setPen(QPen(palette.text, 1.5));
    painter->drawPolyline(QPolygonF{{centre + QPointF(2, -4), centre + QPointF(-2, 0), centre + QPointF(2, 4)}});
  }

 private:
  QRectF m_handle;
  bool m_active;
};

BoardScene::BoardScene(const BoardState& state, QObject* owner) : m_state(state), m_scene(new QGraphicsScene(owner)) {
  m_scene->setItemIndexMethod(QGraphicsScene::NoIndex);
}

/// Names lie along their chips, and stand upright in narrower ones where the board has no room for all.
BoardSizes BoardScene::sizes(qreal width) const {
  BoardSizes sizes;
  const QFontMetricsF metrics(look::smallFont());
  const int samples = shownSamples(m_state);
  sizes.label_width = 0;
  for (const QString& name : m_short_names)
    sizes.minimum_chips.push_back(std::ceil(metrics.horizontalAdvance(name)) + 2 * kNameInset + 2);
  const qreal needed = std::accumulate(sizes.minimum_chips.begin(), sizes.minimum_chips.end(), 2 * sizes.margin);
  const qreal upright = std::ceil(metrics.height()) + 2;
  for (qreal& chip : sizes.minimum_chips)
    if (needed > width) chip = std::min(chip, upright);
  for (const BlockSpec& block : m_state.model().blocks) {
    const QString label = bytesText(block.output_bytes * samples);
    sizes.label_width = std::max(sizes.label_width, std::ceil(metrics.horizontalAdvance(label)) + 4 * look::kGrid);
  }
  return sizes;
}

void BoardScene::refresh(QSizeF view, bool focused, const DropTarget& target) {
  const Placement placement = m_state.placement();
  m_short_names = shortBlockNames(m_state.model());
  m_geometry =
      layoutBoard({m_state.model(), placement, std::max(1, m_state.lanes()), m_state.widthBy(), shownSamples(m_state),
                   view, sizes(view.width()), shownRepeatedLanes(m_state), hasGrips(m_state)});
  showChips(focused);
  showCuts(target);
  showGrips(target);
}

void BoardScene::showChips(bool focused) {
  while (m_chips.size() > m_geometry.chips.size()) {
    delete m_chips.back();
    m_chips.pop_back();
  }
  while (m_chips.size() < m_geometry.chips.size()) {
    m_chips.push_back(new ChipItem);
    m_scene->addItem(m_chips.back());
  }
  const Placement before = m_state.document().activePlacement();
  std::vector<QString> names;
  std::vector<qreal> widths;
  for (const BoardGeometry::Chip& chip : m_geometry.chips) {
    names.push_back(look::shownName(m_state.model().blocks[chip.block.index()].name));
    widths.push_back(chip.rect.width() - 2 * kNameInset);
  }
  const NameStyle style = styleFor(names, m_short_names, widths);
  for (std::size_t i = 0; i < m_chips.size(); ++i) {
    const BoardGeometry::Chip& chip = m_geometry.chips[i];
    const BlockSpec& block = m_state.model().blocks[i];
    const bool moved = m_state.previews() && before.lane_of_block[i] != chip.lane;
    m_chips[i]->show(
        chip.rect,
        {style.names[i], style.font, QString::fromStdString(block.group), chip.share,
         m_state.choice().contains(chip.block), focused && m_state.choice().focus() == chip.block.value, moved},
        chipTip(block, chip.share, m_state.widthBy()));
  }
}

void BoardScene::showCuts(const DropTarget& target) {
  qDeleteAll(m_cuts);
  m_cuts.clear();
  for (const BoardGeometry::Cut& cut : m_geometry.cuts) {
    m_cuts.push_back(new CutItem(cut, target.cut == cut.to));
    m_scene->addItem(m_cuts.back());
  }
}

void BoardScene::showGrips(const DropTarget& target) {
  qDeleteAll(m_grips);
  m_grips.clear();
  for (const BoardGeometry::Grip& grip : m_geometry.grips) {
    m_grips.push_back(new GripItem(grip.handle, target.row == grip.lane));
    m_scene->addItem(m_grips.back());
  }
}

void BoardScene::paintRows(QPainter& painter, const QRectF& exposed, const QRectF& seen,
                           const DropTarget& target) const {
  // Below the last lane there is nothing to see, so it is no canvas.
  painter.fillRect(exposed, look::current().window);
  painter.fillRect(QRectF(seen.left(), 0, seen.width(), m_geometry.size.height()).intersected(exposed),
                   look::current().surface);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const BoardGeometry::Row& row : m_geometry.rows) {
    paintRow(painter, row, target.row == row.lane);
    paintCopies(painter, row);
    if (row.blocks == 0) paintHint(painter, row, seen);
  }
}

void BoardScene::paintRow(QPainter& painter, const BoardGeometry::Row& row, bool target) const {
  const look::Palette& palette = look::current();
  QColor fill = target ? palette.accent : palette.grid;
  fill.setAlphaF(target ? 0.16F : 0.45F);
  painter.setPen(target ? QPen(palette.accent, 1) : palette.high_contrast ? QPen(palette.line, 1) : QPen(Qt::NoPen));
  painter.setBrush(fill);
  painter.drawRoundedRect(row.band.adjusted(0.5, -3.5, -0.5, 3.5), 4, 4);
}

void BoardScene::paintHint(QPainter& painter, const BoardGeometry::Row& row, const QRectF& seen) const {
  painter.setPen(look::current().muted_text);
  painter.setFont(look::smallFont());
  const QRectF words(seen.left(), row.band.top(), seen.width(), row.band.height());
  painter.drawText(
      words, Qt::AlignCenter,
      m_state.readOnly()
          ? BoardView::tr("No blocks")
          : BoardView::tr("Drag blocks or the handle here, or select blocks and press %1").arg(row.lane.value));
}

/// What another replica repeats: outlines of the chips, which move with those of the first one.
void BoardScene::paintCopies(QPainter& painter, const BoardGeometry::Row& row) const {
  if (row.copies.empty()) return;
  const auto first = static_cast<std::size_t>(shownRepeatedLanes(m_state)[row.lane.index()]);
  const LaneId repeated = m_geometry.rows[first].lane;
  std::size_t copy = 0;
  for (const BoardGeometry::Chip& chip : m_geometry.chips) {
    if (chip.lane != repeated || copy >= row.copies.size()) continue;
    const std::size_t block = chip.block.index();
    paintCopy(painter, m_state.model().blocks[block], m_short_names[block], row.copies[copy++]);
  }
}

void BoardScene::paintCopy(QPainter& painter, const BlockSpec& block, const QString& name, const QRectF& place) const {
  const look::Palette& palette = look::current();
  const QRectF rect = place.adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setPen(QPen(palette.pale(palette.muted_text, 0.3), 1, Qt::DashLine));
  painter.setBrush(look::mix(palette.group(QString::fromStdString(block.group)), palette.surface, 0.65));
  painter.drawRoundedRect(rect, 4, 4);
  painter.setPen(palette.muted_text);
  painter.setFont(look::smallFont());
  if (QFontMetricsF(look::smallFont()).horizontalAdvance(name) <= rect.width() - 4)
    painter.drawText(rect, Qt::AlignCenter, name);
}

void BoardScene::paintMissing(QPainter& painter, const QRectF& seen) const {
  QString sentence;
  if (m_state.experiment().lanes.empty())
    sentence = BoardView::tr("No lanes. Right-click here and choose Add Lane.");
  else if (m_state.experiment().variants.empty())
    sentence = BoardView::tr("No variants to place. Add one in the experiment form.");
  if (sentence.isEmpty()) return;
  QColor veil = look::current().surface;
  veil.setAlphaF(0.85F);
  painter.fillRect(seen, veil);
  painter.setPen(look::current().text);
  painter.setFont(look::textFont());
  painter.drawText(seen, Qt::AlignCenter | Qt::TextWordWrap, sentence);
}

}  // namespace lanelab
