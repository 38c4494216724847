// SPDX-License-Identifier: GPL-3.0-only
// Counters that a trace tells without having recorded them: how busy its lanes are over time, and how much of each step
// is bubble.
#pragma once

#include <vector>

#include "profiler/analysis/cause.h"
#include "profiler/trace/trace.h"

namespace lanelab {

inline constexpr const char* kUtilisationCounter = "utilisation";
inline constexpr const char* kBubbleCounter = "bubble";

/// One counter of unit "%" for each lane that computes: the share of each window that its compute covers, from 0 to
/// 100. Windows are `window` ns long and follow each other from the trace's start to its end, the last one cut there;
/// equal neighbours are one value, and after the end it is 0. Compute is actions; in a trace without any it is kernels,
/// and without those operators, as in the gap analysis. Nothing for `window` below 1. n log n in the number of spans of
/// a lane, n where they are sorted.
std::vector<Counter> utilisationCounters(const Trace& trace, Nanoseconds window);

/// A window of utilisationCounters() short enough to show the course of a step (a fiftieth of the middle one), and long
/// enough that there are at most 16384.
Nanoseconds utilisationWindow(const Trace& trace);

/// One lane's bubble, of unit "%": for each step the share of its window that is fill and drain; `steps` do not
/// overlap, so of steps that do they are the lane's periods. It stands until the next step, and is 0 after the last one
/// and in pauses longer than the step before them. `pieces` are those of the lane's idle time, by start.
Counter bubbleCounter(int lane, const std::vector<StepWindow>& steps, const std::vector<CausePiece>& pieces);

}  // namespace lanelab
