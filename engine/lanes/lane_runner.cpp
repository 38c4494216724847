// SPDX-License-Identifier: GPL-3.0-only
#include "engine/lanes/lane_runner.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <new>

#include "base/stop_point.h"
#include "engine/lanes/action_span.h"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace lanelab {
namespace {

// About what a sleep and a wake cost: longer would burn the core for nothing, and waits in real training are far
// longer.
constexpr Nanoseconds kSpinLimit = 20'000;
constexpr int kLooksPerClock = 64;
// What the host does in less is not worth a span, which takes time itself.
constexpr Nanoseconds kShortestHostSpan = 5'000;

constexpr Nanoseconds kMemoryInterval = 1'000'000;  // at most a thousand values a second and lane

void relaxCpu() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

const char* wordsFor(ActionKind kind) {
  switch (kind) {
    case ActionKind::Forward: return "forward";
    case ActionKind::Backward: return "backward";
    case ActionKind::BackwardInput: return "input gradient";
    case ActionKind::BackwardWeight: return "weight gradient";
    case ActionKind::Update: return "update";
  }
  return "";
}

/// As readers count.
std::string shownStepName(int step) { return "step " + std::to_string(step + 1); }

}  // namespace

std::string describeLane(LaneId lane, const LaneInfo& info) {
  const bool named = !info.name.empty() && info.name != info.device;
  return "Lane " + std::to_string(lane.value) + " (" + (named ? info.name + ", " : "") + info.device + ")";
}

std::string currentExceptionMessage() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return "out of memory: choose a smaller split size, batch or input.";
  } catch (const std::exception& error) {
    const std::string text = error.what();
    return text.substr(0, text.find('\n'));
  } catch (...) {
    return "an exception without a message.";
  }
}

LaneRunner::LaneRunner(LaneId lane, LaneInfo info, LaneProgram program, LoopShared& shared)
    : m_lane(lane),
      m_info(std::move(info)),
      m_program(std::move(program)),
      m_shared(shared),
      m_names(m_program.size()),
      m_stamps(m_program.size()) {
  for (const Instruction& instruction : m_program) {
    if (instruction.input >= 0)
      m_shared.mailboxes[static_cast<std::size_t>(instruction.input)].setReader(&m_wake_signal);
  }
  m_shared.gate.addWakeSignal(&m_wake_signal);
}

void LaneRunner::recordTo(TraceBuilder* trace) {
  if (m_trace) m_trace->setLive(m_compute, Liveness::Ended);
  m_trace = trace;
  m_memory.reset();
  m_memory_sampled = 0;
  if (!trace) return;
  if (m_worker->heldBytes()) m_memory = trace->addCounter(m_lane.value, "memory", "bytes");
  m_compute = trace->addTrack(m_lane.value, Track::Kind::Compute, "compute");
  m_transfer = trace->addTrack(m_lane.value, Track::Kind::Transfer, "transfer");
  m_host = trace->addTrack(m_lane.value, Track::Kind::Host, "host");
  m_data_name = trace->intern("wait for data");
  m_lanes_name = trace->intern("wait for the other lanes");
  m_device_name = trace->intern("wait for the device");
  m_evaluation_name = trace->intern("evaluation");
  m_recording_name = trace->intern("recording");
  m_replicas_name = trace->intern("wait for the other replicas");
  for (std::size_t i = 0; i < m_program.size(); ++i) {
    const Instruction& instruction = m_program[i];
    const std::string name = toString(instruction.action);
    m_names[i].action = trace->intern(name);
    if (instruction.output >= 0) m_names[i].transfer = trace->intern("send " + name);
    if (instruction.input < 0) continue;
    m_names[i].wait = trace->intern("wait for " + toString(instruction.producer));
    m_names[i].ready = trace->intern("wait for the device to end " + toString(instruction.producer));
  }
  trace->setLive(m_compute, m_worker->deviceClock() ? Liveness::Later : Liveness::Current);
}

void LaneRunner::recordEvaluation(TimeRange range) {
  if (!m_trace || range.empty()) return;
  m_trace->append(
      m_compute, {.start = range.start, .end = range.end, .name = m_evaluation_name, .category = Category::Evaluation});
}

std::optional<LaneStep> LaneRunner::runStep(const StepCommand& command, bool meets) {
  m_step = command.step;
  m_recording = m_trace && command.recorded;
  m_done = {};
  m_done.computed = {std::numeric_limits<Nanoseconds>::max(), std::numeric_limits<Nanoseconds>::min()};
  beginStep(command);
  if (meets) meet(command.step);
  if (!runActions(command.step) || !endStep(command.step)) {
    abandonStep();
    return std::nullopt;
  }
  m_done.finished = monotonicNow();
  return m_done;
}

