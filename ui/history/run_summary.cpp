// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/run_summary.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>
#include <QLocale>

#include "engine/report/comparison_text.h"
#include "ui/look/plain_text.h"

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

}  // namespace lanelab
