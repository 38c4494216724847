// SPDX-License-Identifier: GPL-3.0-only
#include "ui/overlay/overlay_legend.h"

#include <QEvent>
#include <QFocusEvent>
#include <QPainter>
#include <QPixmap>

#include "ui/look/plain_text.h"
#include "ui/overlay/overlay_painter.h"
#include "ui/overlay/overlay_words.h"

namespace lanelab {

namespace {

constexpr QSize kSample(9 * look::kGrid, 4 * look::kGrid);

QIcon sampleIcon(int curve, qreal ratio) {
  QPixmap pixmap(kSample * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  paintSample(painter, QRectF(QPointF(), QSizeF(kSample)), curve, look::current());
  painter.end();
  QIcon icon(pixmap);
  icon.addPixmap(pixmap, QIcon::Selected);  // Qt would tint it
  return icon;
}

QString sourcesText(const OverlayCurve& curve) {
  QStringList lines = {overlay_words::name(curve)};
  for (const OverlaySource& source : curve.sources)
    lines << OverlayLegend::tr("%1, %2").arg(look::shownName(source.run), look::shownName(source.variant));
  lines.removeDuplicates();
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

OverlayLegend::OverlayLegend(QWidget* parent) : QListWidget(parent) {
  setObjectName("overlayLegend");
  setAccessibleName(tr("Curves"));
  setIconSize(kSample);
  viewport()->setMouseTracking(true);  // for itemEntered()
  setTextElideMode(Qt::ElideMiddle);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFrameShape(QFrame::NoFrame);
  connect(this, &QListWidget::itemEntered, this, [this](QListWidgetItem* item) { Q_EMIT curveChosen(row(item)); });
  connect(this, &QListWidget::currentRowChanged, this, &OverlayLegend::curveChosen);
}

void OverlayLegend::setOverlay(const Overlay& overlay) {
  const QSignalBlocker quiet(this);
  clear();
  for (const OverlayCurve& curve : overlay.curves) {
    auto* item = new QListWidgetItem(overlay_words::name(curve), this);
    item->setToolTip(sourcesText(curve));
  }
  drawSamples();
}

void OverlayLegend::drawSamples() {
  for (int i = 0; i < count(); ++i) item(i)->setIcon(sampleIcon(i, devicePixelRatioF()));
}

void OverlayLegend::showCurve(int curve) {
  const QSignalBlocker quiet(this);
  setCurrentRow(curve);
  if (curve >= 0) scrollToItem(item(curve));
}

void OverlayLegend::changeEvent(QEvent* event) {
  QListWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) drawSamples();
}

void OverlayLegend::leaveEvent(QEvent* event) {
  QListWidget::leaveEvent(event);
  Q_EMIT curveChosen(hasFocus() ? currentRow() : -1);
}

void OverlayLegend::focusOutEvent(QFocusEvent* event) {
  QListWidget::focusOutEvent(event);
  Q_EMIT curveChosen(-1);
}

}  // namespace lanelab
