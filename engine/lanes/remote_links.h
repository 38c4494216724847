// SPDX-License-Identifier: GPL-3.0-only
// Ways between the lanes of this process and those of others: what crosses a stage boundary there goes over a carrier
// instead of through a mailbox.
//
// One link for each pair of lanes and direction, first in, first out, in the order in which the sending lane makes its
// packets. So no packet waits behind one that is made later, and a schedule that is legal within one process cannot
// deadlock across several.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/lanes/lane_program.h"
#include "engine/lanes/lane_thread.h"
#include "engine/lanes/lane_worker.h"
#include "engine/lanes/step_gate.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab {

/// The end of a link in this process. Used on one thread; blocks; throws when the other end is gone.
class PacketCarrier {
 public:
  virtual ~PacketCarrier() = default;
  virtual void send(int mailbox, const Packet& packet) = 0;
  virtual Packet receive(int mailbox) = 0;
};

struct LinkPlan {
  LaneId from, to;
  bool outgoing = false;          ///< from a lane of this process
  std::vector<int> mailboxes;     ///< of one step, in order
  std::vector<Action> producers;  ///< what fills each of them
};

/// The links between lanes that are here and lanes that are not.
std::vector<LinkPlan> remoteLinkPlans(const std::vector<LaneProgram>& programs, const std::vector<bool>& here);

using CarrierFactory = std::function<std::unique_ptr<PacketCarrier>(const LinkPlan& link)>;

/// Carries the packets of a step on a thread of its own, and records when each went away or came
/// (profiler/trace/joined_trace.h tells how that becomes one transfer).
class RemoteLink {
 public:
  RemoteLink(LinkPlan plan, std::unique_ptr<PacketCarrier> carrier, std::vector<Mailbox>& mailboxes, StepGate& gate);

  /// Between runs: makes its row, or stops recording (null).
  void recordTo(TraceBuilder* trace);

  /// What goes wrong closes the gate.
  void beginStep(const StepCommand& command);
  /// Whether all packets were carried.
  bool endStep();

 private:
  void carry(const StepCommand& command);
  void carryOne(std::size_t index, Mailbox& mailbox, const StepCommand& command);

  const LinkPlan m_plan;
  const std::unique_ptr<PacketCarrier> m_carrier;
  std::vector<Mailbox>& m_mailboxes;
  StepGate& m_gate;
  WakeSignal m_wake_signal;
  TraceBuilder* m_trace = nullptr;
  TrackIndex m_track;
  std::vector<std::uint32_t> m_names;  ///< of what goes through each mailbox
  bool m_complete = false;
  LaneThread m_thread;  ///< last: it uses the rest
};

}  // namespace lanelab
