// SPDX-License-Identifier: GPL-3.0-only
// Spans of torch's operators that a lane's work runs, by RecordFunction: on the lane's thread, and on autograd's own
// threads.
//
// Every operator gets the step, stage, micro-batch and phase that it works for. On the lane's thread that is the action
// at hand. On another thread it is what the autograd node at hand belongs to, which its sequence number tells
// (node_owners.h); nodes without one, such as gradient accumulation, run right after the node that feeds them and go
// with it.
#pragma once

#include <ATen/record_function.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "engine/torch/record/node_owners.h"
#include "engine/torch/record/operator_track.h"

namespace lanelab {

/// Made, used and destroyed on the lane's thread. The callback is that thread's own, so that other lanes and threads
/// pay nothing; torch takes it along (at::ThreadLocalState) wherever it works for the thread, such as to the thread
/// that autograd has for each GPU.
class OperatorRecorder {
 public:
  /// With the track that holds the lane's blocks, by the host's clock, operators go there and nest in them. Without,
  /// they get a track of their own, where spans named like the blocks enclose them.
  OperatorRecorder(TraceBuilder& trace, LaneId lane, std::optional<TrackIndex> blocks);
  ~OperatorRecorder();
  OperatorRecorder(const OperatorRecorder&) = delete;
  OperatorRecorder& operator=(const OperatorRecorder&) = delete;

  /// Leaves steps out, at the cost of none; between steps.
  void pause(bool paused);
  /// The graphs of earlier steps are gone.
  void beginStep() { m_owners.forget(); }
  void beginAction(int step, const Action& action);
  /// The forward of a block, or its deferred weight gradients, by its name in the trace. What is outside of blocks,
  /// such as the loss, belongs to the action only.
  void beginBlock(std::uint32_t name);
  void endBlock() { beginBlock(kNoBlock); }
  void endAction();

 private:
  static std::unique_ptr<at::ObserverContext> begins(const at::RecordFunction& function);
  static void ends(const at::RecordFunction& function, at::ObserverContext* context);
  void beginsHere(const at::RecordFunction& function);
  static void beginsElsewhere(const at::RecordFunction& function);
  static void endsElsewhere(const at::RecordFunction& function);
  /// Under the registry's lock; null where there is none.
  static OperatorRecorder* with(const std::uint64_t OperatorRecorder::*field, std::uint64_t value);
  OperatorTrack& trackOfThisThread();
  Phase phaseOnOtherThreads(const NodeOwner& owner) const;

  TraceBuilder& m_trace;
  const LaneId m_lane;
  const std::uint64_t m_number;  ///< no other recorder of the process ever has it
  const std::uint64_t m_thread;  ///< as autograd nodes name it
  const bool m_enclose;
  OperatorTrack m_track;
  NodeOwners m_owners;
  NodeOwner m_now;  ///< whom the lane's thread works for
  bool m_in_action = false;
  std::map<std::uint64_t, OperatorTrack> m_elsewhere;  ///< by thread; under the registry's lock
  at::CallbackHandle m_handle;
  bool m_paused = false;
};

}  // namespace lanelab
