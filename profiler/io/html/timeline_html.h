// SPDX-License-Identifier: GPL-3.0-only
// A trace as an element of an HTML page: a canvas with its spans and the causes of idle time, which zooms, pans and
// explains what is under the pointer. On paper it is a drawing. It loads nothing, so that it works from disk and in the
// cell of a notebook; texts of the trace are data and never markup. Pure; any thread.
//
// Format of the spans: base64 of zlib of rows one after the other, each of as many spans as its entry in the JSON says.
// Of a span: start since the one before it, length, name (place in names), category and phase (a byte each), step + 1,
// stage + 1, micro-batch + 1; numbers are LEB128.
#pragma once

#include <cstddef>
#include <string>

#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// Above it, the trace is cut behind its last step that fits, and the element says so.
inline constexpr std::size_t kMostTimelineSpans = 1'500'000;

/// Below the element.
inline constexpr const char* kTimelineCaption =
    "Spans of each lane; below its actions, what it was idle for: measured, or predicted if the trace is.";

/// The trace is not null. Of a trace of our own, which needs no more than itself, `imported` holds that alone.
std::string timelineElement(const ImportedTrace& imported, std::size_t most_spans = kMostTimelineSpans);

/// What CMake puts into the program: resources/report/timeline.js.
extern const char* const kTimelineScript;

}  // namespace lanelab
