// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/replica_band_painter.h"

#include <QFontMetricsF>

#include "ui/timeline/layout/header_marks.h"
#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {

namespace {}  // namespace

QString replicaName(int replica) { return TimelineTexts::tr("Replica %1").arg(replica); }

void ReplicaBandPainter::paintBody(QPainter& painter) const {
  for (const ReplicaBand& band : m_layout.bands) {
    if (!isSeen(band)) continue;
    const QRectF body(m_layout.body.left(), band.rect.top(), band.rect.right() - m_layout.body.left(),
                      band.rect.height());
    painter.fillRect(body, tint());
  }
}

void ReplicaBandPainter::paintHeaders(QPainter& painter, bool clickable) const {
  QFont bold = look::smallFont();
  bold.setBold(true);
  const QFontMetricsF metrics(bold);
  for (const ReplicaBand& band : m_layout.bands) {
    if (!isSeen(band)) continue;
    const QRectF head(m_layout.headers.left(), band.rect.top(), m_layout.headers.width(), band.rect.height());
    painter.fillRect(head, tint());
    const double baseline = head.center().y() + metrics.capHeight() / 2;
    painter.setPen(m_palette.text);
    painter.setFont(bold);
    painter.drawText(QPointF(head.left() + kHeaderMargin, baseline), replicaName(band.replica));
    painter.setFont(look::smallFont());
    painter.setPen(m_palette.muted_text);
    const QString share = shareOf(band);
    painter.drawText(
        QPointF(head.right() - kHeaderMargin - QFontMetricsF(look::smallFont()).horizontalAdvance(share), baseline),
        share);
    if (!clickable && !band.collapsed) continue;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_palette.muted_text);
    paintTriangle(painter, QPointF(head.left() + kHeaderMargin / 2 + 1, head.center().y()), band.collapsed);
    painter.restore();
  }
}

/// The mean over its lanes.
QString ReplicaBandPainter::shareOf(const ReplicaBand& band) const {
  double sum = 0;
  for (const int lane : band.lanes) {
    const auto share = m_data.busyShare(lane);
    if (!share) return {};
    sum += *share;
  }
  return band.lanes.size() < 2 ? QString() : shareText(sum / static_cast<double>(band.lanes.size()));
}

}  // namespace lanelab
