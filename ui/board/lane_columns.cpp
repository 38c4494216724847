// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/lane_columns.h"

#include <QContextMenuEvent>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStringList>
#include <QToolTip>
#include <algorithm>

#include "ui/board/board_facts.h"
#include "ui/help/glossary.h"
#include "ui/look/name_field.h"
#include "ui/look/theme.h"

namespace lanelab {

LaneHeader::LaneHeader(QWidget* parent) : QAbstractButton(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
}

void LaneHeader::show(const Look& look) {
  setVisible(true);
  if (look == m_look && !accessibleName().isEmpty()) return;
  m_look = look;
  setObjectName(QStringLiteral("laneHeader%1").arg(look.lane));
  setAccessibleName(look.spoken);
  setToolTip(tr("%1\nDouble-click or press F2 to rename; Space or the arrow opens the menu").arg(look.spoken));
  update();
}

void LaneHeader::startRename(const QString& name) {
  if (!m_editor) {
    m_editor = new QLineEdit(this);
    m_editor->setObjectName("laneNameEditor");
    m_editor->setAccessibleName(tr("Name of lane %1").arg(m_look.lane));
    look::makeNameField(*m_editor);
    m_editor->installEventFilter(this);
    connect(m_editor, &QLineEdit::editingFinished, this, [this] { endRename(true); });
  }
  m_editor->setGeometry(0, (height() - m_editor->sizeHint().height()) / 2, width() - look::kGrid,
                        m_editor->sizeHint().height());
  m_editor->setText(name);
  m_name = m_editor->text();
  m_editor->selectAll();
  m_editor->show();
  m_editor->setFocus();
}

QSize LaneHeader::sizeHint() const { return {33 * look::kGrid, 12 * look::kGrid}; }

void LaneHeader::endRename(bool keep) {
  if (!m_editor || m_editor->isHidden()) return;
  const QString name = m_editor->text().trimmed();
  m_editor->hide();
  setFocus();
  if (keep && m_editor->text() != m_name) Q_EMIT renamed(name);
}

bool LaneHeader::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_editor && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool keep = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (keep || key == Qt::Key_Escape) {
      endRename(keep);
      return true;  // the header underneath would take Return as a wish for its menu
    }
  }
  return QAbstractButton::eventFilter(watched, event);
}

QRectF LaneHeader::arrowArea() const { return QRectF(width() - 6 * look::kGrid, 0, 5 * look::kGrid, height()); }

void LaneHeader::paintEvent(QPaintEvent*) {
  const look::Palette& palette = look::current();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF area = QRectF(rect()).adjusted(0.5, 0.5, -0.5 - look::kGrid, -0.5);
  if (m_look.selected) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette.accent);
    painter.drawRoundedRect(QRectF(0, 2, 3, height() - 4), 1.5, 1.5);
  }
  if (hasFocus()) {
    painter.setPen(palette.focusRing());
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(area, 4, 4);
  }
  const QFont bold = look::bold(look::textFont());
  const QFontMetricsF title_metrics(bold);
  const QFontMetricsF device_metrics(look::smallFont());
  const QRectF text = area.adjusted(2 * look::kGrid, 0, -6 * look::kGrid, 0);
  const qreal top = text.center().y() - (title_metrics.height() + device_metrics.height()) / 2;
  painter.setPen(palette.text);
  painter.setFont(bold);
  painter.drawText(QRectF(text.left(), top, text.width(), title_metrics.height()), Qt::AlignVCenter | Qt::AlignLeft,
                   title_metrics.elidedText(m_look.title, Qt::ElideRight, text.width()));
  painter.setPen(m_look.missing ? palette.error : palette.muted_text);
  painter.setFont(look::smallFont());
  painter.drawText(QRectF(text.left(), top + title_metrics.height(), text.width(), device_metrics.height()),
                   Qt::AlignVCenter | Qt::AlignLeft,
                   device_metrics.elidedText(m_look.device, Qt::ElideRight, text.width()));
  const QPointF centre = arrowArea().center();
  QPainterPath arrow(centre + QPointF(-4, -2));
  arrow.lineTo(centre + QPointF(0, 2));
  arrow.lineTo(centre + QPointF(4, -2));
  painter.setPen(QPen(palette.muted_text, 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(arrow);
}

void LaneHeader::focusInEvent(QFocusEvent* event) {
  QAbstractButton::focusInEvent(event);
  Q_EMIT picked();
}

void LaneHeader::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter: Q_EMIT menuWanted(mapToGlobal(QPoint(0, height()))); return;
    case Qt::Key_F2: Q_EMIT renameWanted(); return;
    default: QAbstractButton::keyPressEvent(event);
  }
}

void LaneHeader::mousePressEvent(QMouseEvent* event) {
  setFocus();
  Q_EMIT picked();
  if (event->button() == Qt::LeftButton && arrowArea().contains(event->position()))
    Q_EMIT menuWanted(mapToGlobal(QPoint(0, height())));
}

void LaneHeader::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) Q_EMIT renameWanted();
}

void LaneHeader::contextMenuEvent(QContextMenuEvent* event) {
  Q_EMIT picked();
  Q_EMIT menuWanted(event->globalPos());
}

void LaneShares::show(const std::vector<BoardGeometry::Row>& rows, qreal scrolled, ChipCost cost) {
  m_rows = rows;
  m_scrolled = scrolled;
  m_cost = cost;
  describe();
  update();
}

