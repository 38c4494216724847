// SPDX-License-Identifier: GPL-3.0-only
// The words of the timeline's parts that are no widgets, translated in the context of the view, and those for causes.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <optional>
#include <string>

#include "profiler/analysis/idle_causes.h"

namespace lanelab {

struct TimelineTexts {
  Q_DECLARE_TR_FUNCTIONS(TimelineView)
};

/// Where the times of a trace are from: "measured", "predicted", "warm-up, not counted".
QString originText(const Trace& trace);

QString causeText(Cause cause);      ///< why a lane was idle: "fill", "transfer queued"
QString causeSentence(Cause cause);  ///< the same for who does not know these words

/// "92.1 % compute, 0.0 % transfer, 7.9 % wait" of the critical paths of all steps, or of their parts in `range`;
/// empty if there are none.
QString pathText(const Trace& trace, std::optional<TimeRange> range = {});
/// "B0 (stage 0)" for "0B0", as files call it; other names as they are, in one line.
QString actionText(const std::string& name);
/// What comes after a gap, in sentences and tables: actionText(), or "end of step".
QString nextActionText(const Trace& trace, const ExplainedGap& gap);

}  // namespace lanelab
