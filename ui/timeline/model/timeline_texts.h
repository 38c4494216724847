// SPDX-License-Identifier: GPL-3.0-only
// The words of the timeline's parts that are no widgets, translated in the context of the view, and those for causes.
#pragma once

#include <QCoreApplication>
#include <QString>

#include "profiler/analysis/cause.h"

namespace lanelab {

struct TimelineTexts {
  Q_DECLARE_TR_FUNCTIONS(TimelineView)
};

QString causeText(Cause cause);  ///< why a lane was idle: "fill", "transfer queued"

}  // namespace lanelab
