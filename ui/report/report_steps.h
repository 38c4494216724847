// SPDX-License-Identifier: GPL-3.0-only
// What reports are made of: figures, in steps, each a figure or a file, so that a window can show progress and cancel
// between two of them. Window's thread (they paint).
#pragma once

#include <QString>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/record/run_record.h"
#include "profiler/trace/trace.h"
#include "ui/export/picture.h"
#include "ui/look/work.h"

namespace lanelab {

using Traces = std::vector<std::shared_ptr<const Trace>>;
using ReportSteps = std::vector<SteppedWork::Step>;

/// What is in a report of the run: comparison, sizes of micro-batches if there are several, the timeline of each trace,
/// losses if there are any. Each is made when it is called for.
std::vector<std::function<Picture()>> reportPictures(const std::shared_ptr<const RunRecord>& record,
                                                     const Traces& traces);

bool hasLosses(const RunRecord& record);

/// "Writing loss.csv", for progress.
std::string writingPhase(const QString& file);

}  // namespace lanelab
