#include "engine/torch/operator_recorder.h"

#include "engine/torch/block_recorder.h"

namespace lanelab {

namespace {

thread_local OperatorRecorder* t_recorder = nullptr;

struct Started : at::ObserverContext {
  Nanoseconds at = monotonicNow();
};

}  // namespace

OperatorRecorder::OperatorRecorder(TraceBuilder& trace, int lane)
    : m_trace(trace), m_track(trace.addTrack(lane, Track::Kind::Host, "operators")) {
  t_recorder = this;
  m_handle = at::addThreadLocalCallback(
      at::RecordFunctionCallback(&OperatorRecorder::begin, &OperatorRecorder::end)
          .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
}

OperatorRecorder::~OperatorRecorder() {
  at::removeCallback(m_handle);
  t_recorder = nullptr;
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
  m_step = step;
  m_action = action;
}

std::unique_ptr<at::ObserverContext> OperatorRecorder::begin(const at::RecordFunction&) { return std::make_unique<Started>(); }

void OperatorRecorder::end(const at::RecordFunction& function, at::ObserverContext* context) {
  OperatorRecorder* const self = t_recorder;
  if (!self || !context) return;
  Span span;
  span.start = static_cast<Started*>(context)->at;
  span.end = monotonicNow();
  span.name = self->nameOf(function.name());
  span.step = self->m_step;
  span.stage = static_cast<std::int16_t>(self->m_action.stage.value);
  span.micro_batch = static_cast<std::int16_t>(self->m_action.micro_batch.value);
  span.category = Category::CpuOp;
  span.phase = phaseOf(self->m_action.kind);
  self->m_trace.append(self->m_track, span);
}

std::uint32_t OperatorRecorder::nameOf(const char* name) {
  const auto [it, fresh] = m_names.try_emplace(name, 0);
  if (fresh) it->second = m_trace.intern(name);
  return it->second;
}

}  // namespace lanelab
