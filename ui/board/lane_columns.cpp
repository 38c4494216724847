#include "ui/board/lane_columns.h"

#include <QContextMenuEvent>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStringList>
#include <algorithm>

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
  setToolTip(tr("%1\nDouble click or F2 renames; Space or the arrow opens the menu").arg(look.spoken));
  update();
}

void LaneHeader::startRename(const QString& name) {
  if (!m_editor) {
    m_editor = new QLineEdit(this);
    m_editor->setObjectName("laneNameEditor");
    m_editor->setAccessibleName(tr("Name of lane %1").arg(m_look.lane));
    m_editor->installEventFilter(this);
    connect(m_editor, &QLineEdit::editingFinished, this, [this] { endRename(true); });
  }
  m_editor->setGeometry(0, (height() - m_editor->sizeHint().height()) / 2, width() - look::kGrid, m_editor->sizeHint().height());
  m_editor->setText(name);
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
  if (keep) Q_EMIT renamed(name);
}

bool LaneHeader::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_editor && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool keep = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (keep || key == Qt::Key_Escape) {
      endRename(keep);
      return true;   // the header underneath would take Return as a wish for its menu
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
    painter.setPen(QPen(palette.accent, 1, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(area, 4, 4);
  }
  QFont bold = look::textFont();
  bold.setBold(true);
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
  painter.drawText(QRectF(text.left(), top + title_metrics.height(), text.width(), device_metrics.height()), Qt::AlignVCenter | Qt::AlignLeft,
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
  if (event->button() == Qt::LeftButton && arrowArea().contains(event->position())) Q_EMIT menuWanted(mapToGlobal(QPoint(0, height())));
}

void LaneHeader::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) Q_EMIT renameWanted();
}

void LaneHeader::contextMenuEvent(QContextMenuEvent* event) {
  Q_EMIT picked();
  Q_EMIT menuWanted(event->globalPos());
}

LaneShares::LaneShares(QWidget* parent) : QWidget(parent) {}

void LaneShares::show(const std::vector<BoardGeometry::Row>& rows, qreal scrolled, const QString& cost_name) {
  m_rows = rows;
  m_scrolled = scrolled;
  QStringList words;
  for (const BoardGeometry::Row& row : rows) words << tr("lane %1: %2 %").arg(row.lane.value).arg(qRound(row.share * 100));
  setAccessibleName(tr("Share of %1").arg(cost_name));
  setAccessibleDescription(words.join(", "));
  setToolTip(tr("Share of all %1\n%2").arg(cost_name, words.join("\n")));
  update();
}

void LaneShares::paintEvent(QPaintEvent*) {
  const look::Palette& palette = look::current();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(look::numberFont());
  const QFontMetricsF metrics(look::numberFont());
  const qreal number = metrics.horizontalAdvance("100 %");
  const qreal left = 2 * look::kGrid;
  for (const BoardGeometry::Row& row : m_rows) {
    const QRectF band = row.band.translated(0, -m_scrolled);
    painter.setPen(row.blocks > 0 ? palette.text : palette.muted_text);
    painter.drawText(QRectF(left, band.top(), number, band.height()), Qt::AlignRight | Qt::AlignVCenter, tr("%1 %").arg(qRound(row.share * 100)));
    const QRectF track(left + number + 2 * look::kGrid, band.center().y() - 3, width() - left - number - 4 * look::kGrid, 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette.grid);
    painter.drawRoundedRect(track, 3, 3);
    painter.setBrush(palette.accent);
    if (row.share > 0) painter.drawRoundedRect(QRectF(track.left(), track.top(), std::max<qreal>(3, track.width() * row.share), track.height()), 3, 3);
  }
}

}  // namespace lanelab
