// SPDX-License-Identifier: GPL-3.0-only
#include "ui/report/report_steps.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/charts/comparison_rows.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/sweep_view.h"
#include "ui/timeline/view/timeline_picture.h"

namespace lanelab {
namespace {

/// The headline and the verdict on the run are above the figures.
Picture timesPicture(const RunRecord& record) {
  Picture picture = comparisonPicture(record, Spread::Ci95);
  picture.title = QCoreApplication::translate("Report", "Time per repeat");
  picture.caption = comparisonRows(record, Spread::Ci95).caption;
  return picture;
}

}  // namespace

std::vector<std::function<Picture()>> reportPictures(const std::shared_ptr<const RunRecord>& record,
                                                     const Traces& traces) {
  std::vector<std::function<Picture()>> pictures{[record] { return timesPicture(*record); }};
  if (hasSweep(*record)) pictures.emplace_back([record] { return sweepPicture(*record); });
  for (const auto& trace : traces) pictures.emplace_back([trace] { return timelinePicture(trace); });
  if (hasLosses(*record)) pictures.emplace_back([record] { return lossPicture(*record); });
  return pictures;
}

bool hasLosses(const RunRecord& record) {
  return std::ranges::any_of(record.variants, [](const VariantRecord& variant) {
    return std::ranges::any_of(variant.repeats, [](const RepeatRecord& repeat) { return !repeat.losses.empty(); });
  });
}

std::string writingPhase(const QString& file) {
  return QCoreApplication::translate("Report", "Writing %1").arg(file).toStdString();
}

}  // namespace lanelab
