// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_view.h"

#include <QFontMetricsF>
#include <QGraphicsScene>
#include <QPainter>
#include <QResizeEvent>
#include <QRubberBand>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "engine/experiment/experiment_edits.h"
#include "engine/experiment/replica_edits.h"
#include "ui/board/board_items.h"
#include "ui/board/lane_columns.h"
#include "ui/look/plain_text.h"
#include "ui/look/quantity_text.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr int kHeaderWidth = 29 * look::kGrid;
constexpr int kSharesWidth = 38 * look::kGrid;

}  // namespace

BoardView::BoardView(ExperimentDocument* document, std::vector<DeviceInfo> devices, QWidget* parent)
    : QGraphicsView(parent),
      m_document(document),
      m_devices(std::move(devices)),
      m_ghost(new GhostItem),
      m_band(nullptr),
      m_header_column(new QWidget(this)),
      m_shares(new LaneShares(this)) {
  setObjectName("board");
  setAccessibleName(tr("Lane board"));
  setScene(new QGraphicsScene(this));
  scene()->setItemIndexMethod(QGraphicsScene::NoIndex);
  scene()->addItem(m_ghost);
  setFrameShape(QFrame::NoFrame);
  setAlignment(Qt::AlignLeft | Qt::AlignTop);
  setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
  setFocusPolicy(Qt::StrongFocus);
  setViewportMargins(kHeaderWidth, 0, kSharesWidth, 0);
  viewport()->setMouseTracking(true);
  m_header_column->setObjectName("laneHeaders");
  m_shares->setObjectName("laneShares");
  m_band = new QRubberBand(QRubberBand::Rectangle, viewport());
  connect(document, &ExperimentDocument::changed, this, [this] {
    if (m_gesture.kind != Gesture::Kind::None) endGesture();
    refresh();
  });
  connect(document, &ExperimentDocument::activeVariantChanged, this, &BoardView::refresh);
  refresh();
}

BoardView::~BoardView() = default;

QSize BoardView::sizeHint() const { return {225 * look::kGrid, 55 * look::kGrid}; }
QSize BoardView::minimumSizeHint() const { return {kHeaderWidth + kSharesWidth + 40 * look::kGrid, 28 * look::kGrid}; }

void BoardView::setWidthBy(WidthBy by) {
  m_by = by == WidthBy::Macs ? ChipCost::Macs : by == WidthBy::Parameters ? ChipCost::Parameters : ChipCost::Memory;
  refresh();
}

void BoardView::setReadOnly(bool read_only) {
  if (read_only && m_gesture.kind != Gesture::Kind::None) endGesture();
  m_read_only = read_only;
  viewport()->unsetCursor();
}

std::vector<BlockId> BoardView::selectedBlocks() const {
  std::vector<BlockId> blocks;
  for (const int block : m_selected) blocks.emplace_back(block);
  return blocks;
}

int BoardView::samples() const {
  const ResolvedVariant* const variant = m_document->active();
  return variant == nullptr ? std::max(1, m_document->experiment().data.batch) : variant->splitSize();
}

BoardSizes BoardView::sizes() const {
  BoardSizes sizes;
  const QFontMetricsF metrics(look::smallFont());
  sizes.label_width = 0;
  for (const BlockSpec& block : m_document->model().blocks) {
    const QString name = shortBlockName(look::shownName(block.name));
    sizes.minimum_chips.push_back(std::ceil(metrics.horizontalAdvance(name)) + 2 * look::kGrid);
    const QString label = bytesText(block.output_bytes * samples());
    sizes.label_width = std::max(sizes.label_width, std::ceil(metrics.horizontalAdvance(label)) + 4 * look::kGrid);
  }
  return sizes;
}

std::vector<int> BoardView::repeated_lanes() const {
  const ResolvedVariant* const variant = m_document->active();
  return variant == nullptr ? std::vector<int>() : variant->repeatedLanes();
}

