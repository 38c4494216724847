// SPDX-License-Identifier: GPL-3.0-only
#include "engine/memory/stage_memory.h"

#include <algorithm>

#include "engine/memory/stage_replay.h"
#include "engine/model/norm_relu.h"
#include "engine/model/update_piece.h"

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
      m_end(stage.end),
      m_first(stage.first.value == 0),
      m_last(stage.end.index() == model.blocks.size()),
      m_remakes(training.recomputeOf(stage.id) == Recompute::Activations),
      m_recompute(training.recomputeOf(stage.id) == Recompute::Stage) {
  m_storages.push_back(numbersOf(m_first ? model.input : model.blocks[stage.first.index() - 1].output));
  for (std::size_t b = stage.first.index(); b < stage.end.index(); ++b) addBlock(model.blocks[b]);
  m_output_storage = m_storage_of_value.back();
  m_output_numbers = m_last          ? 0
                     : isBlockwise() ? m_blocks.back().output_bytes / kFloatBytes
                                     : m_storages[static_cast<std::size_t>(m_output_storage)];
  if (!isBlockwise()) return;
  if (!m_first) m_storages.front() = model.blocks[stage.first.index() - 1].output_bytes / kFloatBytes;
  addShared(model, stage);
  if (m_last && !model.gives_loss) setLoss(model);
}

/// A stage without the first user has a copy. The gradient comes with the stage's last user. Of several users,
/// nothing is deferred.
void StageMemory::addShared(const ModelSpec& model, const Stage& stage) {
  for (const SharedParameter& shared : model.shared) {
    std::vector<std::size_t> users;  // places in shared.blocks
    for (std::size_t i = 0; i < shared.blocks.size(); ++i)
      if (shared.blocks[i].index() >= stage.first.index() && shared.blocks[i].index() < stage.end.index())
        users.push_back(i);
    if (users.empty()) continue;
    const auto placeOf = [&](std::size_t user) { return shared.blocks[user].index() - stage.first.index(); };
    if (users.front() == 0) {
      if (shared.trained) m_block_gradients[placeOf(0)] -= shared.bytes;
    } else {
      m_parameters.weights += shared.bytes / kFloatBytes;
      if (!shared.trained) m_parameters.frozen += shared.bytes / kFloatBytes;
    }
    if (shared.trained) m_block_gradients[placeOf(users.back())] += shared.bytes;
    for (const std::size_t user : users)
      if (users.size() > 1 && user < shared.deferred_bytes.size())
        m_blocks[placeOf(user)].deferred_bytes -= shared.deferred_bytes[user];
  }
}

void StageMemory::setLoss(const ModelSpec& model) {
  const BlockSpec& last = model.blocks.back();
  m_loss = {numbersOf(last.output) * kFloatBytes, model.vocabulary > 0 && last.output.size() == 2};
}

void StageMemory::addBlock(const BlockSpec& block) {
  m_parameters.buffers += block.buffer_bytes;
  if (!block.ops.empty()) return addOps(block);
  const std::int64_t weights = block.parameter_bytes / kFloatBytes;
  m_parameters.weights += weights;
  m_parameters.largest = std::max(m_parameters.largest, weights - block.frozen_bytes / kFloatBytes);
  m_blocks.push_back(block);
  m_parameters.frozen += block.frozen_bytes / kFloatBytes;
  m_block_gradients.push_back(block.parameter_bytes - block.frozen_bytes);
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
  const std::size_t first = m_ops.size() - block.ops.size();
  m_remade.resize(m_storages.size(), Remade::No);
  for (std::size_t i = 0; m_remakes && i < block.ops.size(); ++i) {
    if (isNormRelu(block, i))
      m_remade[static_cast<std::size_t>(m_ops[first + i].output_storage)] =
          fusesOps() ? Remade::ForOthers : Remade::ForItselfToo;
  }
  if (fusesOps()) fuseOps(first);
}

/// Of the block whose operations begin at `first`. The norm of a sum runs when both addends are there.
void StageMemory::fuseOps(std::size_t first) {
  const auto begin = m_ops.begin() + static_cast<std::ptrdiff_t>(first);
  for (auto op = begin; op != m_ops.end(); ++op) {
    if (op->op.kind == OpKind::BatchNorm) op->fusion = Fusion::Norm;
    if (op->op.kind != OpKind::Relu || op == begin) continue;
    const auto before = op - 1;
    if (before->op.kind == OpKind::BatchNorm) op->fusion = Fusion::Norm;
    if (before->op.kind != OpKind::Sum) continue;
    const auto norm = std::find_if(begin, before, [&](const Op& one) { return one.output == before->input; });
    if (norm == before || norm->op.kind != OpKind::BatchNorm) continue;
    op->fusion = norm->fusion = Fusion::NormSum;
    std::rotate(norm, norm + 1, before);
  }
}

MemoryParts StageMemory::resident() const {
  const std::int64_t masters = m_training.element_bytes < kFloatBytes ? kFloatBytes : 0;
  return {.parameters = m_parameters.weights * (m_training.element_bytes + masters) + m_parameters.norms * kFloatBytes +
                        m_parameters.buffers};
}

