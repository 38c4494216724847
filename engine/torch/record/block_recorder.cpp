// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/record/block_recorder.h"

#include <algorithm>

#include "engine/lanes/action_span.h"
#include "engine/torch/nn/deferred_weights.h"

namespace lanelab {

void BlockRecorder::record(TraceBuilder* trace, LaneId lane, bool operators) {
  m_operators.reset();
  m_trace = trace;
  m_paused = false;
  m_arrivals.clear();
  m_pieces.clear();
  m_device.forgetMarks();
  m_block_range.reset();
  m_action_range.reset();
  m_step_range.reset();
  if (!trace) return;
  m_track = trace->addTrack(lane.value, Track::Kind::Detail, "blocks");
  for (Block& block : m_blocks) internNames(block);
  if (operators) m_operators.emplace(*trace, lane, m_device.asynchronous() ? std::nullopt : std::optional(m_track));
}

void BlockRecorder::beginStep(const StepCommand& command) {
  m_paused = !command.recorded;
  if (m_operators) m_operators->pause(m_paused);
  m_block_range.reset();
  m_action_range.reset();
  m_step_range.reset();
  m_step = command.step;
  if (nvtxListens()) m_step_range.emplace("step " + std::to_string(m_step));
  if (m_operators) m_operators->beginStep();
}

void BlockRecorder::beginAction(const Action& action) {
  m_action = action;
  m_arrived.reset();
  m_arrivals.clear();
  if (nvtxListens()) m_action_range.emplace(toString(action));
  if (m_operators) m_operators->beginAction(m_step, action);
}

std::uint32_t BlockRecorder::numberOf(const std::string& block) {
  const auto found =
      std::find_if(m_blocks.begin(), m_blocks.end(), [&](const Block& known) { return known.name == block; });
  if (found != m_blocks.end()) return static_cast<std::uint32_t>(found - m_blocks.begin());
  internNames(m_blocks.emplace_back(Block{block}));
  return static_cast<std::uint32_t>(m_blocks.size() - 1);
}

void BlockRecorder::internNames(Block& block) {
  if (!m_trace) return;
  block.in_trace = m_trace->intern(block.name);
  block.again_in_trace = m_trace->intern("recompute " + block.name);
}

void BlockRecorder::beginForward(const std::string& block) {
  m_forward = numberOf(block);
  if (nvtxListens()) m_block_range.emplace(block);
  if (recording()) m_forward_begin = m_device.mark();
  if (m_operators) m_operators->beginBlock(m_blocks[m_forward].in_trace);
}

void BlockRecorder::endForward(at::ArrayRef<at::Tensor> outputs) {
  const Block& block = m_blocks[m_forward];
  if (m_operators) m_operators->endBlock();
  if (recording()) {
    const bool again = m_action.kind != ActionKind::Forward;
    m_pieces.push_back(
        {again ? block.again_in_trace : block.in_trace, m_forward_begin, m_device.mark(), m_step, m_action});
  }
  m_block_range.reset();
  for (const at::Tensor& output : outputs) watch(output);
}

void BlockRecorder::watch(const at::Tensor& output) {
  if (!output.requires_grad()) return;
  output.register_hook([this, number = m_forward](const at::Tensor&) {
    arrive(number);
    if (DeferredWeights* const deferred = DeferredWeights::current()) deferred->label(number);
  });
}

void BlockRecorder::arrive(std::uint32_t block) {
  if (m_arrived == block) return;
  m_arrived = block;
  m_block_range.reset();
  if (nvtxListens()) m_block_range.emplace(m_blocks[block].name);
  if (recording()) m_arrivals.push_back({block, m_device.mark()});
  if (m_operators && m_action.kind == ActionKind::BackwardWeight) m_operators->beginBlock(m_blocks[block].in_trace);
}

void BlockRecorder::endAction() {
  if (!m_arrivals.empty()) {
    const std::size_t end = m_device.mark();
    for (std::size_t i = 0; i < m_arrivals.size(); ++i) {
      const std::size_t until = i + 1 < m_arrivals.size() ? m_arrivals[i + 1].mark : end;
      m_pieces.push_back({m_blocks[m_arrivals[i].block].in_trace, m_arrivals[i].mark, until, m_step, m_action});
    }
    m_arrivals.clear();
  }
  if (m_operators) m_operators->endAction();
  m_block_range.reset();
  m_action_range.reset();
}

void BlockRecorder::handOver() {
  if (m_device.asynchronous() || !m_trace) return;
  flush();
  m_device.forgetMarks();
}

void BlockRecorder::endStep() {
  flush();
  m_step_range.reset();
}

Span BlockRecorder::spanOf(const Piece& piece) const {
  const TimeRange time{m_device.timeOf(piece.begin), m_device.timeOf(piece.end)};
  Span span = actionSpan(piece.action, Category::Block, piece.step, time, piece.name);
  if (const Nanoseconds begin = m_device.cpuTimeOf(piece.begin); begin >= 0)
    span.cpu = std::min(m_device.cpuTimeOf(piece.end) - begin, time.length());
  return span;
}

void BlockRecorder::flush() {
  for (const Piece& piece : m_pieces) m_trace->append(m_track, spanOf(piece));
  m_pieces.clear();
}

}  // namespace lanelab