/// By lane; -1 where the variant has no replicas or does not use the lane.
std::vector<int> BoardView::replicas() const {
  std::vector<int> replicas(m_document->experiment().lanes.size(), -1);
  const ResolvedVariant* const variant = m_document->active();
  if (variant == nullptr || !variant->replicated()) return replicas;
  for (std::size_t lane = 0; lane < replicas.size(); ++lane)
    replicas[lane] = replicaOfLane(variant->replicaLanes(), LaneId(lane));
  return replicas;
}

QString BoardView::costName() const {
  switch (m_by) {
    case ChipCost::Macs: return tr("MACs");
    case ChipCost::Parameters: return tr("parameters");
    case ChipCost::Memory: return tr("memory");
  }
  return {};
}

Placement BoardView::shownPlacement() const { return m_preview ? *m_preview : m_document->activePlacement(); }

void BoardView::refresh() {
  const int blocks = static_cast<int>(m_document->model().blocks.size());
  m_focus = std::clamp(m_focus, 0, std::max(0, blocks - 1));
  m_anchor = std::clamp(m_anchor, 0, std::max(0, blocks - 1));
  m_lane = std::clamp(m_lane, 0, std::max(0, laneCount() - 1));
  const auto chosen = m_selected.size();
  std::erase_if(m_selected, [blocks](int block) { return block >= blocks; });
  refreshItems();
  refreshLanes();
  if (m_selected.size() != chosen) Q_EMIT selectionChanged();
}

void BoardView::refreshItems() {
  const ModelSpec& model = m_document->model();
  const Placement placement = shownPlacement();
  const int lanes = std::max(1, laneCount());
  m_geometry =
      layoutBoard({model, placement, lanes, m_by, samples(), QSizeF(viewport()->size()), sizes(), repeated_lanes()});
  setSceneRect(QRectF(QPointF(0, 0), m_geometry.size));
  while (m_chips.size() > m_geometry.chips.size()) {
    delete m_chips.back();
    m_chips.pop_back();
  }
  while (m_chips.size() < m_geometry.chips.size()) {
    m_chips.push_back(new ChipItem);
    scene()->addItem(m_chips.back());
  }
  const Placement before = m_document->activePlacement();
  for (std::size_t i = 0; i < m_chips.size(); ++i) {
    const BoardGeometry::Chip& chip = m_geometry.chips[i];
    const BlockSpec& block = model.blocks[i];
    const int number = static_cast<int>(i);
    const bool moved = m_preview && before.lane_of_block[i] != chip.lane;
    m_chips[i]->show(chip.rect,
                     {look::shownName(block.name), QString::fromStdString(block.group), chip.share,
                      m_selected.contains(number), hasFocus() && m_focus == number, moved},
                     chipTip(block, chip.share));
  }
  qDeleteAll(m_cuts);
  m_cuts.clear();
  for (const BoardGeometry::Cut& cut : m_geometry.cuts) {
    m_cuts.push_back(new CutItem(cut, m_gesture.kind == Gesture::Kind::Cut && m_gesture.lane == cut.to));
    scene()->addItem(m_cuts.back());
  }
  viewport()->update();
}

QString BoardView::chipTip(const BlockSpec& block, double share) const {
  return tr("%1 (%2)\n%3 parameters, %4 MACs a sample\n%5 % of all %6, output %7")
      .arg(look::shownName(block.name), QString::fromStdString(block.type),
           QString::fromStdString(formatCount(static_cast<double>(block.parameters))),
           QString::fromStdString(formatCount(static_cast<double>(block.macs))),
           QString::fromStdString(formatNumber(share * 100, 2)), costName(),
           QString::fromStdString(formatShape(block.output)));
}

