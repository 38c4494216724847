// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/run_item.h"

#include <QApplication>
#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <QPainter>

#include "engine/report/comparison_text.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("RunsList", text); }

QString wordOf(RunStatus status) {
  switch (status) {
    case RunStatus::Running: return tr("running");
    case RunStatus::Done: return tr("done");
    case RunStatus::Failed: return tr("failed");
    case RunStatus::Cancelled: return tr("cancelled");
    case RunStatus::Interrupted: return tr("interrupted");
  }
  return {};
}

QString whenOf(const std::string& iso) {
  const QDateTime time = QDateTime::fromString(QString::fromStdString(iso), Qt::ISODate).toLocalTime();
  return time.isValid() ? QLocale::c().toString(time, "d MMM HH:mm") : QString();
}

QString headlineOf(const RunRecord& record) {
  if (!record.error.empty()) return look::shownText(record.error);
  if (record.status == RunStatus::Running) return tr("This run goes on now.");
  return look::shownText(headline(record));
}

constexpr int kHeadlineLines = 2;

int lineHeight(const QFont& font) { return QFontMetrics(font).height(); }

/// Up to kHeadlineLines lines, the last one elided.
void drawWrapped(QPainter& painter, const QRect& rect, const QString& text) {
  const QFontMetrics metrics = painter.fontMetrics();
  QRect line(rect.left(), rect.top(), rect.width(), metrics.height());
  QString rest = text;
  for (int i = 0; i < kHeadlineLines && !rest.isEmpty(); ++i, line.translate(0, metrics.height())) {
    qsizetype fits = rest.size();
    while (fits > 0 && metrics.horizontalAdvance(rest.left(fits)) > rect.width()) {
      const auto blank = rest.lastIndexOf(' ', fits - 1);
      fits = blank > 0 ? blank : fits - 1;
    }
    const bool last = i == kHeadlineLines - 1;
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     last ? metrics.elidedText(rest, Qt::ElideRight, rect.width()) : rest.left(fits));
    rest = rest.mid(fits).trimmed();
  }
}

QFont boldFont() {
  QFont font = look::textFont();
  font.setBold(true);
  return font;
}

}  // namespace

RunSummary summaryOf(const RunListing& listing) {
  RunSummary summary;
  summary.folder = QString::fromStdString(listing.folder);
  if (!listing.record.ok()) {
    summary.name = look::shownName(QFileInfo(summary.folder).fileName());
    summary.status = tr("damaged");
    summary.headline = look::shownText(listing.record.error().message);
    summary.readable = false;
    return summary;
  }
  const RunRecord& record = *listing.record;
  summary.name = look::shownName(record.experiment.name);
  summary.when = whenOf(record.started);
  summary.status = wordOf(record.status);
  summary.headline = headlineOf(record);
  summary.running = record.status == RunStatus::Running;
  return summary;
}

void RunItemDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem background = option;
  initStyleOption(&background, index);
  background.text.clear();
  QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &background, painter, option.widget);

  const auto summary = index.data(kSummaryRole).value<RunSummary>();
  const bool selected = option.state.testFlag(QStyle::State_Selected);
  const auto& palette = look::current();
  const QColor text = selected ? option.palette.color(QPalette::HighlightedText) : palette.text;
  const QColor muted = selected ? text : palette.muted_text;
  const QColor status = summary.readable || selected ? muted : palette.error;
  const QFont bold = boldFont();
  const QFont small = look::smallFont();
  QRect rect = option.rect.adjusted(2 * look::kGrid, look::kGrid, -2 * look::kGrid, -look::kGrid);

  painter->save();
  painter->setFont(small);
  painter->setPen(muted);
  const int when_width = painter->fontMetrics().horizontalAdvance(summary.when);
  painter->drawText(QRect(rect.left(), rect.top(), rect.width(), lineHeight(bold)), Qt::AlignRight | Qt::AlignVCenter,
                    summary.when);
  painter->setFont(bold);
  painter->setPen(text);
  const int name_width = rect.width() - when_width - 2 * look::kGrid;
  const QString name = painter->fontMetrics().elidedText(summary.name, Qt::ElideMiddle, name_width);
  painter->drawText(QRect(rect.left(), rect.top(), name_width, lineHeight(bold)), Qt::AlignLeft | Qt::AlignVCenter,
                    name);
  rect.setTop(rect.top() + lineHeight(bold));
  painter->setFont(small);
  painter->setPen(status);
  painter->drawText(QRect(rect.left(), rect.top(), rect.width(), lineHeight(small)), Qt::AlignLeft | Qt::AlignVCenter,
                    summary.status);
  rect.setTop(rect.top() + lineHeight(small));
  painter->setPen(muted);
  drawWrapped(*painter, rect, summary.headline);
  painter->restore();
}

QSize RunItemDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
  const int small = lineHeight(look::smallFont());
  const bool headline = !index.data(kSummaryRole).value<RunSummary>().headline.isEmpty();
  return {120, lineHeight(boldFont()) + small + (headline ? kHeadlineLines * small : 0) + 2 * look::kGrid};
}

}  // namespace lanelab
