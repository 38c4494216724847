// SPDX-License-Identifier: GPL-3.0-only
#include "engine/memory/stage_replay.h"

#include <algorithm>
#include <utility>

namespace lanelab {
namespace {

bool hasWeights(const BlockOp& op) { return op.kind == OpKind::Convolution || op.kind == OpKind::Linear; }

/// Whether backward needs what lies at the input.
bool savesInput(OpKind kind) { return kind != OpKind::Relu && kind != OpKind::Sum && kind != OpKind::AveragePool; }

// Numbers a channel that a batch norm leaves for its backward.
constexpr std::int64_t kNormNumbers = 2;       // mean and deviation
constexpr std::int64_t kFusedNormNumbers = 5;  // see engine/torch/kernels/fused_norm.cpp

}  // namespace

StageReplay::StageReplay(const StageMemory& stage, int samples)
    : m_stage(stage),
      m_samples(samples),
      m_holds(stage.m_storages.size(), 0),
      m_charged(stage.m_storages.size(), 0),
      m_gradient_of(stage.m_storage_of_value.size(), -1) {}

void StageReplay::mark() {
  if (m_level.total() > m_top.total()) m_top = m_level;
}

void StageReplay::passing(std::int64_t bytes) {
  m_level.workspace += bytes;
  mark();
  m_level.workspace -= bytes;
}

std::int64_t StageReplay::storageBytes(int storage) const {
  return m_stage.m_storages[static_cast<std::size_t>(storage)] * m_samples * m_stage.m_training.element_bytes;
}

std::int64_t StageReplay::bytesOf(const Shape& shape) const {
  return numbersOf(shape) * m_samples * m_stage.m_training.element_bytes;
}

void StageReplay::allocate(int storage) {
  m_charged[static_cast<std::size_t>(storage)] = 1;
  m_level.activations += storageBytes(storage);
  mark();
}

void StageReplay::letGo(int storage) {
  const auto s = static_cast<std::size_t>(storage);
  if (--m_holds[s] > 0 || !m_charged[s]) return;
  m_charged[s] = 0;
  m_level.activations -= storageBytes(storage);
}

// By storage, the last operation that reads or writes it. A block's caller holds the block's input until the block is
// done.
std::vector<int> StageReplay::lastUses() const {
  std::vector<int> last(m_holds.size(), -1);
  const auto used = [&](int storage, int op) {
    int& known = last[static_cast<std::size_t>(storage)];
    known = std::max(known, op);
  };
  for (std::size_t i = 0; i < m_stage.m_ops.size(); ++i) {
    const Op& op = m_stage.m_ops[i];
    const int now = static_cast<int>(i);
    used(op.output_storage, now);
    used(op.input_storage, op.op.input == 0 ? op.last_of_block : now);
    if (op.op.kind == OpKind::Sum) used(m_stage.m_storage_of_value[static_cast<std::size_t>(op.other)], now);
  }
  return last;
}

void StageReplay::forward(bool keeps) {
  hold(m_stage.m_output_storage);  // the flight's, or the loss's
  const std::vector<int> last = lastUses();
  for (std::size_t i = 0; i < m_stage.m_ops.size(); ++i) {
    runForward(m_stage.m_ops[i], keeps);
    for (std::size_t storage = 0; storage < last.size(); ++storage) {
      if (last[storage] != static_cast<int>(i)) continue;
      hold(static_cast<int>(storage));
      letGo(static_cast<int>(storage));
    }
  }
}

void StageReplay::runForward(const Op& op, bool keeps) {
  const BlockOp& what = op.op;
  if (what.kind == OpKind::Convolution) {
    convForward(op);
  } else if (!what.in_place) {
    allocate(op.output_storage);
  }
  m_level.activations += savedBeside(op);
  mark();
  if (!keeps) {
    m_level.activations -= savedBeside(op);
    return;
  }
  if (savesInput(what.kind) && !isRemade(op.input_storage)) hold(op.input_storage);
  if (what.kind == OpKind::Relu && op.fusion != Fusion::Norm && !isRemade(op.output_storage)) hold(op.output_storage);
}

// Indices of a pooling, what a batch norm knows of each channel.
std::int64_t StageReplay::savedBeside(const Op& op) const {
  if (op.op.kind == OpKind::MaxPool) return numbersOf(op.op.to) * m_samples * kInt64Bytes;
  if (op.op.kind != OpKind::BatchNorm) return 0;
  return (op.fusion == Fusion::None ? kNormNumbers : kFusedNormNumbers) * op.op.to[0] * kFloatBytes;
}

void StageReplay::beginAction() {
  if (!m_stage.m_last) m_charged[static_cast<std::size_t>(m_stage.m_output_storage)] = 0;
  m_level = m_top = {};
}

int StageReplay::make(std::int64_t bytes) {
  m_gradients.push_back({bytes, 1, true});
  m_level.workspace += bytes;
  mark();
  return static_cast<int>(m_gradients.size()) - 1;
}

void StageReplay::release(int gradient) {
  Gradient& g = m_gradients[static_cast<std::size_t>(gradient)];
  if (--g.users == 0 && g.mine) m_level.workspace -= g.bytes;
}

// Two gradients of one value are added in place where nobody else holds the first.
void StageReplay::deliver(int value, int gradient) {
  int& there = m_gradient_of[static_cast<std::size_t>(value)];
  if (there < 0) {
    there = gradient;
    return;
  }
  const Gradient& first = m_gradients[static_cast<std::size_t>(there)];
  if (first.mine && first.users == 1) {
    release(gradient);
    return;
  }
  const int sum = make(first.bytes);
  release(there);
  release(gradient);
  there = sum;
}

void StageReplay::backward(bool first, bool input_only) {
  const auto output = static_cast<std::size_t>(m_stage.m_ops.back().output);
  if (m_stage.m_last) {
    m_gradient_of[output] = make(storageBytes(m_stage.m_output_storage));
    letGo(m_stage.m_output_storage);
  } else {
    m_gradients.push_back(
        {m_stage.outputBytes(static_cast<int>(m_samples)), 2, false});  // the packet's, which the lane after counts
    m_gradient_of[output] = static_cast<int>(m_gradients.size()) - 1;
  }
  for (auto op = m_stage.m_ops.rbegin(); op != m_stage.m_ops.rend(); ++op) runBackward(*op, first, input_only);
  if (const int left = m_gradient_of.front(); left >= 0) release(left);
  if (!m_stage.m_last) letGo(m_stage.m_output_storage);
  allocateGradients(first);
}

void StageReplay::runBackward(const Op& op, bool first, bool input_only) {
  const BlockOp& what = op.op;
  const int gradient = m_gradient_of[static_cast<std::size_t>(op.output)];
  bool kept = false;
  switch (what.kind) {
    case OpKind::Sum:
      ++m_gradients[static_cast<std::size_t>(gradient)].users;
      deliver(op.input, gradient);
      deliver(op.other, gradient);
      break;
    case OpKind::BatchNorm: normBackward(op, gradient, first); break;
    case OpKind::Relu: reluBackward(op, gradient); break;
    case OpKind::Convolution:
    case OpKind::Linear:
      if (isRemade(op.input_storage)) {
        remake(op.input_storage);
        hold(op.input_storage);
      }
      if (needsInputGradient(op)) deliver(op.input, inputGradient(op));
      kept = input_only;
      if (!kept) weightGradient(op, first);
      break;
    default: deliver(op.input, make(bytesOf(what.from)));
  }
  if (kept) {
    retainForWeights(gradient);
    return;
  }
  if (what.kind != OpKind::Sum && what.kind != OpKind::Relu && what.kind != OpKind::BatchNorm) release(gradient);
  const bool read = hasWeights(what) || !isRemade(op.input_storage);  // a pooling reads the shape only
  if (savesInput(what.kind) && read) letGo(op.input_storage);
  m_level.activations -= savedBeside(op);
}

void StageReplay::remake(int storage) {
  if (m_charged[static_cast<std::size_t>(storage)]) return;
  allocate(storage);
  if (m_stage.m_remade[static_cast<std::size_t>(storage)] == StageMemory::Remade::ForItselfToo) hold(storage);
}

bool StageReplay::reusable(int gradient) const {
  const Gradient& g = m_gradients[static_cast<std::size_t>(gradient)];
  return g.mine && g.users == 1;
}

// A fused one masks the gradient while its norm reads it: behind a sum for both addends, in place where it can.
void StageReplay::reluBackward(const Op& op, int gradient) {
  if (isRemade(op.output_storage) && op.fusion == Fusion::None) remake(op.output_storage);
  if (op.fusion == Fusion::Norm || (op.fusion == Fusion::NormSum && reusable(gradient))) {
    deliver(op.input, gradient);
    return;
  }
  deliver(op.input, make(bytesOf(op.op.from)));
  if (op.fusion == Fusion::NormSum) {
    m_read_by_norm = gradient;
    return;
  }
  release(gradient);
  letGo(op.output_storage);
}

// PyTorch's makes a second tensor of the input's size for a moment; a fused one writes over the gradient where it can.
void StageReplay::normBackward(const Op& op, int gradient, bool first) {
  const bool in_place = op.fusion == Fusion::Norm && reusable(gradient);
  if (!in_place) {
    const int made = make(bytesOf(op.op.from));
    if (op.fusion == Fusion::None) passing(bytesOf(op.op.from));
    deliver(op.input, made);
  }
  land(2 * op.op.to[0], kFloatBytes, first);
  if (in_place) {
    deliver(op.input, gradient);
  } else {
    release(gradient);
  }
  if (op.fusion != Fusion::NormSum) return;
  if (m_read_by_norm) release(*std::exchange(m_read_by_norm, std::nullopt));
  letGo(op.output_storage);  // the ReLU's output
}

// The task that an input part leaves holds the gradient, and the input, which is not let go.
void StageReplay::retainForWeights(int gradient) {
  Gradient& g = m_gradients[static_cast<std::size_t>(gradient)];
  if (!g.mine) return;
  m_level.workspace -= g.bytes;
  m_level.activations += g.bytes;
  g.mine = false;
}

// The moments before were the forward's and the input part's: only what they left for the weights is there.
void StageReplay::backwardWeight(bool first) {
  for (const Op& op : m_stage.m_ops) {
    if (!hasWeights(op.op)) continue;
    hold(op.input_storage);
    m_charged[static_cast<std::size_t>(op.input_storage)] = op.input_storage != 0;
  }
  for (auto op = m_stage.m_ops.rbegin(); op != m_stage.m_ops.rend(); ++op) {
    if (!hasWeights(op->op)) continue;
    weightGradient(*op, first);
    letGo(op->input_storage);
    if (m_stage.m_last || op->output != m_stage.m_ops.back().output) m_level.activations -= bytesOf(op->op.to);
  }
  allocateGradients(first);
}

// A gradient of a parameter becomes the parameter's, or is added to what is there. Low-precision ones are added to the
// masters' after the action.
void StageReplay::land(std::int64_t numbers, std::int64_t bytes_each, bool first) {
  const std::int64_t bytes = numbers * bytes_each;
  if (bytes_each < kFloatBytes) {
    m_fresh += bytes;
    m_level.workspace += bytes;
    mark();
  } else if (first) {
    m_level.gradients += bytes;
    mark();
  } else {
    passing(bytes);
  }
}

void StageReplay::allocateGradients(bool first) {
  if (first) m_level.gradients += m_fresh / m_stage.m_training.element_bytes * kFloatBytes;
  m_level.workspace -= m_fresh;
  mark();
  m_fresh = 0;
}

std::optional<ConvolutionMemory> StageReplay::convolutionOf(const Op& op) const {
  if (op.op.kind != OpKind::Convolution) return std::nullopt;
  const ConvGeometry conv{m_samples,   op.op.from[0], op.op.from[1], op.op.from[2],
                          op.op.to[0], op.op.kernel,  op.op.stride};
  return ConvolutionMemory(conv, m_stage.m_training, m_stage.m_threads);
}

void StageReplay::convForward(const Op& op) {
  const ConvolutionMemory::Passing copies = convolutionOf(op)->forward();
  passing(copies.before);
  allocate(op.output_storage);
  passing(copies.beside);
}

int StageReplay::inputGradient(const Op& op) {
  const std::optional<ConvolutionMemory> convolution = convolutionOf(op);
  const ConvolutionMemory::Passing copies = convolution ? convolution->inputGradient() : ConvolutionMemory::Passing();
  passing(copies.before);
  const int made = make(bytesOf(op.op.from));
  passing(copies.beside);
  return made;
}

void StageReplay::weightGradient(const Op& op, bool first) {
  const std::int64_t each = m_stage.m_training.element_bytes;
  if (const std::optional<ConvolutionMemory> convolution = convolutionOf(op)) {
    const ConvolutionMemory::WeightPart part = convolution->weightGradient(first);
    passing(part.passing);
    if (part.added_within) return;
  }
  land(weightNumbers(op.op), each, first);
  if (op.op.kind == OpKind::Linear) land(op.op.to[0], each, first);
}

}  // namespace lanelab