void BoardView::refreshLanes() {
  const std::vector<LaneConfig>& lanes = m_document->experiment().lanes;
  while (m_headers.size() > lanes.size()) {
    m_headers.back()->hide();
    m_headers.back()->deleteLater();
    m_headers.pop_back();
  }
  while (m_headers.size() < lanes.size()) {
    auto* header = new LaneHeader(m_header_column);
    const int lane = static_cast<int>(m_headers.size());
    m_headers.push_back(header);
    connect(header, &LaneHeader::picked, this, [this, lane] { pickLane(lane); });
    connect(header, &LaneHeader::menuWanted, this, [this, lane](const QPoint& at) { showLaneMenu(lane, at); });
    connect(header, &LaneHeader::renameWanted, this, [this, lane] {
      pickLane(lane);
      renameSelectedLane();
    });
    connect(header, &LaneHeader::renamed, this, [this, lane](const QString& name) { renameLane(lane, name); });
  }
  const std::vector<int> replica_of = replicas();
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const LaneConfig& lane = lanes[i];
    const bool missing = !hasDevice(lane.device);
    const QString device = look::shownName(toString(lane.device));
    QString second = tr("lane %1").arg(i);
    if (!lane.name.empty()) second = device;
    const QString replica = replica_of[i] >= 0 ? tr("replica %1").arg(replica_of[i]) : QString();
    if (!replica.isEmpty()) second = replica;
    if (lane.threads > 1) second = tr("%1, %2 threads").arg(second).arg(lane.threads);
    if (missing) second = tr("not found here");
    const BoardGeometry::Row& row = m_geometry.rows[i];
    const QString place = missing ? tr("%1, which is not on this machine").arg(device) : device;
    const QString spoken = tr("Lane %1, %2, %3: %4 blocks, %5 % of all %6")
                               .arg(QString::number(i), look::shownName(lane.title()),
                                    replica.isEmpty() ? place : tr("%1, %2").arg(place, replica),
                                    QString::number(row.blocks), QString::number(qRound(row.share * 100)), costName());
    m_headers[i]->show({static_cast<int>(i), look::shownName(lane.title()), second, missing,
                        m_lane == static_cast<int>(i) && lanes.size() > 1, spoken});
  }
  refreshMemory();
  placeLaneColumns();
}

/// Of the active variant, as it is drawn now.
void BoardView::refreshMemory() {
  const Experiment& experiment = m_document->experiment();
  QStringList titles;
  for (const LaneConfig& lane : experiment.lanes) titles << look::shownName(lane.title());
  m_shares->showMemory(shownMemory(), titles);
}

/// As if the blocks were dropped where they are shown.
std::vector<LaneMemory> BoardView::previewedMemory() const {
  VariantConfig variant = m_document->active()->config();
  writePlacement(m_document->experiment(), m_document->model(), *m_preview, variant);
  return laneMemory(m_document->resolution()->with(variant)->variants().front(), m_devices);
}

std::vector<LaneMemory> BoardView::shownMemory() const {
  if (!m_document->activePlan()) return {};
  std::vector<LaneMemory> lanes = m_preview ? previewedMemory() : laneMemory(*m_document->active(), m_devices);
  const VariantRecord* const measured = measuredVariant();
  for (std::size_t i = 0; measured && i < lanes.size() && i < measured->lanes.size(); ++i)
    lanes[i].measured = measured->lanes[i].peak_bytes;
  return lanes;
}

const VariantRecord* BoardView::measuredVariant() const {
  const Experiment& experiment = m_document->experiment();
  if (!m_run || m_preview || m_run->experiment != experiment) return nullptr;
  return m_run->find(experiment.variants[static_cast<std::size_t>(m_document->activeVariant())].name);
}

void BoardView::showRun(std::shared_ptr<const RunRecord> run) {
  m_run = std::move(run);
  refreshLanes();
}

void BoardView::placeLaneColumns() {
  const QRect view = viewport()->geometry();
  const int scrolled = verticalScrollBar()->value();
  m_header_column->setGeometry(0, view.top(), kHeaderWidth, view.height());
  for (std::size_t i = 0; i < m_headers.size() && i < m_geometry.rows.size(); ++i) {
    const QRectF band = m_geometry.rows[i].band;
    m_headers[i]->setGeometry(look::kGrid, qRound(band.top()) - scrolled, kHeaderWidth - look::kGrid,
                              qRound(band.height()));
  }
  m_shares->setGeometry(view.right() + 1, view.top(), kSharesWidth, view.height());
  m_shares->show(m_document->experiment().lanes.empty() ? std::vector<BoardGeometry::Row>{} : m_geometry.rows, scrolled,
                 costName());
}

