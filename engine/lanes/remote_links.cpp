// SPDX-License-Identifier: GPL-3.0-only
#include "engine/lanes/remote_links.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "engine/lanes/action_span.h"
#include "engine/lanes/lane_runner.h"
#include "profiler/trace/joined_trace.h"

namespace lanelab {
namespace {

/// Which lane takes from each mailbox, where one does.
std::vector<std::optional<LaneId>> mailboxReaders(const std::vector<LaneProgram>& programs) {
  std::vector<std::optional<LaneId>> readers;
  for (std::size_t lane = 0; lane < programs.size(); ++lane) {
    for (const Instruction& instruction : programs[lane]) {
      const auto input = static_cast<std::size_t>(std::max(0, instruction.input));
      if (instruction.input < 0) continue;
      if (readers.size() <= input) readers.resize(input + 1);
      readers[input] = LaneId(lane);
    }
  }
  return readers;
}

}  // namespace

std::vector<LinkPlan> remoteLinkPlans(const std::vector<LaneProgram>& programs, const std::vector<bool>& here) {
  const std::vector<std::optional<LaneId>> readers = mailboxReaders(programs);
  std::map<std::pair<std::size_t, std::size_t>, LinkPlan> links;
  for (std::size_t from = 0; from < programs.size(); ++from) {
    for (const Instruction& instruction : programs[from]) {
      if (instruction.output < 0) continue;
      const std::size_t to = readers[static_cast<std::size_t>(instruction.output)].value().index();
      if (here[from] == here[to]) continue;
      LinkPlan& link = links[{from, to}];
      link.from = LaneId(from);
      link.to = LaneId(to);
      link.outgoing = here[from];
      link.mailboxes.push_back(instruction.output);
      link.producers.push_back(instruction.action);
    }
  }
  std::vector<LinkPlan> all;
  for (auto& [lanes, link] : links) all.push_back(std::move(link));
  return all;
}

RemoteLink::RemoteLink(LinkPlan plan, std::unique_ptr<PacketCarrier> carrier, std::vector<Mailbox>& mailboxes,
                       StepGate& gate)
    : m_plan(std::move(plan)),
      m_carrier(std::move(carrier)),
      m_mailboxes(mailboxes),
      m_gate(gate),
      m_thread(std::to_string(m_plan.from.value) + " to " + std::to_string(m_plan.to.value)) {
  if (!m_plan.outgoing) return;
  for (const int mailbox : m_plan.mailboxes) m_mailboxes[static_cast<std::size_t>(mailbox)].setReader(&m_wake_signal);
  m_gate.addWakeSignal(&m_wake_signal);
}

void RemoteLink::recordTo(TraceBuilder* trace) {
  m_trace = trace;
  m_names.clear();
  if (!trace) return;
  m_track = trace->addTrack((m_plan.outgoing ? m_plan.from : m_plan.to).value, Track::Kind::Transfer,
                            std::string(m_plan.outgoing ? kSentAway : kComeHere));
  for (const Action& producer : m_plan.producers)
    m_names.push_back(trace->intern((m_plan.outgoing ? "send " : "take ") + toString(producer)));
}

void RemoteLink::beginStep(const StepCommand& command) {
  m_complete = false;
  m_thread.post([this, command] {
    try {
      carry(command);
    } catch (...) {
      const std::string way =
          "lane " + std::to_string(m_plan.from.value) + " to lane " + std::to_string(m_plan.to.value);
      m_gate.close(Error::failed("The way from {} broke: {}", way, currentExceptionMessage()));
    }
  });
}

bool RemoteLink::endStep() {
  m_thread.wait();
  return m_complete;
}

void RemoteLink::carry(const StepCommand& command) {
  for (std::size_t i = 0; i < m_plan.mailboxes.size(); ++i) {
    Mailbox& mailbox = m_mailboxes[static_cast<std::size_t>(m_plan.mailboxes[i])];
    if (m_gate.closed()) return;
    if (m_plan.outgoing && !awaitFull(mailbox, m_wake_signal, m_gate)) return;
    carryOne(i, mailbox, command);
  }
  m_complete = true;
}

void RemoteLink::carryOne(std::size_t index, Mailbox& mailbox, const StepCommand& command) {
  const int number = m_plan.mailboxes[index];
  Nanoseconds start = monotonicNow();
  if (m_plan.outgoing) {
    m_carrier->send(number, mailbox.take());
  } else {
    Packet packet = m_carrier->receive(number);
    start = monotonicNow();
    mailbox.put(std::move(packet));
  }
  if (!m_trace || !command.recorded) return;
  const TimeRange time{start, monotonicNow()};
  m_trace->append(m_track, actionSpan(m_plan.producers[index], Category::Transfer, command.step, time, m_names[index]));
}

}  // namespace lanelab
