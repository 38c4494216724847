// SPDX-License-Identifier: GPL-3.0-only
// Two runs on one axis: step k of the second begins where step k of the first does, so that the same action lies below
// itself.
//
// Within a step all times of a run stay as they were. Step k + 1 is placed behind step k by the longer of both runs'
// ways from the one start to the other (step and pause after it), so nothing overlaps; steps that overlapped in their
// run are placed apart. Runs without steps begin together.
#pragma once

#include <memory>
#include <vector>

#include "profiler/analysis/cause.h"
#include "profiler/analysis/critical_path.h"
#include "profiler/trace/trace.h"

namespace lanelab {

enum class RunSide : std::uint8_t { A, B };

/// An action that both runs did once each.
struct AlignedCell {
  ActionId key;
  Nanoseconds a = 0;  ///< length in the first run; of several actions of one cell their sum
  Nanoseconds b = 0;
  Nanoseconds later_by = 0;  ///< how much later in its step it begins in the second; negative: earlier
  Nanoseconds start = 0;     ///< in the first run, on the common axis

  Nanoseconds difference() const { return b - a; }  ///< above 0: the second is slower
};

/// Over the cells of a stage and phase that both runs have.
struct CellMean {
  int stage = 0;
  Phase phase = Phase::None;
  std::size_t cells = 0;
  double a = 0;  ///< mean lengths in nanoseconds
  double b = 0;
};

/// Which actions of two runs are compared, and how many have no counterpart.
struct ComparedActions {
  std::vector<AlignedCell> cells;  ///< those of both runs, by key
  std::size_t only_a = 0;          ///< cells that the other run lacks
  std::size_t only_b = 0;
};

/// Samples per micro-batch of each run; 0: not known, as of an imported trace.
struct MicroBatchSizes {
  int a = 0;
  int b = 0;

  bool differ() const { return a > 0 && b > 0 && a != b; }
};

struct AlignedRuns {
  struct Lane {
    RunSide side = RunSide::A;
    int own = 0;  ///< its number in its own run
  };

  /// Lanes "A: cpu:0", "B: cpu:0", "A: cpu:1", ... (by name, else device); one step track with the longer window of
  /// each step.
  std::shared_ptr<const Trace> trace;
  std::vector<Lane> lanes;                       ///< of `trace`
  std::vector<StepWindow> windows_a, windows_b;  ///< each run's own steps, on the common axis
  Nanoseconds step_a = 0, step_b = 0;            ///< what a step of each run costs on average; 0 without steps
  std::vector<std::vector<CausePiece>> causes;   ///< of each lane's idle time in its own run, on the common axis
  std::vector<CriticalPath> paths;               ///< of both runs' steps, on the common axis
  MicroBatchSizes micro_batches;
  std::vector<AlignedCell> cells;           ///< those of both runs, by key; none when their micro-batches differ
  std::vector<Nanoseconds> only_a, only_b;  ///< starts of cells that the other run lacks, on the common axis

  /// From a run's own axis to the common one: what follows `start`, up to the next entry, moved by `shift`.
  struct Shift {
    Nanoseconds start = 0;
    Nanoseconds shift = 0;
  };
  std::vector<Shift> shifts_a, shifts_b;  ///< by start, at least one

  const std::vector<StepWindow>& windowsOf(int lane) const;
  /// Where a range of a run's own axis lies on the common one, by its start.
  TimeRange placed(RunSide side, TimeRange range) const;
  /// Of an action of either run; null where the other one lacks it.
  const AlignedCell* find(const Span& action) const;
  std::vector<CellMean> means() const;  ///< by stage and phase
};

/// The actions that begin within `range` of the common axis, in either run.
ComparedActions actionsWithin(const AlignedRuns& runs, TimeRange range);
/// All of them.
ComparedActions comparedActions(const AlignedRuns& runs);

/// n log n in the number of spans. Any traces; those without actions have no cells.
/// When the micro-batches differ, an action of one run has no counterpart in the other: "0F0" does unlike work in them.
AlignedRuns alignRuns(const Trace& a, const Trace& b, MicroBatchSizes micro_batches = {});

}  // namespace lanelab
