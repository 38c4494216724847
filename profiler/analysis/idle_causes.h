// SPDX-License-Identifier: GPL-3.0-only
// The causes of idle time: exact and additive, each nanosecond of a gap has one.
//
// A gap is a maximal part of a window in which a lane computes nothing. A window is that of a step, from its first
// start to its last end, or the lane's period from step to step (profiler/trace/step_periods.h). Of a trace of our own
// dialect it is walked from its begin, and each nanosecond gets the first cause that holds, where n is the action that
// the gap lies before:
//   profiler                 within the lane's own profiler spans
//   evaluation               while any lane evaluates
//   upstream                 until n's producer ended (of F the F one stage before, of B and I the B or I one stage
//                            after, same micro-batch); of a gap that no action follows before the lanes meet, until the
//                            last action of all lanes ended; split as described below
//   transfer_queued          until the transfer of the producer's result started
//   transfer                 until it ended
//   data sync allocator communication host
//                            within the lane's own such spans, in this order; communication: its collectives
//   host                     until n was issued; of a GPU's n with kernels, until its first kernel was launched
//   contention               while another lane of the same device computes
//   sync                     of an update, until the last lane that it waits for was done with passes and collectives
//   unresolved               the rest
// Upstream time is split by replays of the step's own order of actions, each with one cause more (cause_shares.h): the
// order alone (fill before F, else drain), unequal stages (imbalance), then the transfers and delays of each cause that
// the trace has, wherever they held a lane back; what is left is jitter. A wait that the order costs and that another
// cause only moves remains fill or drain, also where the lane itself shows the other cause, so the times of a cause add
// up to the idle time with it minus that without it. A single delay that is more than half of what its lane shows of
// its cause in a stretch retains its name.
// Steps that overlap are replayed one after another without a barrier, each with its own means, and a gap has the same
// causes in every window that it lies in. A window that ends within a gap cuts it; n is then the next step's.
//
// In a live snapshot an action in progress keeps its lane busy until now, and the step in progress ends for each lane
// with its last action: why it idles afterwards is not known yet.
//
// Traces that hold no actions of ours have GPUs by their kernels as lanes, else threads by their operators. A GPU is
// busy while a kernel computes. Communication that runs meanwhile is hidden; the rest is exposed and a part of the idle
// time, with `communication` as its cause. All else of a gap before a kernel is `host` until its launch call ended,
// then `transfer` while a copy runs on the kernel's stream, then `unresolved`, since nothing in such a file says more.
// Windows are those of the steps that a profiler marked (imported_steps.h), else a lane's first to last kernel or
// operator. What it computes in none of them is known as well.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/window_kind.h"
#include "profiler/analysis/busy_pieces.h"
#include "profiler/analysis/cause.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

struct PreparedActions;  ///< cause_shares.h

struct ExplainedGap {
  TimeRange range;
  int step = 0;
  std::uint32_t before = kNoItem;  ///< what it lies before, in Trace::names; kNoItem where nothing follows
  std::uint32_t first_piece = 0;   ///< in LaneCauses::pieces
  std::uint32_t piece_count = 0;
};

/// What a GPU of an imported trace did beside computing, within the lane's windows. Idle time is the sum of
/// exposed_communication, exposed_memory and inactive.
struct GpuTimes {
  Nanoseconds communication = 0;          ///< any communication kernel runs
  Nanoseconds exposed_communication = 0;  ///< of that, no kernel computes
  Nanoseconds exposed_memory = 0;         ///< a copy or memset runs, and no kernel
  Nanoseconds inactive = 0;               ///< nothing runs
  Nanoseconds outside_communication = 0;  ///< any communication kernel runs, in none of the windows

  GpuTimes& operator+=(const GpuTimes& other) {
    communication += other.communication;
    exposed_communication += other.exposed_communication;
    exposed_memory += other.exposed_memory;
    inactive += other.inactive;
    outside_communication += other.outside_communication;
    return *this;
  }
};

/// Idle time with the cause communication while a process group communicated.
struct GroupTime {
  GroupKind kind = GroupKind::Unknown;
  std::string title;  ///< ProcessGroup::title()
  Nanoseconds time = 0;
};

struct LaneCauses {
  int lane = 0;
  std::string name;
  Nanoseconds window = 0;  ///< summed over steps, so what lies in two of them counts twice; busy + idle, to the
                           ///< nanosecond
  Nanoseconds busy = 0;
  Nanoseconds idle = 0;
  Nanoseconds outside = 0;           ///< of an imported trace: compute in none of the windows
  std::optional<GpuTimes> gpu = {};  ///< of lanes that are GPUs
  CauseTimes causes;                 ///< their sum is `idle`
  std::vector<GroupTime> groups;     ///< the longest first; empty if a file names no groups, and of parts of a trace
  std::vector<ExplainedGap> gaps;    ///< by start
  std::vector<CausePiece> pieces;    ///< those of a gap follow each other, by start, and cover it
  std::vector<TimeRange> windows;    ///< whose lengths make up `window`
  bool without_steps = false;        ///< of an imported trace: its one window is from its first to its last work
  bool works_elsewhere = false;      ///< it is a part of a trace (causes_within.h) in which the lane has work

