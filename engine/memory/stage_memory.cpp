// SPDX-License-Identifier: GPL-3.0-only
#include "engine/memory/stage_memory.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/memory/tensor_replay.h"
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

namespace {

/// Calls nothing. For models that were not described.
SharedTensorProgram programOf(const ModelSpec& model) {
  if (model.tensors.get()) return model.tensors;
  TensorProgram blank;
  blank.crossing.resize(model.blocks.size() + 1);
  return SharedTensorProgram(std::move(blank));
}

}  // namespace

StageMemory::StageMemory(const ModelSpec& model, const Stage& stage, const TrainingMemory& training, int cpu_threads)
    : m_training(training),
      m_threads(cpu_threads),
      m_first(stage.first.value == 0),
      m_last(stage.end.index() == model.blocks.size()),
      m_recompute(training.recomputeOf(stage.id) == Recompute::Stage) {
  // What is asked of these kernels, they do for CPU lanes in fp32.
  if (m_threads == 0 || m_training.element_bytes != kFloatBytes) {
    m_training.rules = m_training.rules.without(kFusedKernels);
    m_training.loss_by_rows = false;
  }
  if (training.recomputeOf(stage.id) != Recompute::Activations)
    m_training.rules = m_training.rules.without(Rule::RemadeActivation);
  m_tensors = std::make_shared<const StageCalls>(programOf(model), stage, m_training.rules);
  for (std::size_t b = stage.first.index(); b < stage.end.index(); ++b) addBlock(model.blocks[b]);
  addShared(model, stage);
  m_input_numbers = m_first ? numbersOf(model.input) : model.blocks[stage.first.index() - 1].output_bytes / kFloatBytes;
  if (!m_last) m_output_numbers = model.blocks[stage.end.index() - 1].output_bytes / kFloatBytes;
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
  m_loss = {numbersOf(last.output) * kFloatBytes,
            model.vocabulary > 0 && last.output.size() == 2 && !m_training.loss_by_rows};
}

void StageMemory::addBlock(const BlockSpec& block) {
  m_parameters.buffers += block.buffer_bytes;
  m_parameters.norms += block.norm_parameters;
  m_parameters.weights += block.parameter_bytes / kFloatBytes - block.norm_parameters;
  m_parameters.frozen += block.frozen_bytes / kFloatBytes;
  m_parameters.largest = std::max(m_parameters.largest, block.largest_parameter);
}

MemoryParts StageMemory::resident() const {
  const std::int64_t masters = m_training.element_bytes < kFloatBytes ? kFloatBytes : 0;
  return {.parameters = m_parameters.weights * (m_training.element_bytes + masters) + m_parameters.norms * kFloatBytes +
                        m_parameters.buffers};
}

std::int64_t StageMemory::optimizerBytes() const {
  return m_training.optimizer_tensors * (m_parameters.weights - m_parameters.frozen + m_parameters.norms) * kFloatBytes;
}

std::int64_t StageMemory::inputBytes(int samples) const { return m_input_numbers * samples * m_training.element_bytes; }

std::int64_t StageMemory::outputBytes(int samples) const {
  return m_output_numbers * samples * m_training.element_bytes;
}

std::vector<PassedTensor> StageMemory::sentTensors(int samples) const {
  if (m_last) return {};
  std::set<int> storages, for_weights;
  for (const int value : m_tensors->sent()) storages.insert(m_tensors->storageOf(value));
  for (const StageCalls::Step& step : m_tensors->steps())
    if (step.defers) for_weights.insert(step.call->deferrable);
  std::vector<PassedTensor> sent;
  for (const int storage : storages)
    if (!m_tensors->isForeign(storage))
      sent.push_back({storage, m_tensors->storageBytes(storage) / kFloatBytes * m_training.element_bytes * samples,
                      for_weights.contains(storage)});
  return sent;
}

bool StageMemory::handsOn(int tensor) const {
  return !m_last && m_tensors->isForeign(tensor) && m_tensors->isSent(tensor);
}

bool StageMemory::weightsNeedInput(int tensor) const {
  return std::ranges::any_of(m_tensors->steps(),
                             [&](const auto& step) { return step.defers && step.call->deferrable == tensor; });
}

bool StageMemory::weightsNeedInput() const {
  return std::ranges::any_of(m_tensors->received(),
                             [&](int value) { return weightsNeedInput(m_tensors->storageOf(value)); });
}

std::vector<PassedTensor> StageMemory::sentGradients(int samples, bool input_only) const {
  if (m_first) return {};
  TensorReplay replay = replayOf(samples);
  replay.forward(/*keeps=*/true);
  replay.backward(/*first=*/false, input_only);
  return replay.madeForReceived();
}

bool StageMemory::handsGradientBack(int tensor) const {
  return std::ranges::find(m_tensors->received(), tensor) != m_tensors->received().end() &&
         std::ranges::find(m_tensors->sent(), tensor) != m_tensors->sent().end() && !m_tensors->isRead(tensor);
}

bool StageMemory::weightsNeedGradient(int tensor) const {
  return std::ranges::any_of(m_tensors->steps(), [&](const auto& step) {
    return step.defers && std::ranges::find(step.call->makes, tensor) != step.call->makes.end();
  });
}

TensorReplay StageMemory::replayOf(int samples) const { return {*m_tensors, samples, m_training, m_threads}; }

/// For tokens, PyTorch's loss makes a copy of the output with the classes before the positions, besides the logarithms.
ActionMemory StageMemory::forward(int samples) const {
  TensorReplay replay = replayOf(samples);
  replay.forward(/*keeps=*/!m_recompute);
  if (m_loss.bytes > 0) replay.addLoss(m_loss.bytes * samples, m_loss.copies ? 3 : 2);
  ActionMemory memory{replay.highest(), replay.level()};
  if (m_recompute) memory.after = {};
  return memory;
}

ActionMemory StageMemory::backward(int samples, bool first, bool input_only) const {
  TensorReplay replay = replayOf(samples);
  replay.forward(/*keeps=*/true, /*again=*/m_recompute);
  if (m_loss.bytes > 0) replay.addLoss(m_loss.bytes * samples, m_loss.copies ? 3 : 2);
  if (!m_recompute) replay.beginAction();
  if (m_loss.bytes > 0) replay.leaveLoss(m_loss.bytes * samples);
  replay.backward(first, input_only);
  return {replay.highest(), replay.level()};
}

ActionMemory StageMemory::backwardWeight(int samples, bool first) const {
  TensorReplay replay = replayOf(samples);
  replay.forward(/*keeps=*/true);
  replay.backward(first, /*input_only=*/true);
  replay.beginAction();
  replay.backwardWeight(first);
  return {replay.highest(), replay.level()};
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
