// SPDX-License-Identifier: GPL-3.0-only
// When a trace began, for tables whose times count from there.
#pragma once

#include <optional>
#include <string>

#include "profiler/trace/trace.h"

namespace lanelab {

/// Unix time of a time of the trace. Known if the trace has an epoch or its clock shows Unix time, as PyTorch's does:
/// then its times lie in this century.
std::optional<Nanoseconds> unixTimeOf(const Trace& trace, Nanoseconds time);

/// From when starts count: `begin`, where the trace's first span starts, as a date if that is known, and on the axis of
/// the file.
std::string beginSentence(const Trace& trace, Nanoseconds begin, Nanoseconds axis);

}  // namespace lanelab
