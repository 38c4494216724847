// SPDX-License-Identifier: GPL-3.0-only
// The stages of a placement as rows of a table: what each holds, costs and sends. Pure functions.
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <vector>

#include "engine/experiment/experiment.h"
#include "engine/experiment/resolution.h"
#include "engine/placement/placement.h"

namespace lanelab {

struct StageRow {
  int stage = 0;
  QString lanes;       ///< of replicas all that hold the stage
  QString blocks;      ///< "layer1.0 ... layer2.1"
  QString all_blocks;  ///< each by its whole name
  QString parameters;
  double macs_percent = 0;
  std::int64_t memory_bytes = 0;  ///< parameters, and activations of one micro-batch stored for the backward
  std::int64_t sent_bytes = 0;    ///< per micro-batch to the next stage
};

enum StageColumn {
  StageNumberColumn,
  StageLaneColumn,
  StageBlocksColumn,
  StageParametersColumn,
  StageMacsColumn,
  StageMemoryColumn,
  StageSendsColumn,
  StageColumnCount
};

/// `variant`, which may be null, says what lanes repeat a stage, and how many samples a micro-batch has.
std::vector<StageRow> stageRows(const Experiment& experiment, const ModelSpec& model, const std::vector<Stage>& stages,
                                const ResolvedVariant* variant);
/// Those of a variant as it is worked out.
std::vector<StageRow> stageRows(const ResolvedVariant& variant);

/// By StageColumn: titles, and what a row shows.
QStringList stageTitles();
QStringList stageCells(const StageRow& row);
/// Both as base/csv.h writes them.
std::string stagesCsv(const std::vector<StageRow>& rows);

/// "2 stages, 4 samples per micro-batch".
QString stagesCaption(std::size_t stages, int replicas, int samples);

}  // namespace lanelab
