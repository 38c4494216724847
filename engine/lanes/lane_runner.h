// SPDX-License-Identifier: GPL-3.0-only
// Executes one lane's program step by step on the lane's own thread, and records what it did.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/lanes/lane_program.h"
#include "engine/lanes/lane_worker.h"
#include "engine/lanes/mailbox.h"
#include "engine/lanes/step_gate.h"
#include "engine/lanes/step_reports.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab {

/// "Lane 1 (cpu:1)", or "Lane 1 (left, cpu:1)" when the user named it.
std::string describeLane(LaneId lane, const LaneInfo& info);

/// What an exception says in one line (LibTorch appends a stack trace below it). Call within a catch block.
std::string currentExceptionMessage();

/// What all lanes of a loop share.
struct LoopShared {
  std::vector<Mailbox> mailboxes;
  StepGate gate;
  StartBarrier start_barrier;
  Nanoseconds started = 0;  ///< when all lanes began together
  bool spin = false;        ///< each lane that works has a core of its own, so that a waiting one may spin briefly
};

class LaneRunner {
 public:
  LaneRunner(LaneId lane, LaneInfo info, LaneProgram program, LoopShared& shared);

  std::unique_ptr<LaneWorker>& worker() { return m_worker; }
  std::string title() const { return describeLane(m_lane, m_info); }

  /// Between runs: makes the lane's tracks and names, or stops recording (null).
  void recordTo(TraceBuilder* trace);
  /// The lane's thread: it evaluated the model between two steps.
  void recordEvaluation(TimeRange range);

  /// On the lane's thread. Never throws: what goes wrong closes the gate. Nothing when the step was left early. With
  /// `meets` the first action waits until all lanes have come that far.
  std::optional<LaneStep> runStep(const StepCommand& command, bool meets);

 private:
  struct Stamps {
    Nanoseconds taken = 0;     ///< the lane came to the action
    Nanoseconds received = 0;  ///< its input had come
    Nanoseconds ready = 0;     ///< and was ready for use
    Nanoseconds started = 0;   ///< as was what it needs of other replicas
    Nanoseconds ended = 0;     ///< the worker returned
    Nanoseconds handed = 0;    ///< the output was in its mailbox
    Nanoseconds cpu = -1;      ///< that the lane's thread had between `started` and `ended`
    bool waited = false;
  };
  struct Names {
    std::uint32_t action = 0, transfer = 0, wait = 0, ready = 0;
  };

  /// Before the first action: what the worker prepares, and the meeting with the other lanes.
  void beginStep(const StepCommand& command);
  void meet(int step);
  bool runActions(int step);
  bool endStep(int step);
  void abandonStep();
  bool receive(const Instruction& instruction, Packet& packet, bool& waited);
  bool spinFor(const Mailbox& mailbox) const;
  void compute(std::size_t index, Packet& packet, Stamps& stamps);
  void publish(std::size_t index, const Stamps& stamps);
  Nanoseconds recordBetween(std::size_t index, int step, Nanoseconds since);
  void record(std::size_t index, int step, bool device_times);
  /// What the lane's host did, if it took long enough to be seen.
  void recordHost(Category category, std::uint32_t name, TimeRange range, int step);
  void recordFailed(const Instruction& instruction, const Stamps& stamps, int step);
  void sampleMemory(Nanoseconds now);
  std::string placeOf(const Action& action) const;
  void fail(const std::string& place, const std::string& message);

  LaneId m_lane;
  LaneInfo m_info;
  LaneProgram m_program;
  LoopShared& m_shared;
  WakeSignal m_wake_signal;
  std::unique_ptr<LaneWorker> m_worker;
  LaneStep m_done;  ///< of the step in progress, so far

  TraceBuilder* m_trace = nullptr;
  bool m_recording = false;  ///< this step
  int m_step = 0;
  TrackIndex m_compute, m_transfer, m_host;
  std::optional<CounterIndex> m_memory;  ///< where the worker counts it
  Nanoseconds m_memory_sampled = 0;
  std::uint32_t m_data_name = 0, m_lanes_name = 0, m_device_name = 0, m_evaluation_name = 0, m_recording_name = 0,
                m_replicas_name = 0;
  std::vector<Names> m_names;
  std::vector<Stamps> m_stamps;
};

}  // namespace lanelab