void LaneShares::showMemory(const std::vector<LaneMemory>& lanes, const QStringList& titles) {
  m_memory = lanes;
  m_titles = titles;
}

void LaneShares::describe() {
  QStringList words, spoken;
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    words << tr("lane %1: %2").arg(m_rows[i].lane.value).arg(costShareText(m_rows[i].share));
    spoken << words.last();
    if (i >= m_memory.size()) continue;
    spoken.last() += tr(", %1 of memory").arg(memoryWords(m_memory[i])) + excessWords(m_memory[i]);
  }
  const QString cost = costName(m_cost);
  setAccessibleName(m_memory.empty() ? tr("Share of %1").arg(cost) : tr("Share of %1 and peak memory").arg(cost));
  setAccessibleDescription(spoken.join(", "));
  QStringList tip{tr("Share of all %1\n%2").arg(cost, words.join("\n")), termTip(cost)};
  tip.removeAll(QString());
  setToolTip(tip.join('\n'));
}

// Over a lane's lower half the tip is of its memory.
bool LaneShares::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (std::size_t i = 0; i < m_rows.size() && i < m_memory.size(); ++i) {
    const QRectF band = m_rows[i].band.translated(0, -m_scrolled);
    if (help->pos().y() < band.center().y() || help->pos().y() > band.bottom()) continue;
    const QString tip = memoryTip(m_titles.value(static_cast<int>(i)), m_memory[i], wholeBar(m_memory));
    QToolTip::showText(help->globalPos(), tip, this);
    return true;
  }
  return QWidget::event(event);
}

namespace {

constexpr qreal kNarrowestBar = 5 * look::kGrid;

/// What the upper bar of a lane stands for.
QString shareLabel(ChipCost cost) {
  switch (cost) {
    case ChipCost::Macs: return LaneShares::tr("MACs");
    case ChipCost::Parameters: return LaneShares::tr("Params");
    case ChipCost::Memory: return LaneShares::tr("Share");
  }
  return {};
}

QString memoryLabel() { return LaneShares::tr("Memory"); }

qreal labelWidth() {
  const QFontMetricsF metrics(look::smallFont());
  qreal widest = metrics.horizontalAdvance(memoryLabel());
  for (const ChipCost cost : {ChipCost::Macs, ChipCost::Parameters, ChipCost::Memory})
    widest = std::max(widest, metrics.horizontalAdvance(shareLabel(cost)));
  return widest;
}

QRectF labelOf(const QRectF& line) { return {line.left() + 2 * look::kGrid, line.top(), labelWidth(), line.height()}; }

/// Where a line's number ends and its bar is, the same in all lines.
qreal numberWidth() { return QFontMetricsF(look::smallFont()).horizontalAdvance("1023 MiB"); }

QRectF numberOf(const QRectF& line) {
  return {labelOf(line).right() + look::kGrid, line.top(), numberWidth(), line.height()};
}

QRectF trackOf(const QRectF& line, qreal right) {
  const qreal left = numberOf(line).right() + 2 * look::kGrid;
  return {left, line.center().y() - 3, right - left, 6};
}

}  // namespace

void LaneShares::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    const QRectF band = m_rows[i].band.translated(0, -m_scrolled);
    const bool memory = i < m_memory.size();
    const qreal height = memory ? std::min<qreal>(band.height() / 2, 5 * look::kGrid) : band.height();
    const qreal top = memory ? band.center().y() - height : band.top();
    paintShare(painter, m_rows[i], QRectF(band.left(), top, width(), height));
    if (memory) paintMemory(painter, i, QRectF(band.left(), band.center().y(), width(), height));
  }
}

void LaneShares::paintShare(QPainter& painter, const BoardGeometry::Row& row, const QRectF& line) const {
  const look::Palette& palette = look::current();
  painter.setFont(look::smallFont());
  painter.setPen(palette.muted_text);
  painter.drawText(labelOf(line), Qt::AlignLeft | Qt::AlignVCenter, shareLabel(m_cost));
  painter.setPen(row.blocks > 0 ? palette.text : palette.muted_text);
  painter.drawText(numberOf(line), Qt::AlignRight | Qt::AlignVCenter, costShareText(row.share));
  const QRectF track = trackOf(line, width() - 2 * look::kGrid);
  if (track.width() < kNarrowestBar) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette.grid);
  painter.drawRoundedRect(track, 3, 3);
  painter.setBrush(palette.accent);
  if (row.share > 0)
    painter.drawRoundedRect(
        QRectF(track.left(), track.top(), std::max<qreal>(3, track.width() * row.share), track.height()), 3, 3);
}

void LaneShares::paintMemory(QPainter& painter, std::size_t row, const QRectF& line) const {
  const look::Palette& palette = look::current();
  const LaneMemory& lane = m_memory[row];
  if (lane.forecast.at_peak.total() == 0) return;
  painter.setFont(look::smallFont());
  painter.setPen(palette.muted_text);
  painter.drawText(labelOf(line), Qt::AlignLeft | Qt::AlignVCenter, memoryLabel());
  painter.setPen(lane.fits() ? palette.text : palette.error);
  painter.drawText(numberOf(line), Qt::AlignRight | Qt::AlignVCenter, memoryWords(lane));
  const QRectF track = trackOf(line, width() - 2 * look::kGrid);
  if (track.width() >= kNarrowestBar) paintMemoryBar(painter, track, lane, wholeBar(m_memory));
}

}  // namespace lanelab
