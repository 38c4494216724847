// SPDX-License-Identifier: GPL-3.0-only
#include "engine/memory/stage_memory.h"

#include <algorithm>
#include <set>

#include "engine/memory/stage_replay.h"
#include "engine/memory/tensor_replay.h"
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
      m_first(stage.first.value == 0),
      m_last(stage.end.index() == model.blocks.size()),
      m_remakes(training.recomputeOf(stage.id) == Recompute::Activations && training.rules.has(Rule::RemadeActivation)),
      m_recompute(training.recomputeOf(stage.id) == Recompute::Stage) {
  // What is asked of these kernels, they do for CPU lanes in fp32.
  if (m_threads == 0 || m_training.element_bytes != kFloatBytes)
    m_training.rules = m_training.rules.without(Rule::FusedNorm);
  if (!m_remakes) m_training.rules = m_training.rules.without(Rule::RemadeActivation);
  m_storages.push_back(numbersOf(m_first ? model.input : model.blocks[stage.first.index() - 1].output));
  for (std::size_t b = stage.first.index(); b < stage.end.index(); ++b) addBlock(model.blocks[b]);
  m_output_storage = m_storage_of_value.back();
  m_output_numbers = m_last ? 0 : m_storages[static_cast<std::size_t>(m_output_storage)];
  if (!m_ops.empty()) return;
  if (!m_first) m_storages.front() = model.blocks[stage.first.index() - 1].output_bytes / kFloatBytes;
  if (!m_last) m_output_numbers = model.blocks[stage.end.index() - 1].output_bytes / kFloatBytes;
  addShared(model, stage);
  const SharedTensorProgram& tensors = model.tensors.of(m_training.rules);
  if (tensors.get()) m_tensors = std::make_shared<const StageTensors>(tensors, stage);
  if (m_last && !model.gives_loss) setLoss(model);
}

/// A stage without the first user has a copy.
void StageMemory::addShared(const ModelSpec& model, const Stage& stage) {
  for (const SharedParameter& shared : model.shared) {
    const auto isHere = [&](BlockId block) { return block >= stage.first && block < stage.end; };
    if (isHere(shared.blocks.front()) || std::ranges::none_of(shared.blocks, isHere)) continue;
    m_parameters.weights += shared.bytes / kFloatBytes;
    if (!shared.trained) m_parameters.frozen += shared.bytes / kFloatBytes;
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
  m_parameters.frozen += block.frozen_bytes / kFloatBytes;
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

std::vector<PassedTensor> StageMemory::sentTensors(int samples) const {
  if (m_last) return {};
  if (!m_tensors) return {{0, outputBytes(samples), false}};
  std::set<int> storages, for_weights;
  for (const int value : m_tensors->sent()) storages.insert(m_tensors->storageOf(value));
  for (const StageTensors::Step& step : m_tensors->steps())
    if (step.defers) for_weights.insert(step.call->deferrable);
  std::vector<PassedTensor> sent;
  for (const int storage : storages)
    if (!m_tensors->isForeign(storage))
      sent.push_back({storage, m_tensors->storageBytes(storage) / kFloatBytes * m_training.element_bytes * samples,
                      for_weights.contains(storage)});
  return sent;
}

bool StageMemory::handsOn(int tensor) const {
  return m_tensors && !m_last && m_tensors->isForeign(tensor) && m_tensors->isSent(tensor);
}

bool StageMemory::weightsNeedInput(int tensor) const {
  if (!m_tensors) return weightsNeedInput();
  return std::ranges::any_of(m_tensors->steps(),
                             [&](const auto& step) { return step.defers && step.call->deferrable == tensor; });
}

bool StageMemory::weightsNeedInput() const {
  if (m_tensors)
    return std::ranges::any_of(m_tensors->received(),
                               [&](int value) { return weightsNeedInput(m_tensors->storageOf(value)); });
  return std::ranges::any_of(m_ops, [](const Op& op) { return op.input_storage == 0 && weightNumbers(op.op) > 0; });
}

std::vector<PassedTensor> StageMemory::sentGradients(int samples, bool input_only) const {
  if (m_first) return {};
  if (!m_tensors) return {{0, inputBytes(samples), false}};
  TensorReplay replay = replayOf(samples);
  replay.forward(/*keeps=*/true);
  replay.backward(/*first=*/false, input_only);
  return replay.madeForReceived();
}

bool StageMemory::handsGradientBack(int tensor) const {
  return m_tensors && std::ranges::find(m_tensors->received(), tensor) != m_tensors->received().end() &&
         std::ranges::find(m_tensors->sent(), tensor) != m_tensors->sent().end() && !m_tensors->isRead(tensor);
}

bool StageMemory::weightsNeedGradient(int tensor) const {
  return m_tensors && std::ranges::any_of(m_tensors->steps(), [&](const auto& step) {
           return step.defers && std::ranges::find(step.call->makes, tensor) != step.call->makes.end();
         });
}

TensorReplay StageMemory::replayOf(int samples) const { return {*m_tensors, samples, m_training, m_threads}; }

/// For tokens the loss makes a copy of the output with the classes before the positions, besides the logarithms.
ActionMemory StageMemory::forwardOfTensors(int samples) const {
  TensorReplay replay = replayOf(samples);
  replay.forward(/*keeps=*/!m_recompute);
  if (m_loss.bytes > 0) replay.addLoss(m_loss.bytes * samples, m_loss.tokens ? 3 : 2);
  ActionMemory memory{replay.highest(), replay.level()};
  if (m_recompute) memory.after = {};
  return memory;
}

ActionMemory StageMemory::backwardOfTensors(int samples, bool first, bool input_only) const {
  TensorReplay replay = replayOf(samples);
  replay.forward(/*keeps=*/true, /*again=*/m_recompute);
  if (m_loss.bytes > 0) replay.addLoss(m_loss.bytes * samples, m_loss.tokens ? 3 : 2);
  if (!m_recompute) replay.beginAction();
  if (m_loss.bytes > 0) replay.leaveLoss(m_loss.bytes * samples);
  replay.backward(first, input_only);
  return {replay.highest(), replay.level()};
}

ActionMemory StageMemory::forward(int samples) const {
  if (m_tensors) return forwardOfTensors(samples);
  StageReplay replay(*this, samples);
  replay.forward(/*keeps=*/!m_recompute);
  ActionMemory memory = replay.result();
  memory.after.activations = m_recompute ? 0 : memory.after.activations - outputBytes(samples);
  return memory;
}

ActionMemory StageMemory::backward(int samples, bool first, bool input_only) const {
  if (m_tensors) return backwardOfTensors(samples, first, input_only);
  StageReplay replay(*this, samples);
  replay.forward(/*keeps=*/true);
  if (!m_recompute) replay.beginAction();
  replay.backward(first, input_only);
  return replay.result();
}

ActionMemory StageMemory::backwardWeight(int samples, bool first) const {
  if (m_tensors) {
    TensorReplay replay = replayOf(samples);
    replay.forward(/*keeps=*/true);
    replay.backward(first, /*input_only=*/true);
    replay.beginAction();
    replay.backwardWeight(first);
    return {replay.highest(), replay.level()};
  }
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
