// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/record/operator_recorder.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "engine/lanes/action_span.h"

namespace lanelab {

namespace {

thread_local OperatorRecorder* t_recorder = nullptr;  ///< of the lane whose thread this is

/// Of a thread that is no lane's: whose node it ran last.
struct Errand {
  std::uint64_t recorder = 0;
  NodeOwner owner;
};
thread_local Errand t_errand;

/// All recorders, for threads that are no lane's. Held while such a thread uses one.
struct Registry {
  std::mutex mutex;
  std::vector<OperatorRecorder*> recorders;
};
Registry& registry() {
  static Registry instance;
  return instance;
}

std::uint64_t nextNumber() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

/// Autograd's engine wraps every node, which is recorded itself, in an operator of its own; gradients reach the borders
/// of blocks within that.
bool isWrapper(const at::RecordFunction& function) {
  constexpr const char* kPrefix = "autograd::engine::";
  static const std::size_t length = std::strlen(kPrefix);
  return std::strncmp(function.name(), kPrefix, length) == 0;
}

/// "autograd cuda:0" for the thread that autograd keeps for that GPU.
std::string nameOfThisThread() {
  constexpr std::string_view kDeviceThread = "pt_autograd_";
  std::array<char, 16> text{};
  pthread_getname_np(pthread_self(), text.data(), text.size());
  const std::string name = text.data();
  return "autograd " + (name.starts_with(kDeviceThread) ? "cuda:" + name.substr(kDeviceThread.size()) : name);
}

}  // namespace

OperatorRecorder::OperatorRecorder(TraceBuilder& trace, LaneId lane, std::optional<TrackIndex> blocks)
    : m_trace(trace),
      m_lane(lane),
      m_number(nextNumber()),
      m_thread(at::RecordFunction::currentThreadId()),
      m_enclose(!blocks),
      m_track(trace, blocks ? *blocks : trace.addTrack(lane.value, Track::Kind::Host, "operators"),
              blocks ? OperatorTrack::Blocks::Nest : OperatorTrack::Blocks::Enclose) {
  t_recorder = this;
  {
    const std::lock_guard lock(registry().mutex);
    registry().recorders.push_back(this);
  }
  m_handle = at::addThreadLocalCallback(at::RecordFunctionCallback(&OperatorRecorder::begins, &OperatorRecorder::ends)
                                            .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
}

OperatorRecorder::~OperatorRecorder() {
  at::removeCallback(m_handle);
  t_recorder = nullptr;
  const std::lock_guard lock(registry().mutex);
  std::erase(registry().recorders, this);
}

void OperatorRecorder::pause(bool paused) {
  if (paused == m_paused) return;
  m_paused = paused;
  if (paused)
    at::disableCallback(m_handle);
  else
    at::reenableCallback(m_handle);
}

void OperatorRecorder::beginAction(int step, const Action& action) {
  m_now = {action, step, kNoBlock};
  m_in_action = true;
  m_owners.begin(m_now);
}

void OperatorRecorder::beginBlock(std::uint32_t name) {
  m_now.block = name;
  m_owners.begin(m_now);
}

void OperatorRecorder::endAction() {
  m_in_action = false;
  m_owners.end();
  m_track.closeBlock();
  const std::lock_guard lock(registry().mutex);
  for (auto& [thread, track] : m_elsewhere) track.closeBlock();
}

std::unique_ptr<at::ObserverContext> OperatorRecorder::begins(const at::RecordFunction& function) {
  if (isWrapper(function)) return nullptr;
  if (t_recorder) {
    t_recorder->beginsHere(function);
  } else {
    beginsElsewhere(function);
  }
  return nullptr;
}

void OperatorRecorder::beginsHere(const at::RecordFunction& function) {
  if (!m_in_action) return;
  if (m_enclose && function.scope() == at::RecordScope::BACKWARD_FUNCTION) {
    if (const NodeOwner* const owner = m_owners.ownerOf(function.seqNr())) m_now.block = owner->block;
  }
  m_track.begins();
}

void OperatorRecorder::ends(const at::RecordFunction& function, at::ObserverContext*) {
  if (isWrapper(function)) return;
  if (!t_recorder) {
    endsElsewhere(function);
  } else if (t_recorder->m_in_action) {
    t_recorder->m_track.ends(function.name(), t_recorder->m_now, phaseOf(t_recorder->m_now.action.kind));
  }
}

OperatorRecorder* OperatorRecorder::with(const std::uint64_t OperatorRecorder::*field, std::uint64_t value) {
  const auto found =
      std::ranges::find(registry().recorders, value, [&](const OperatorRecorder* one) { return one->*field; });
  return found == registry().recorders.end() ? nullptr : *found;
}

void OperatorRecorder::beginsElsewhere(const at::RecordFunction& function) {
  const std::lock_guard lock(registry().mutex);
  if (function.scope() == at::RecordScope::BACKWARD_FUNCTION) {
    OperatorRecorder* const recorder = with(&OperatorRecorder::m_thread, function.forwardThreadId());
    const NodeOwner* const owner = recorder ? recorder->m_owners.ownerOf(function.seqNr()) : nullptr;
    if (owner) t_errand = {recorder->m_number, *owner};
  }
  if (OperatorRecorder* const recorder = with(&OperatorRecorder::m_number, t_errand.recorder))
    recorder->trackOfThisThread().begins();
}

void OperatorRecorder::endsElsewhere(const at::RecordFunction& function) {
  const std::lock_guard lock(registry().mutex);
  OperatorRecorder* const recorder = with(&OperatorRecorder::m_number, t_errand.recorder);
  if (recorder)
    recorder->trackOfThisThread().ends(function.name(), t_errand.owner, recorder->phaseOnOtherThreads(t_errand.owner));
}

OperatorTrack& OperatorRecorder::trackOfThisThread() {
  const std::uint64_t thread = at::RecordFunction::currentThreadId();
  const auto known = m_elsewhere.find(thread);
  if (known != m_elsewhere.end()) return known->second;
  const TrackIndex track = m_trace.addTrack(m_lane.value, Track::Kind::Host, nameOfThisThread());
  return m_elsewhere.try_emplace(thread, m_trace, track, OperatorTrack::Blocks::Enclose).first->second;
}

/// Such threads work while the lane waits in its backward action, whole or the input part.
Phase OperatorRecorder::phaseOnOtherThreads(const NodeOwner& owner) const {
  const bool same = m_now.action.stage == owner.action.stage && m_now.action.micro_batch == owner.action.micro_batch;
  return same && m_now.action.kind != ActionKind::Forward ? phaseOf(m_now.action.kind) : Phase::Backward;
}

}  // namespace lanelab