  CauseTimes causesOf(const ExplainedGap& gap) const;
  /// Without it nothing of what ran lies on the lane: its idle time is no cost of an order, and no order would fix it.
  bool hasWork() const { return works_elsewhere || busy > 0 || (gpu && gpu->communication > 0); }
};

struct IdleCauses {
  /// What keeps the lanes busy.
  enum class Work : std::uint8_t { Actions, Kernels, Operators };

  std::vector<LaneCauses> lanes;
  Work work = Work::Actions;
  WindowKind window_kind = WindowKind::Step;  ///< what the lanes' windows are
  bool whole_trace = false;                   ///< each lane's window is from its first to its last kernel or operator
  int without_steps = 0;         ///< lanes whose steps are not known, though the file marks some: their window is whole
  Nanoseconds steps_apart = 0;   ///< how far apart processes of an imported trace begin the same step
  bool replicas = false;         ///< lanes train copies of the model
  bool processors = false;       ///< all lanes are groups of CPU cores: nothing is launched on a device
  bool splits_backward = false;  ///< into I and W
  bool interleaves = false;      ///< a lane has several stages
};

/// One entry for each lane in use (lanesInUse()), also if it has no action (all idle). Of a trace without our actions
/// one for each GPU, or where it has no kernels for each thread with operators. n log n in the number of spans, and n
/// where their tracks are sorted, as in every built trace. Without `windows`: periods where steps overlap, else steps;
/// traces without our actions have steps only.
IdleCauses explainIdle(const Trace& trace, std::optional<WindowKind> windows = {});
/// The same of a file of any program; what it tells of its streams and threads is used, and process ids of our dialect
/// are the lanes' numbers. Its trace is not null.
IdleCauses explainIdle(const ImportedTrace& imported, std::optional<WindowKind> windows = {});
/// `actions` are those of its trace, which may have none.
IdleCauses explainIdle(const ImportedTrace& imported, const PreparedActions& actions,
                       std::optional<WindowKind> windows);

/// Of a trace of our own dialect only: idle time by what its actions waited for.
IdleCauses explainActions(const Trace& trace, std::optional<WindowKind> windows = {});
IdleCauses explainActions(const Trace& trace, const PreparedActions& actions, std::optional<WindowKind> windows);
/// Whether there are actions of ours, so that explainActions() applies.
bool hasActions(const Trace& trace);
/// The windows of a trace of another program: its steps, or of each lane all its work.
enum class ImportedWindows : std::uint8_t { Steps, Trace };
/// Of traces without our actions. A GPU is a device of a process, a thread all its rows. Where nothing is known of the
/// rows, `imported` is null: then a GPU is a process with kernels, and every row a stream or thread of its own.
IdleCauses explainImported(const Trace& trace, const ImportedTrace* imported,
                           ImportedWindows windows = ImportedWindows::Steps);

/// For which process groups a lane waited: its idle time with the cause communication, by the spans of these tracks
/// that ran meanwhile, the longest first. Groups that communicate at the same time each have all of it; empty if the
/// file names no groups.
std::vector<GroupTime> groupTimesOf(const LaneCauses& lane, const ImportedTrace& imported,
                                    const std::vector<std::uint32_t>& tracks);
/// Adds those of another lane.
void addGroupTimes(std::vector<GroupTime>& sum, const std::vector<GroupTime>& more);

/// Of all lanes that have work.
struct WorkTimes {
  Nanoseconds window = 0;
  Nanoseconds busy = 0;
};
WorkTimes workTimes(const IdleCauses& causes);

/// The bubble as the literature counts it, the idle time that the order of the actions costs: fill and drain over all
/// lanes that have work, by both denominators in use; 0 where there is nothing to divide by.
struct BubbleShares {
  double of_total = 0;  ///< of the lanes' windows, as in the tables of zero bubble (Qi et al. 2023): (p-1)/(m+p-1) for
                        ///< p equal stages, m micro-batches
  double of_ideal = 0;  ///< of the busy time, as in Megatron-LM (Narayanan et al. 2021): (p-1)/m
};

BubbleShares bubbleShares(const IdleCauses& causes);

/// Busy share of a lane's windows, 0 to 1; 0 without a window.
double utilisation(const LaneCauses& lane);
/// Busy time over windows of all lanes that have work: the one figure of a variant, in every table, pane and report.
double utilisation(const IdleCauses& causes);

struct GapPlace {
  const LaneCauses* lane = nullptr;
  const ExplainedGap* gap = nullptr;
};
/// All gaps, the longest first; of equal ones by lane, then start. They point into `causes`.
std::vector<GapPlace> longestGaps(const IdleCauses& causes);

/// "1F0", "end", the kernel's name.
std::string_view beforeText(const Trace& trace, const ExplainedGap& gap);

}  // namespace lanelab
