#include "engine/torch/block_recorder.h"

#include <algorithm>

#include "engine/torch/deferred_weights.h"

namespace lanelab {

Phase phaseOf(ActionKind kind) { return phaseOfLetter(letterOf(kind)); }

void BlockRecorder::record(TraceBuilder* trace, int lane) {
  m_trace = trace;
  m_paused = false;
  m_names.clear();
  m_arrivals.clear();
  m_pieces.clear();
  m_device.forgetMarks();
  if (trace) m_track = trace->addTrack(lane, Track::Kind::Detail, "blocks");
}

void BlockRecorder::beginAction(int step, const Action& action) {
  m_step = step;
  m_action = action;
  m_arrivals.clear();
}

std::uint32_t BlockRecorder::nameOf(const std::string& block) {
  const auto found = std::find_if(m_names.begin(), m_names.end(), [&](const auto& named) { return named.first == block; });
  if (found != m_names.end()) return found->second;
  return m_names.emplace_back(block, m_trace->intern(block)).second;
}

void BlockRecorder::forwardEnds(const std::string& block, std::size_t begin, const at::Tensor& output) {
  const std::uint32_t name = nameOf(block);
  const bool again = m_action.kind != ActionKind::Forward;
  m_pieces.push_back({again ? nameOf("recompute " + block) : name, begin, m_device.mark(), m_step, m_action});
  if (output.requires_grad()) {
    output.register_hook([this, name](const at::Tensor&) {
      m_arrivals.push_back({name, m_device.mark()});
      if (DeferredWeights* const deferred = DeferredWeights::current()) deferred->label(name);
    });
  }
}

void BlockRecorder::endAction() {
  if (!m_arrivals.empty()) {
    const std::size_t end = m_device.mark();
    for (std::size_t i = 0; i < m_arrivals.size(); ++i) {
      const std::size_t until = i + 1 < m_arrivals.size() ? m_arrivals[i + 1].mark : end;
      m_pieces.push_back({m_arrivals[i].name, m_arrivals[i].mark, until, m_step, m_action});
    }
    m_arrivals.clear();
  }
  if (!m_device.asynchronous()) flush();
}

void BlockRecorder::endStep() {
  if (m_device.asynchronous()) flush();
}

void BlockRecorder::flush() {
  for (const Piece& piece : m_pieces) {
    Span span;
    span.start = m_device.timeOf(piece.begin);
    span.end = m_device.timeOf(piece.end);
    span.name = piece.name;
    span.step = piece.step;
    span.stage = static_cast<std::int16_t>(piece.action.stage.value);
    span.micro_batch = static_cast<std::int16_t>(piece.action.micro_batch.value);
    span.category = Category::Block;
    span.phase = phaseOf(piece.action.kind);
    if (m_trace) m_trace->append(m_track, span);
  }
  m_pieces.clear();
  if (!m_device.asynchronous()) m_device.forgetMarks();
}

}  // namespace lanelab
