// SPDX-License-Identifier: GPL-3.0-only
// One step of each of a few traces, one under the other on one axis of time, with its critical path marked: what is not
// on it is pale.
#pragma once

#include <QPainter>
#include <QRectF>
#include <QString>
#include <memory>
#include <vector>

#include "profiler/analysis/critical_path.h"
#include "profiler/trace/trace.h"
#include "ui/look/theme.h"

namespace lanelab {

struct PathStep {
  QString title;  ///< "Before (measured): 903 ms"
  std::shared_ptr<const Trace> trace;
  CriticalPath path;  ///< of the step that is drawn
};

/// The last step of a trace; its path is empty where the trace has no actions.
PathStep pathStep(QString title, std::shared_ptr<const Trace> trace);

double heightOf(const std::vector<PathStep>& steps);
void paintPaths(QPainter& painter, const QRectF& area, const std::vector<PathStep>& steps,
                const look::Palette& palette);

}  // namespace lanelab
