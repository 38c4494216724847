// SPDX-License-Identifier: GPL-3.0-only
// All that painting, hit tests and readouts need to know of one trace, worked out once. Immutable; GUI thread.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profiler/analysis/aligned_runs.h"
#include "profiler/analysis/idle_causes.h"
#include "profiler/trace/step_periods.h"
#include "ui/timeline/model/counter_rows.h"
#include "ui/timeline/model/prediction.h"
#include "ui/timeline/model/row_names.h"
#include "ui/timeline/model/rows.h"
#include "ui/timeline/model/trace_digest.h"

namespace lanelab {

/// Whether `taker` takes what `giver` makes or brings: forward from the stage before, backward from the stage after.
bool feeds(const Span& giver, const Span& taker);

/// What tells a span from the others of its trace, also in a later snapshot.
struct SpanIdentity {
  int lane = 0;
  Track::Kind kind = Track::Kind::Compute;
  int depth = 0;
  Nanoseconds start = 0;
  std::string name;
};

class TimelineData {
 public:
  /// `predicted`: one step of the same lanes. `earlier`: of a snapshot of the same trace when it was shorter; then it
  /// costs what is new, and shares the rest with it. `aligned`: two runs on one axis, whose trace this is. All may be
  /// null.
  explicit TimelineData(std::shared_ptr<const Trace> trace, const Trace* predicted = nullptr,
                        const TimelineData* earlier = nullptr, std::shared_ptr<const AlignedRuns> aligned = nullptr);

  const std::shared_ptr<const Trace>& shared() const { return m_trace; }
  const Trace& trace() const { return *m_trace; }
  TimeRange range() const { return m_digest.range(); }
  bool empty() const { return range().empty() || m_trace->lanes.empty(); }
  const std::vector<Row>& rows() const { return m_rows; }
  RowKind rowKind(std::size_t row) const { return m_row_kinds[row]; }
  /// What stands beside the row; empty for actions and where the row above says it.
  QString rowName(std::size_t row) const { return lanelab::rowName(*m_trace, m_rows, m_row_kinds, row); }
  /// Whether it is a trace of lanes that run actions, and not of another program.
  bool computes() const { return m_computes; }
  /// Whether lanes evaluate the model between epochs.
  bool evaluates() const { return m_evaluates; }
  /// Whether it is a trace of another program in which GPUs communicate.
  bool communicates() const { return m_communicates; }
  /// By lane, those of the whole run last. Worked out when first asked for.
  const std::vector<CounterRow>& counters() const;
  const std::vector<StepWindow>& steps() const { return m_digest.steps(); }
  /// Those of the lane's own run: of two runs the one may be through with a step while the other is in it.
  const std::vector<StepWindow>& stepsOf(int lane) const { return m_aligned ? m_aligned->windowsOf(lane) : steps(); }
  /// Whether lanes begin their next step while others still do the last one; never of two runs, whose steps are placed
  /// apart.
  bool stepsOverlap() const { return !m_periods.empty(); }
  /// What lies between two meetings of the lanes; a step each where they meet after each one.
  const std::vector<Stretch>& stretches() const { return m_stretches; }
  /// The lane's windows, which do not overlap: its periods where steps overlap, else stepsOf().
  const std::vector<StepWindow>& windowsOf(int lane) const {
    return stepsOverlap() ? m_periods[static_cast<std::size_t>(lane)] : stepsOf(lane);
  }
  /// Null unless two runs are shown.
  const AlignedRuns* aligned() const { return m_aligned.get(); }
  bool sameRun(int lane, int other) const;
  /// Utilization of the lane's windows, as explainIdle() has it; nothing when there are none.
  std::optional<double> busyShare(int lane) const { return m_busy[static_cast<std::size_t>(lane)].share; }
  /// Nanoseconds of the range that the lane's actions cover. A binary search and a visit of each action in the range.
  Nanoseconds busyWithin(int lane, TimeRange range) const;

