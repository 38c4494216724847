// SPDX-License-Identifier: GPL-3.0-only
// All that is known of one span, as a value: figures, what it waited for and what waits for it, the idle time before it
// and its causes, arguments. As text and as JSON for the clipboard. Pure.
#pragma once

#include <QString>
#include <optional>
#include <utility>
#include <vector>

#include "ui/timeline/layout/detail_parts.h"

namespace lanelab {

/// Idle time of the span's lane that ends where the span begins.
struct IdleBefore {
  Nanoseconds length = 0;
  CauseTimes causes;  ///< all 0 where they are not known, as of very long traces
  bool operator==(const IdleBefore&) const = default;
};

struct SpanDetails {
  Span span;
  std::size_t track = 0;  ///< in Trace::tracks
  QString title;
  QString name;  ///< as the trace has it
  QString lane;
  QString category;
  Nanoseconds since_begin = 0;  ///< from the begin of the trace to the span's start
  DetailRows figures;
  std::vector<SpanLink> waited_for;
  std::vector<SpanLink> waiting;
  std::optional<IdleBefore> idle;
  DetailRows arguments;  ///< as the file of an imported trace has them
  bool operator==(const SpanDetails&) const = default;
};

/// A few searches within the span's own step. Without arguments, which only the file has.
SpanDetails detailsOf(const TimelineData& data, const Dependencies& dependencies, SpanRef ref);

/// One line per figure, link, cause and argument.
QString detailsText(const SpanDetails& details);
/// An object; times in microseconds, as in exported traces.
QString detailsJson(const SpanDetails& details);

}  // namespace lanelab
