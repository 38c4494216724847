// SPDX-License-Identifier: GPL-3.0-only
// The words of the timeline's parts that are no widgets, translated in the context of the view.
#pragma once

#include <QCoreApplication>

namespace lanelab {

struct TimelineTexts {
  Q_DECLARE_TR_FUNCTIONS(TimelineView)
};

}  // namespace lanelab