std::int64_t StageMemory::optimizerBytes() const {
  return m_training.optimizer_tensors * (m_parameters.weights - m_parameters.frozen + m_parameters.norms) * kFloatBytes;
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

std::int64_t StageMemory::keptOf(std::size_t block, int samples) const {
  const BlockSpec& spec = m_blocks[block];
  std::int64_t bytes = spec.activation_bytes;
  if (block == 0) bytes -= spec.received_kept_bytes;
  if (block + 1 == m_blocks.size() && !m_last) bytes -= spec.sent_kept_bytes;
  return bytesOf(bytes, samples);
}

/// Gradients from behind the stage, which the lane that made them counts, in blocks before its last.
std::int64_t StageMemory::skippingBytes(std::size_t block, int samples) const {
  std::int64_t bytes = 0;
  for (const SkippingGradient& gradient : m_blocks[block].skipping_gradients)
    if (gradient.made_by >= m_end) bytes += gradient.bytes;
  return block + 1 == m_blocks.size() ? 0 : bytesOf(bytes, samples);
}

MemoryParts StageMemory::highestOf(const MemoryParts& level, const std::vector<MemoryMoment>& moments,
                                   const Counted& counted) const {
  MemoryParts highest = level;
  for (const MemoryMoment& moment : moments) {
    MemoryParts now = level;
    const std::int64_t foreign = counted.ends_stage ? moment.received_bytes : 0;
    now.workspace += bytesOf(moment.sample_bytes - foreign, counted.samples);
    if (counted.weights) now.workspace += moment.fixed_bytes / kFloatBytes * m_training.element_bytes;
    if (counted.landed) now.gradients += moment.landed_bytes;
    if (now.total() > highest.total()) highest = now;
  }
  return highest;
}

ActionMemory StageMemory::forwardOfBlocks(int samples) const {
  ActionMemory memory;
  const auto reach = [&](const MemoryParts& now) {
    if (now.total() > memory.highest.total()) memory.highest = now;
  };
  for (std::size_t b = 0; b < m_blocks.size(); ++b) {
    const bool ends_stage = b + 1 == m_blocks.size() && !m_last;
    if (!m_recompute) memory.after.activations += keptOf(b, samples);
    MemoryParts level = memory.after;
    if (ends_stage && !m_recompute) level.activations += bytesOf(m_blocks[b].sent_kept_bytes, samples);
    reach(highestOf(level, m_recompute ? m_blocks[b].passing_moments : m_blocks[b].forward_moments, {samples}));
  }
  if (m_loss.bytes == 0) return memory;
  // The output, its logarithms of probabilities, and for tokens a copy with the classes before the positions.
  MemoryParts now = memory.after;
  now.workspace += (m_loss.tokens ? 3 : 2) * m_loss.bytes * samples;
  reach(now);
  if (!m_recompute) memory.after.activations += m_loss.bytes * samples;
  return memory;
}

/// From the last block to the first: what was kept goes block by block, gradients of parameters come.
ActionMemory StageMemory::backwardOfBlocks(int samples, bool first, bool input_only) const {
  ActionMemory memory;
  const auto reach = [&](const MemoryParts& now) {
    if (now.total() > memory.highest.total()) memory.highest = now;
  };
  if (m_recompute) {
    for (std::size_t b = 0; b < m_blocks.size(); ++b) {
      memory.after.activations += keptOf(b, samples);
      reach(highestOf(memory.after, m_blocks[b].forward_moments, {samples}));
    }
    memory.after.activations += m_loss.bytes * samples;
  }
  // Gradients of the probabilities and of the output, while the probabilities are there.
  MemoryParts loss = memory.after;
  loss.workspace += 2 * m_loss.bytes * samples;
  reach(loss);
  memory.after.activations -= m_loss.bytes * samples;
  for (std::size_t b = m_blocks.size(); b-- > 0;) {
    const bool ends_stage = b + 1 == m_blocks.size() && !m_last;
    MemoryParts level = memory.after;
    if (ends_stage && m_recompute) level.activations += bytesOf(m_blocks[b].sent_kept_bytes, samples);
    level.workspace -= skippingBytes(b, samples);
    reach(highestOf(level, m_blocks[b].backward_moments, {samples, first && !input_only, !input_only, ends_stage}));
    memory.after.activations -= keptOf(b, samples);
    if (input_only) {
      memory.after.activations += bytesOf(m_blocks[b].deferred_bytes, samples);
    } else if (first) {
      memory.after.gradients += m_block_gradients[b];
    }
  }
  return memory;
}

/// What the input part left goes, gradients of parameters come.
ActionMemory StageMemory::weightsOfBlocks(int samples, bool first) const {
  ActionMemory memory;
  for (std::size_t b = m_blocks.size(); b-- > 0;) {
    if (first) memory.after.gradients += m_block_gradients[b];
    MemoryParts now = memory.after;
    std::int64_t fixed = 0;
    for (const MemoryMoment& moment : m_blocks[b].backward_moments) fixed = std::max(fixed, moment.fixed_bytes);
    now.workspace += fixed / kFloatBytes * m_training.element_bytes;
    if (now.total() > memory.highest.total()) memory.highest = now;
    memory.after.activations -= bytesOf(m_blocks[b].deferred_bytes, samples);
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
  if (isBlockwise()) return backwardOfBlocks(samples, first, input_only);
  StageReplay replay(*this, samples);
  replay.forward(/*keeps=*/true);
  if (!m_recompute) replay.beginAction();
  replay.backward(first, input_only);
  return replay.result();
}

ActionMemory StageMemory::backwardWeight(int samples, bool first) const {
  if (isBlockwise()) return weightsOfBlocks(samples, first);
  StageReplay replay(*this, samples);
  replay.backwardWeight(first);
  return replay.result();
}

std::int64_t StageMemory::updateNumbers() const {
  if (m_threads == 0 || m_training.simd == Simd::Plain) return m_training.update_temporaries * m_parameters.largest;
  return m_training.fused_update_temporaries * std::min(m_parameters.largest, m_threads * kUpdatePieceNumbers);
}

ActionMemory StageMemory::update() const {
  ActionMemory memory;
  if (m_training.steps == 1) memory.after.optimizer = optimizerBytes();
  memory.highest = memory.after;
  memory.highest.workspace = updateNumbers() * kFloatBytes;
  return memory;
}

}  // namespace lanelab
