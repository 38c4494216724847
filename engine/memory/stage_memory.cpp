// SPDX-License-Identifier: GPL-3.0-only
#include "engine/memory/stage_memory.h"

#include <algorithm>

#include "engine/memory/stage_replay.h"

namespace lanelab {

MemoryParts& MemoryParts::operator+=(const MemoryParts& other) {
  parameters += other.parameters;
  gradients += other.gradients;
  optimizer += other.optimizer;
  activations += other.activations;
  transfers += other.transfers;
  workspace += other.workspace;
  return *this;
}

std::int64_t weightNumbers(const BlockOp& op) {
  if (op.kind == OpKind::Convolution) return op.from[0] * op.to[0] * op.kernel * op.kernel;
  return op.kind == OpKind::Linear ? numbersOf(op.from) * op.to[0] : 0;
}

StageMemory::StageMemory(const ModelSpec& model, const Stage& stage, const TrainingMemory& training, int cpu_threads)
    : m_training(training),
      m_threads(cpu_threads),
      m_first(stage.first.value == 0),
      m_last(stage.end.index() == model.blocks.size()),
      m_recompute(training.recomputes(stage.id)) {
  m_storages.push_back(numbersOf(m_first ? model.input : model.blocks[stage.first.index() - 1].output));
  for (std::size_t b = stage.first.index(); b < stage.end.index(); ++b) addBlock(model.blocks[b]);
  m_output_storage = m_storage_of_value.back();
  m_output_numbers = m_last          ? 0
                     : isBlockwise() ? m_blocks.back().output_bytes / kFloatBytes
                                     : m_storages[static_cast<std::size_t>(m_output_storage)];
  if (isBlockwise() && !m_first) m_storages.front() = model.blocks[stage.first.index() - 1].output_bytes / kFloatBytes;
}

void StageMemory::addBlock(const BlockSpec& block) {
  m_parameters.buffers += block.buffer_bytes;
  if (!block.ops.empty()) return addOps(block);
  const std::int64_t weights = block.parameter_bytes / kFloatBytes;
  m_parameters.weights += weights;
  m_parameters.largest = std::max(m_parameters.largest, weights);
  m_blocks.push_back(block);
}

void StageMemory::addOps(const BlockSpec& block) {
  const int base = static_cast<int>(m_storage_of_value.size()) - 1;
  const int last = static_cast<int>(m_ops.size() + block.ops.size()) - 1;
  for (const BlockOp& op : block.ops) {
    const int output = static_cast<int>(m_storage_of_value.size());
    const int input = base + op.input;
    Op placed{op, input, base + op.other, output, m_storage_of_value[static_cast<std::size_t>(input)], 0, last};
    placed.output_storage = op.in_place ? placed.input_storage : static_cast<int>(m_storages.size());
    if (!op.in_place) m_storages.push_back(numbersOf(op.to));
    m_storage_of_value.push_back(placed.output_storage);
    m_ops.push_back(placed);
    const std::int64_t weights = weightNumbers(op);
    m_parameters.weights += weights;
    m_parameters.largest = std::max(m_parameters.largest, weights);
    if (op.kind == OpKind::BatchNorm) m_parameters.norms += 2 * op.to[0];
    if (op.kind == OpKind::Linear) m_parameters.weights += op.to[0];
  }
}

MemoryParts StageMemory::resident() const {
  const std::int64_t masters = m_training.element_bytes < kFloatBytes ? kFloatBytes : 0;
  return {.parameters = m_parameters.weights * (m_training.element_bytes + masters) + m_parameters.norms * kFloatBytes +
                        m_parameters.buffers};
}

std::int64_t StageMemory::optimizerBytes() const {
  return m_training.optimizer_tensors * (m_parameters.weights + m_parameters.norms) * kFloatBytes;
}

std::int64_t StageMemory::inputBytes(int samples) const {
  return m_storages.front() * samples * m_training.element_bytes;
}

std::int64_t StageMemory::outputBytes(int samples) const {
  return m_output_numbers * samples * m_training.element_bytes;
}

bool StageMemory::weightsNeedInput() const {
  return std::ranges::any_of(m_ops, [](const Op& op) { return op.input_storage == 0 && weightNumbers(op.op) > 0; });
}

ActionMemory StageMemory::forwardOfBlocks(int samples) const {
  ActionMemory memory;
  for (const BlockSpec& block : m_blocks) {
    if (!m_recompute) memory.after.activations += bytesOf(block.activation_bytes, samples);
    MemoryParts now = memory.after;
    if (m_recompute) now.activations += bytesOf(block.output_bytes, samples);
    now.workspace = bytesOf(block.forward_workspace, samples);
    if (now.total() > memory.highest.total()) memory.highest = now;
  }
  return memory;
}

/// From the last block to the first: what was kept goes block by block, gradients of parameters come.
ActionMemory StageMemory::backwardOfBlocks(int samples, bool first) const {
  ActionMemory memory;
  if (m_recompute) {
    for (const BlockSpec& block : m_blocks) memory.after.activations += bytesOf(block.activation_bytes, samples);
    memory.highest = memory.after;
  }
  for (auto block = m_blocks.rbegin(); block != m_blocks.rend(); ++block) {
    if (first) memory.after.gradients += block->parameter_bytes;
    MemoryParts now = memory.after;
    now.workspace = bytesOf(block->backward_workspace, samples) + (first ? 0 : block->parameter_bytes);
    if (now.total() > memory.highest.total()) memory.highest = now;
    memory.after.activations -= bytesOf(block->activation_bytes, samples);
  }
  return memory;
}

ActionMemory StageMemory::forward(int samples) const {
  if (isBlockwise()) return forwardOfBlocks(samples);
  StageReplay replay(*this, samples);
  replay.forward(/*keeps=*/!m_recompute);
  ActionMemory memory = replay.result();
  memory.after.activations = m_recompute ? 0 : memory.after.activations - outputBytes(samples);
  return memory;
}

ActionMemory StageMemory::backward(int samples, bool first, bool input_only) const {
  if (isBlockwise()) return backwardOfBlocks(samples, first);
  StageReplay replay(*this, samples);
  replay.forward(/*keeps=*/true);
  if (!m_recompute) replay.beginAction();
  replay.backward(first, input_only);
  return replay.result();
}

ActionMemory StageMemory::backwardWeight(int samples, bool first) const {
  if (isBlockwise()) return {};
  StageReplay replay(*this, samples);
  replay.backwardWeight(first);
  return replay.result();
}

ActionMemory StageMemory::update() const {
  ActionMemory memory;
  if (m_training.steps == 1) memory.after.optimizer = optimizerBytes();
  memory.highest = memory.after;
  memory.highest.workspace = m_training.update_temporaries * m_parameters.largest * kFloatBytes;
  return memory;
}

}  // namespace lanelab