void LaneRunner::beginStep(const StepCommand& command) {
  try {
    if (m_shared.gate.closed()) return;
    m_done.waited_for_data = m_worker->beginStep({command.step, m_recording});
    if (!m_recording || m_done.waited_for_data.empty()) return;
    recordHost(Category::Data, m_data_name, m_done.waited_for_data, command.step);
    m_done.computed.start = m_done.waited_for_data.start;  // a lane that waits for its data has begun its step
  } catch (const Stopped&) {
    m_shared.gate.close(Error::cancelled());
  } catch (...) {
    fail("begin of " + shownStepName(command.step), currentExceptionMessage());
  }
}

void LaneRunner::meet(int step) {
  const Nanoseconds arrived = monotonicNow();
  m_shared.start_barrier.arrive([this] { m_shared.started = monotonicNow(); });
  // Only a lane that has waited for its data has begun its step before this.
  if (!m_done.waited_for_data.empty()) recordHost(Category::Sync, m_lanes_name, {arrived, monotonicNow()}, step);
}

bool LaneRunner::endStep(int step) {
  try {
    const Nanoseconds issued = monotonicNow();
    m_done.loss = m_worker->endStep();
    if (m_recording && m_worker->deviceClock()) {
      recordHost(Category::Sync, m_device_name, {issued, monotonicNow()}, step);
      for (std::size_t i = 0; i < m_program.size(); ++i) record(i, step, true);
    }
    return true;
  } catch (const Stopped&) {
    m_shared.gate.close(Error::cancelled());
  } catch (...) {
    fail("end of " + shownStepName(step), currentExceptionMessage());
  }
  return false;
}

void LaneRunner::abandonStep() {
  try {
    m_worker->abandonStep(m_shared.gate.reason().ok() ? "it left the step" : m_shared.gate.reason().error().message);
  } catch (...) {
    fail("end of an unfinished step", currentExceptionMessage());
  }
}

void LaneRunner::recordHost(Category category, std::uint32_t name, TimeRange range, int step) {
  if (!m_recording || range.length() < kShortestHostSpan) return;
  m_trace->append(m_host, {.start = range.start, .end = range.end, .name = name, .step = step, .category = category});
}

bool LaneRunner::runActions(int step) {
  Nanoseconds now = monotonicNow();
  for (std::size_t i = 0; i < m_program.size(); ++i) {
    if (m_shared.gate.closed()) return false;
    const Instruction& instruction = m_program[i];
    Stamps& stamps = m_stamps[i];
    stamps.taken = now;
    if (m_recording) sampleMemory(now);
    Packet packet;
    if (!receive(instruction, packet, stamps.waited)) return false;
    stamps.received = stamps.ready = stamps.started = stamps.waited ? monotonicNow() : stamps.taken;
    try {
      compute(i, packet, stamps);
    } catch (const Stopped&) {
      m_shared.gate.close(Error::cancelled());
      return false;
    } catch (...) {
      fail(placeOf(instruction.action), currentExceptionMessage());
      if (m_recording) recordFailed(instruction, stamps, step);
      return false;
    }
    now = stamps.ended;
    if (instruction.output >= 0) {
      m_shared.mailboxes[static_cast<std::size_t>(instruction.output)].put(std::move(packet));
      now = stamps.handed = monotonicNow();
    }
    if (m_recording) now = recordBetween(i, step, now);
  }
  if (m_recording) sampleMemory(monotonicNow());
  return true;
}

void LaneRunner::compute(std::size_t index, Packet& packet, Stamps& stamps) {
  if (packet && m_worker->awaitInput(packet)) stamps.ready = stamps.started = monotonicNow();
  if (m_worker->awaitOthers(m_program[index].action)) stamps.started = monotonicNow();
  ActionClock* const clock = m_recording ? m_worker->deviceClock() : nullptr;
  const bool timed_here = m_recording && !clock;
  if (timed_here) publish(index, stamps);
  const Nanoseconds cpu = timed_here ? threadCpuNow() : 0;
  if (clock) clock->begin(index);
  packet = m_worker->perform(m_program[index].action, std::move(packet));
  if (clock) clock->end(index);
  const Nanoseconds had = timed_here ? threadCpuNow() - cpu : -1;
  stamps.ended = monotonicNow();
  stamps.cpu = std::min(had, stamps.ended - stamps.started);  // two clocks, read one after the other
}

