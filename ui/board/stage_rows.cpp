// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/stage_rows.h"

#include <QCoreApplication>
#include <algorithm>

#include "base/csv.h"
#include "engine/experiment/lane_cores.h"
#include "ui/board/block_names.h"
#include "ui/board/board_facts.h"
#include "ui/look/plain_text.h"
#include "ui/look/quantity_text.h"

namespace lanelab {
namespace {

struct StageTexts {
  Q_DECLARE_TR_FUNCTIONS(lanelab::StageSummary)
};

QString wholeNames(const ModelSpec& model, const Stage& stage) {
  QStringList names;
  for (int block = stage.first.value; block < stage.end.value; ++block)
    names << look::shownName(model.blocks[static_cast<std::size_t>(block)].name);
  return names.join(", ");
}

QString blocksText(const std::vector<QString>& names, const Stage& stage) {
  const QString& first = names[stage.first.index()];
  if (stage.end.value - stage.first.value == 1) return first;
  return StageTexts::tr("%1 ... %2").arg(first, names[stage.end.index() - 1]);
}

QString lanesText(const std::vector<std::string>& titles, const std::vector<int>& repeated_lanes, LaneId lane) {
  QStringList names;
  const auto add = [&](std::size_t index) {
    if (index < titles.size()) names << look::shownName(titles[index]);
  };
  add(lane.index());
  for (std::size_t other = 0; other < repeated_lanes.size(); ++other)
    if (repeated_lanes[other] == lane.value) add(other);
  return names.join(QStringLiteral(", "));
}

}  // namespace

std::vector<StageRow> stageRows(const Experiment& experiment, const ModelSpec& model, const std::vector<Stage>& stages,
                                const ResolvedVariant* variant) {
  const int samples = variant ? variant->splitSize() : experiment.data.batch;
  const std::vector<int> repeated_lanes = variant ? variant->repeatedLanes() : std::vector<int>();
  const std::vector<std::string> titles = laneTitles(experiment.lanes);
  const std::vector<QString> names = shortBlockNames(model);
  const auto all_macs = static_cast<double>(std::max<std::int64_t>(1, model.macs()));
  std::vector<StageRow> rows;
  for (const Stage& stage : stages) {
    const StageCost cost = costOf(model, stage);
    rows.push_back({stage.id.value, lanesText(titles, repeated_lanes, stage.lane), blocksText(names, stage),
                    wholeNames(model, stage), parametersText(cost.parameters, cost.frozen_parameters),
                    100.0 * static_cast<double>(cost.macs) / all_macs,
                    cost.parameter_bytes + cost.activation_bytes * samples, cost.boundary_bytes * samples});
  }
  return rows;
}

std::vector<StageRow> stageRows(const ResolvedVariant& variant) {
  return stageRows(variant.experiment(), variant.model(), variant.stages(), &variant);
}

QStringList stageTitles() {
  return {StageTexts::tr("Stage"),    StageTexts::tr("Lane"),   StageTexts::tr("Blocks"), StageTexts::tr("Parameters"),
          StageTexts::tr("MACs (%)"), StageTexts::tr("Memory"), StageTexts::tr("Sends")};
}

QStringList stageCells(const StageRow& row) {
  return {QString::number(row.stage),
          row.lanes,
          row.blocks,
          row.parameters,
          QString::number(row.macs_percent, 'f', 1),
          bytesText(row.memory_bytes),
          row.sent_bytes > 0 ? bytesText(row.sent_bytes) : StageTexts::tr("nothing")};
}

std::string stagesCsv(const std::vector<StageRow>& rows) {
  std::string csv;
  CsvTable table(csv, stageTitles().join(',').toStdString());
  for (const StageRow& row : rows) {
    for (const QString& cell : stageCells(row)) table.text(cell.toStdString());
    table.endRow();
  }
  return csv;
}

QString stagesCaption(std::size_t stages, int replicas, int samples) {
  const QString words = StageTexts::tr("%n stage(s)", nullptr, static_cast<int>(stages));
  const QString parts = replicas > 1 ? StageTexts::tr("%1 replicas of %2").arg(replicas).arg(words) : words;
  return StageTexts::tr("%1, %2 samples per micro-batch").arg(parts).arg(samples);
}

}  // namespace lanelab