void BoardView::resizeEvent(QResizeEvent* event) {
  QGraphicsView::resizeEvent(event);
  refresh();
}

void BoardView::scrollContentsBy(int dx, int dy) {
  QGraphicsView::scrollContentsBy(dx, dy);
  placeLaneColumns();
}

void BoardView::changeEvent(QEvent* event) {
  QGraphicsView::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) refresh();
}

void BoardView::drawBackground(QPainter* painter, const QRectF& rect) {
  const look::Palette& palette = look::current();
  painter->fillRect(rect, palette.surface);
  painter->setRenderHint(QPainter::Antialiasing);
  const bool dragging = m_gesture.kind == Gesture::Kind::Chips || m_gesture.kind == Gesture::Kind::Carried;
  const qreal left = mapToScene(0, 0).x();
  for (const BoardGeometry::Row& row : m_geometry.rows) {
    const bool target = dragging && row.lane == m_gesture.lane;
    QColor fill = palette.grid;
    fill.setAlphaF(0.45F);
    if (target) {
      fill = palette.accent;
      fill.setAlphaF(0.16F);
    }
    painter->setPen(target ? QPen(palette.accent, 1) : QPen(Qt::NoPen));
    painter->setBrush(fill);
    painter->drawRoundedRect(row.band.adjusted(0.5, -3.5, -0.5, 3.5), 4, 4);
    drawCopies(painter, row);
    if (row.blocks > 0) continue;
    painter->setPen(palette.muted_text);
    painter->setFont(look::smallFont());
    const QRectF words(left, row.band.top(), viewport()->width(), row.band.height());
    painter->drawText(
        words, Qt::AlignCenter,
        m_read_only ? tr("no blocks") : tr("Drag blocks here, or choose some and press %1").arg(row.lane.value));
  }
}

/// What another replica repeats: outlines of the chips, which move with those of the first one.
void BoardView::drawCopies(QPainter* painter, const BoardGeometry::Row& row) const {
  if (row.copies.empty()) return;
  const look::Palette& palette = look::current();
  const BoardGeometry::Row& twin = m_geometry.rows[static_cast<std::size_t>(repeated_lanes()[row.lane.index()])];
  const ModelSpec& model = m_document->model();
  std::size_t copy = 0;
  for (const BoardGeometry::Chip& chip : m_geometry.chips) {
    if (chip.lane != twin.lane || copy >= row.copies.size()) continue;
    const QRectF rect = row.copies[copy++].adjusted(0.5, 0.5, -0.5, -0.5);
    painter->setPen(QPen(look::mix(palette.muted_text, palette.surface, 0.3), 1, Qt::DashLine));
    painter->setBrush(look::mix(palette.group(QString::fromStdString(model.blocks[chip.block.index()].group)),
                                palette.surface, 0.65));
    painter->drawRoundedRect(rect, 4, 4);
    painter->setPen(palette.muted_text);
    painter->setFont(look::smallFont());
    const QString name = shortBlockName(look::shownName(model.blocks[chip.block.index()].name));
    if (QFontMetricsF(look::smallFont()).horizontalAdvance(name) <= rect.width() - 4)
      painter->drawText(rect, Qt::AlignCenter, name);
  }
}

void BoardView::drawForeground(QPainter* painter, const QRectF&) {
  const Experiment& experiment = m_document->experiment();
  QString sentence;
  if (experiment.lanes.empty())
    sentence = tr("There is no lane yet. Add one from the menu of a right click here.");
  else if (experiment.variants.empty())
    sentence = tr("There is no variant to place yet. Add one in the experiment form.");
  if (sentence.isEmpty()) return;
  const QRectF area = mapToScene(viewport()->rect()).boundingRect();
  QColor veil = look::current().surface;
  veil.setAlphaF(0.85F);
  painter->fillRect(area, veil);
  painter->setPen(look::current().text);
  painter->setFont(look::textFont());
  painter->drawText(area, Qt::AlignCenter | Qt::TextWordWrap, sentence);
}

}  // namespace lanelab