/// So that whoever watches the run sees the action while it is in progress.
void LaneRunner::publish(std::size_t index, const Stamps& stamps) {
  const TimeRange since{stamps.started, 0};
  m_trace->begin(m_compute,
                 actionSpan(m_program[index].action, Category::Action, m_step, since, m_names[index].action));
}

/// When it is done. After the step's last action nothing waits for it.
Nanoseconds LaneRunner::recordBetween(std::size_t index, int step, Nanoseconds since) {
  try {
    m_worker->betweenActions();
    if (!m_worker->deviceClock()) record(index, step, false);
  } catch (...) {
    m_trace->noteDropped(1);
  }
  if (!m_worker->deviceClock()) m_trace->setLive(m_compute, Liveness::Current);
  const Nanoseconds now = monotonicNow();
  if (index + 1 < m_program.size()) recordHost(Category::Profiler, m_recording_name, {since, now}, step);
  return now;
}

bool LaneRunner::receive(const Instruction& instruction, Packet& packet, bool& waited) {
  waited = false;
  if (instruction.input < 0) return true;
  Mailbox& mailbox = m_shared.mailboxes[static_cast<std::size_t>(instruction.input)];
  waited = !mailbox.full();
  if (waited && !(m_shared.spin && spinFor(mailbox)) && !awaitFull(mailbox, m_wake_signal, m_shared.gate)) return false;
  packet = mailbox.take();
  return true;
}

// True when the packet came; a closed gate is noticed by the caller.
bool LaneRunner::spinFor(const Mailbox& mailbox) const {
  const Nanoseconds limit = monotonicNow() + kSpinLimit;
  while (monotonicNow() < limit && !m_shared.gate.closed()) {
    for (int look = 0; look < kLooksPerClock; ++look) {
      if (mailbox.full()) return true;
      relaxCpu();
    }
  }
  return false;
}

void LaneRunner::record(std::size_t index, int step, bool device_times) {
  const Instruction& instruction = m_program[index];
  const Stamps& stamps = m_stamps[index];
  const Names& names = m_names[index];
  if (stamps.waited) {
    const TimeRange waited{stamps.taken, stamps.received};
    m_trace->append(m_host, actionSpan(instruction.action, Category::Wait, step, waited, names.wait));
  }
  recordHost(Category::Sync, names.ready, {stamps.received, stamps.ready}, step);
  recordHost(Category::Sync, m_replicas_name, {stamps.ready, stamps.started}, step);

  const TimeRange time = device_times ? m_worker->deviceClock()->time(index) : TimeRange{stamps.started, stamps.ended};
  Span action = actionSpan(instruction.action, Category::Action, step, time, names.action);
  // Only with its input at hand the lane can begin; what lay between the input's arrival and that was the host, which
  // woke late.
  action.mark = device_times ? stamps.ended : stamps.started;
  if (!device_times) action.cpu = stamps.cpu;
  m_trace->append(m_compute, action);
  m_done.computed = hullOf(m_done.computed, action.range());

  if (instruction.output < 0) return;
  const TimeRange handed{stamps.ended, stamps.handed};
  Span transfer = actionSpan(instruction.action, Category::Transfer, step, handed, names.transfer);
  transfer.mark = stamps.ended;
  m_trace->append(m_transfer, transfer);
}

// The error may have been a lack of memory, so that there is none for the span either.
void LaneRunner::recordFailed(const Instruction& instruction, const Stamps& stamps, int step) {
  try {
    const std::uint32_t name = m_trace->intern(toString(instruction.action) + std::string(kFailedSuffix));
    Span span = actionSpan(instruction.action, Category::Other, step, {stamps.started, monotonicNow()}, name);
    span.mark = stamps.started;
    m_trace->append(m_compute, span);
  } catch (...) {
    m_trace->noteDropped(1);
  }
  m_trace->setLive(m_compute, m_worker->deviceClock() ? Liveness::Later : Liveness::Current);
}

void LaneRunner::sampleMemory(Nanoseconds now) {
  if (!m_memory || now - m_memory_sampled < kMemoryInterval) return;
  m_memory_sampled = now;
  if (const auto bytes = m_worker->heldBytes()) m_trace->appendValue(*m_memory, now, static_cast<double>(*bytes));
}

std::string LaneRunner::placeOf(const Action& action) const {
  const std::string stage = "stage " + std::to_string(action.stage.value);
  const std::string micro_batch =
      action.kind == ActionKind::Update ? "" : ", micro-batch " + std::to_string(action.micro_batch.value);
  return stage + micro_batch + ", " + wordsFor(action.kind);
}

void LaneRunner::fail(const std::string& place, const std::string& message) {
  m_shared.gate.close(Error::failed("{}, {}: {}", title(), place, message));
}

}  // namespace lanelab