  /// Only for rows that have one.
  const Track& track(const Row& row) const { return m_trace->tracks[row.track]; }
  Span span(SpanRef ref) const;
  SpanIdentity identityOf(SpanRef ref) const;
  std::optional<SpanRef> find(const SpanIdentity& identity) const;
  /// Whether it is an action in progress, which ends at the time of the snapshot.
  bool isRunning(SpanRef ref) const;
  /// Of a trace that may be cut: from when on it is not known whether the lane computes. Nothing where all is known.
  std::optional<Nanoseconds> knownUntil(int lane) const;
  /// Of a span of a track; nothing for one nested too deeply to be drawn.
  std::optional<SpanRef> refOf(std::size_t track, std::size_t span) const;
  QString laneName(int lane) const;
  QString laneDevice(int lane) const;  ///< empty when it says no more than the name
  /// -1 where all lanes train one copy of the model, of a lane that does nothing, and of two runs on one axis.
  int replicaOf(int lane) const { return m_replicas.empty() ? -1 : m_replicas[static_cast<std::size_t>(lane)]; }
  /// Actions that an error ended, few.
  const std::vector<SpanRef>& failures() const { return m_failures; }
  /// What stands inside the span: "F3", "U"; "1F3" where a lane holds several stages; the span's name for anything that
  /// is no action.
  QString label(const Span& span) const;
  /// Whether labels of actions name their stage.
  bool namesStages() const { return m_digest.severalStages(); }

  /// The action of another stage whose result this action takes; nothing for the first stage's forward, the last one's
  /// backward and updates.
  std::optional<SpanRef> producerOf(SpanRef ref) const;
  /// Idle time right before an action, back to the lane's action before or the step's start.
  Nanoseconds idleBefore(SpanRef ref) const;
  /// Why the lane was idle, piece by piece, by start; empty for very long traces, where it is the gap table's to say.
  const std::vector<CausePiece>& causesOf(int lane) const { return m_causes[static_cast<std::size_t>(lane)]; }
  /// The same, added up within a range. A binary search and a visit of each piece in the range.
  CauseTimes causesWithin(int lane, TimeRange range) const;
  /// What the lanes are and what their order does, for advice; without lanes. Null where causes are not known.
  const IdleCauses* order() const { return m_order ? &*m_order : nullptr; }
  /// What was predicted of each step; null when nothing was.
  const Prediction* prediction() const { return m_prediction ? &*m_prediction : nullptr; }
  /// How long an action was expected to take; nothing where it was not predicted.
  std::optional<Nanoseconds> expectedLength(SpanRef ref) const;
  /// The span under a time in a row, give or take `tolerance`; the longest when there are several.
  std::optional<SpanRef> spanAt(std::size_t row, Nanoseconds time, Nanoseconds tolerance) const;

 private:
  struct LaneBusy {
    std::optional<double> share;
    std::vector<StepWindow> windows;
    std::vector<Nanoseconds> by_window;
  };
  void findPeriods();
  void findFailures();
  void findCauses(const TimelineData* earlier);
  void findReplicas(const TimelineData* earlier);
  void findBusy(std::size_t lane, const TimelineData* earlier);

  std::shared_ptr<const Trace> m_trace;
  std::shared_ptr<const AlignedRuns> m_aligned;
  TraceDigest m_digest;
  std::vector<Stretch> m_stretches;
  std::vector<std::vector<StepWindow>> m_periods;  ///< by lane; empty where no steps overlap
  std::vector<Row> m_rows;
  std::vector<RowKind> m_row_kinds;
  std::vector<int> m_replicas;  ///< by lane; empty if there is only one
  bool m_computes = false;
  bool m_evaluates = false;
  bool m_communicates = false;
  std::vector<LaneBusy> m_busy;  ///< by lane
  std::vector<SpanRef> m_failures;
  std::optional<Prediction> m_prediction;
  std::vector<std::vector<CausePiece>> m_causes;  ///< by lane
  std::optional<IdleCauses> m_order;
  mutable std::optional<std::vector<CounterRow>> m_counters;
};

}  // namespace lanelab
