// SPDX-License-Identifier: GPL-3.0-only
// A span in words: for the box beside the pointer, the status line and the clipboard.
#pragma once

#include <QString>
#include <QStringList>
#include <utility>
#include <vector>

#include "ui/timeline/model/timeline_data.h"

namespace lanelab {

/// "Backward, micro-batch 3": the phase in full, or the span's name.
QString spanTitle(const TimelineData& data, SpanRef ref);
/// Lane, stage, step, start, duration, when it was issued, and what it waited for; name and value.
std::vector<std::pair<QString, QString>> spanFacts(const TimelineData& data, SpanRef ref);
/// The same, with the share of CPU time wherever it is known, the start within its step, and without the idle time
/// before it.
std::vector<std::pair<QString, QString>> spanFigures(const TimelineData& data, SpanRef ref);
/// The sentence cut at blanks into lines of at most `width` letters where its words allow.
QStringList wrapped(const QString& sentence, qsizetype width);
/// All of it on one line.
QString spanSentence(const TimelineData& data, SpanRef ref);

}  // namespace lanelab
