// SPDX-License-Identifier: GPL-3.0-only
// Changes of a timeline in words: for the card beside the pointer, the strip, the status line and the clipboard. Pure.
#pragma once

#include <QString>
#include <QStringList>

#include "ui/timeline/change/timeline_changes.h"

namespace lanelab {

/// "F3 of stage 1, step 2", "all F of stage 1", "transfer of F3 of stage 1, step 2".
QString spansText(const Trace& trace, const ScaledSpans& spans);
/// "all F of stage 1 0.80x", "stage 1 on cpu:0"; several joined by commas, without an answer.
QString changesText(const TimelineData& data, const WhatIf& changes);
/// Line by line: what was changed, the step, the idle time of lanes, the critical path. "F of stage 1: 120 ms -> 96 ms
/// (0.80x)", "mean step 1.08 s -> 1.01 s (6.5 % shorter)", "cpu:1 idle 15 % -> 11 %", "critical path now through B of
/// stage 0".
QStringList changeLines(const TimelineData& data, const AnsweredChanges& answer);
/// All that is pending and what follows from it, for the clipboard: one line each.
QString changesReport(const TimelineData& data, const AnsweredChanges& answer);
/// What Alt does over a span of this kind, for the status line.
QString pullHint(const Trace& trace, const ScaledSpans& kind);

}  // namespace lanelab
