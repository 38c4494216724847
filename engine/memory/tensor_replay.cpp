// SPDX-License-Identifier: GPL-3.0-only
#include "engine/memory/tensor_replay.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lanelab {

StageCalls::StageCalls(SharedTensorProgram shared, const Stage& stage, Rules rules)
    : m_program(std::move(shared)),
      m_received(&program().crossing[stage.first.index()]),
      m_sent(&program().crossing[stage.end.index()]),
      m_last(stage.end.index() + 1 == program().crossing.size()) {
  addCalls(stage, rules);
  for (const int value : *m_received)
    if (!m_copied.contains(storageOf(value))) m_foreign.insert(storageOf(value));
  for (const int value : *m_sent) m_sent_storages.insert(storageOf(value));
  markUsed();
  markLeaving();
}

void StageCalls::addCalls(const Stage& stage, Rules rules) {
  std::map<int, int> readers;  // of each weight
  for (const TensorProgram::Call* const done : callsBy(rules)) {
    const TensorProgram::Call& call = *done;
    const bool here = call.block >= stage.first.value && call.block < stage.end.value;
    if (!here && call.block != TensorProgram::Call::kEverywhere) continue;
    m_steps.push_back({&call, {}, false, false});
    for (const TensorProgram::Weight& weight : call.weights) ++readers[weight.number];
    m_read.insert(call.reads.begin(), call.reads.end());
  }
  std::set<int> received;
  for (const int value : *m_received) received.insert(storageOf(value));
  for (Step& step : m_steps) {
    // Of a weight that several calls of the stage read, gradients are added up at once.
    step.defers =
        rules.has(Rule::SplitBackward) && step.call->deferrable != TensorProgram::Call::kNone &&
        std::ranges::all_of(step.call->weights, [&](const auto& weight) { return readers[weight.number] == 1; });
    for (const int storage : step.call->writes)
      if (received.contains(storage)) m_copied.insert(storage);
  }
}

/// Of all stages, in order.
std::vector<const TensorProgram::Call*> StageCalls::callsBy(Rules rules) const {
  std::vector<const TensorProgram::Call*> calls;
  for (const TensorProgram::Call& call : program().calls) calls.push_back(&call);
  std::vector<bool> taken(calls.size(), false);
  for (const TensorProgram::Joined& joined : program().joined) {
    if (!rules.has(joined.rule) || taken[joined.calls.front()]) continue;
    for (const std::size_t i : joined.calls) {
      taken[i] = true;
      calls[i] = nullptr;
    }
    calls[joined.place] = &joined.call;
  }
  std::erase(calls, nullptr);
  return calls;
}

/// What reaches nothing that is sent has no backward, and what it saved goes with its results.
void StageCalls::markUsed() {
  std::set<int> wanted = m_sent_storages;
  for (std::size_t i = m_steps.size(); i-- > 0;) {
    Step& step = m_steps[i];
    const auto wants = [&](int value) { return wanted.contains(storageOf(value)); };
    step.used = std::ranges::any_of(step.call->makes, wants) ||
                std::ranges::any_of(step.call->writes, [&](int storage) { return wanted.contains(storage); });
    if (!step.used) continue;
    for (const int value : step.call->reads) wanted.insert(storageOf(value));
  }
}

void StageCalls::markLeaving() {
  std::map<int, std::size_t> last;
  for (std::size_t i = 0; i < m_steps.size(); ++i) {
    for (const int value : m_steps[i].call->reads) last[storageOf(value)] = i;
    for (const int value : m_steps[i].call->makes) last[storageOf(value)] = i;
  }
  for (const auto& [storage, step] : last)
    if (!isSent(storage)) m_steps[step].leaving.push_back(storage);
}

TensorReplay::TensorReplay(const StageCalls& stage, int samples, const TrainingMemory& training, int threads)
    : m_stage(stage),
      m_samples(samples),
      m_training(training),
      m_threads(threads),
      m_users(stage.program().storages.size()),
      m_gradient_of(stage.program().values.size(), -1) {
  if (!training.rules.has(Rule::RemadeActivation)) return;
  for (const StageCalls::Step& step : stage.steps())
    if (step.call->remakes != TensorProgram::Call::kNone) m_remade.insert(step.call->remakes);
}

std::optional<ConvolutionMemory> TensorReplay::convolutionOf(const TensorProgram::Call& call) const {
  if (!call.conv) return std::nullopt;
  ConvGeometry conv = *call.conv;
  conv.n *= m_samples;
  return ConvolutionMemory(conv, m_training, m_threads);
}

void TensorReplay::mark(std::int64_t passing) {
  if (m_level.total() + passing <= m_top.total()) return;
  m_top = m_level;
  m_top.workspace += passing;
}

void TensorReplay::allocate(int storage) {
  if (m_stage.isForeign(storage) || !m_there.insert(storage).second) return;
  m_level.activations += scaled(m_stage.storageBytes(storage));
}

void TensorReplay::letGo(int storage) {
  if (m_stage.isForeign(storage) || m_there.erase(storage) == 0) return;
  m_level.activations -= scaled(m_stage.storageBytes(storage));
}

void TensorReplay::forward(bool keeps, bool again) {
  m_there.clear();
  std::ranges::fill(m_users, 0);
  for (const int storage : m_stage.copied()) allocate(storage);
  for (const StageCalls::Step& step : m_stage.steps()) {
    makeResults(*step.call, keeps && step.used);
    for (const int storage : step.leaving)
      if (m_users[static_cast<std::size_t>(storage)] == 0 || isRemade(storage)) letGo(storage);
  }
  // What is sent is counted by who sends it, for as long as anybody has it; made again, nobody else has it.
  if (again && !m_stage.isLast()) return;
  for (const int value : m_stage.sent())
    if (!(m_stage.isLast() && m_users[static_cast<std::size_t>(m_stage.storageOf(value))] > 0))
      letGo(m_stage.storageOf(value));
}

void TensorReplay::makeResults(const TensorProgram::Call& call, bool saves) {
  const std::optional<ConvolutionMemory> convolution = convolutionOf(call);
  const ConvolutionMemory::Passing copies =
      convolution ? convolution->forward() : ConvolutionMemory::Passing{0, fixed(call.forward_copies)};
  mark(copies.before);
  for (const int value : call.makes) allocate(m_stage.storageOf(value));
  if (saves) {
    m_level.activations += savedBesides(call);
    for (const int storage : call.saves)
      if (this->keeps(call, storage)) ++m_users[static_cast<std::size_t>(storage)];
  }
  mark(scaled(call.forward_workspace) + (saves ? 0 : savedBesides(call)) + copies.beside);
}

void TensorReplay::addLoss(std::int64_t bytes, int copies) {
  mark(copies * bytes);
  m_level.activations += bytes;
}

void TensorReplay::leaveLoss(std::int64_t bytes) {
  mark(2 * bytes);
  m_level.activations -= bytes;
}

int TensorReplay::make(std::int64_t bytes) {
  m_gradients.push_back({scaled(bytes), 1, -1, false});
  m_level.workspace += m_gradients.back().bytes;
  return static_cast<int>(m_gradients.size()) - 1;
}

void TensorReplay::releaseGradient(int gradient) {
  Gradient& released = m_gradients[static_cast<std::size_t>(gradient)];
  if (--released.users == 0) partOf(released) -= released.bytes;
}

/// Two gradients of one value are added in place if nobody else has the first, and it is not part of a larger one.
void TensorReplay::deliver(int value, int gradient) {
  int& there = m_gradient_of[static_cast<std::size_t>(value)];
  if (there < 0) {
    there = gradient;
    return;
  }
  const Gradient& first = m_gradients[static_cast<std::size_t>(there)];
  if (first.users > 1 || first.sent_value >= 0 || first.bytes != scaled(m_stage.bytesOf(value))) {
    const int sum = make(m_stage.bytesOf(value));
    mark(0);
    releaseGradient(there);
    there = sum;
  }
  releaseGradient(gradient);
}

void TensorReplay::backward(bool first, bool input_only) {
  m_gradients.clear();
  std::ranges::fill(m_gradient_of, -1);
  m_landed.clear();
  m_weight_parts.clear();
  for (const int value : m_stage.sent()) {
    int& gradient = m_gradient_of[static_cast<std::size_t>(value)];
    gradient = make(m_stage.isLast() ? m_stage.bytesOf(value) : 0);
    if (!m_stage.isLast()) m_gradients.back().sent_value = value;
  }
  mark(0);
  for (std::size_t i = m_stage.steps().size(); i-- > 0;)
    if (m_stage.steps()[i].used) backwardOf(m_stage.steps()[i], first, input_only);
  collectFresh(first);
  for (const int value : m_stage.sent())
    if (m_users[static_cast<std::size_t>(m_stage.storageOf(value))] == 0) letGo(m_stage.storageOf(value));
  // Gradients of what was received are counted by who made them, for as long as anybody has them.
  std::set<int> handed;
  for (const int value : m_stage.received())
    if (const int gradient = m_gradient_of[static_cast<std::size_t>(value)]; gradient >= 0) handed.insert(gradient);
  for (const int number : handed) {
    const Gradient& gradient = m_gradients[static_cast<std::size_t>(number)];
    partOf(gradient) -= gradient.bytes;
  }
}

void TensorReplay::release(int storage) {
  if (--m_users[static_cast<std::size_t>(storage)] == 0) letGo(storage);
}

void TensorReplay::remake(const TensorProgram::Call& call) {
  for (const int storage : call.saves)
    if (isRemade(storage) && keeps(call, storage)) allocate(storage);
}

bool TensorReplay::masksByRemade(const TensorProgram::Call& call) const {
  return isRemade(call.remakes) && std::ranges::find(call.saves, call.remakes) != call.saves.end();
}

bool TensorReplay::isReusable(int gradient, std::int64_t bytes) const {
  const Gradient& there = m_gradients[static_cast<std::size_t>(gradient)];
  return there.users == 1 && there.sent_value < 0 && there.bytes == scaled(bytes);
}

/// Of what the call read: value and gradient.
void TensorReplay::makeGradients(const TensorProgram::Call& call, int of_result,
                                 std::vector<std::pair<int, int>>& made) {
  using Lies = TensorProgram::Gradient::Lies;
  const bool reusable = isReusable(of_result, m_stage.bytesOf(call.makes.front()));
  for (const TensorProgram::Gradient& to : call.gradients) {
    const bool passed = to.lies == Lies::Passed || (to.lies == Lies::InPlace && reusable);
    made.emplace_back(to.value, passed ? of_result : make(m_stage.bytesOf(to.value)));
    if (passed) ++m_gradients[static_cast<std::size_t>(of_result)].users;
  }
}

void TensorReplay::backwardOf(const StageCalls::Step& step, bool first, bool input_only) {
  const TensorProgram::Call& call = *step.call;
  std::vector<int> gradients;
  for (const int value : call.makes)
    if (int& there = m_gradient_of[static_cast<std::size_t>(value)]; there >= 0) gradients.push_back(there);
  std::vector<std::pair<int, int>> made;
  if (!gradients.empty()) {
    remake(call);
    if (masksByRemade(call)) {
      // The masked gradient is made beside it, in place of the incoming one.
      mark(scaled(m_stage.bytesOf(call.makes.front())));
      release(call.remakes);
    }
    const std::optional<ConvolutionMemory> convolution = convolutionOf(call);
    const ConvolutionMemory::Passing copies =
        convolution && !call.gradients.empty() ? convolution->inputGradient() : ConvolutionMemory::Passing();
    mark(copies.before);
    makeGradients(call, gradients.front(), made);
    mark(copies.beside);
    if (input_only && step.defers) {
      mark(scaled(call.backward_workspace));
      leaveForLater(call, gradients.front());
    } else {
      land(call, scaled(call.backward_workspace), first);
    }
    for (const int gradient : gradients) releaseGradient(gradient);
  }
  m_level.activations -= savedBesides(call);
  for (const int storage : call.saves)
    if (keeps(call, storage) && (gradients.empty() || storage != call.remakes || !masksByRemade(call)))
      release(storage);
  for (const auto& [value, gradient] : made) deliver(value, gradient);
}

void TensorReplay::leaveForLater(const TensorProgram::Call& call, int gradient) {
  Gradient& needed = m_gradients[static_cast<std::size_t>(gradient)];
  ++needed.users;
  if (!std::exchange(needed.retained, true)) {
    m_level.workspace -= needed.bytes;
    m_level.activations += needed.bytes;
  }
  ++m_users[static_cast<std::size_t>(call.deferrable)];
  m_weight_parts.push_back({&call, gradient});
}

/// Gradients of its weights: new ones in a first backward, else for a moment. Those in a lower precision are there
/// until the action ends.
void TensorReplay::land(const TensorProgram::Call& call, std::int64_t workspace, bool first) {
  const bool low = m_training.element_bytes < kFloatBytes;
  std::int64_t all = 0, landed = 0, fresh = 0;
  for (const TensorProgram::Weight& weight : call.weights) {
    const bool is_new = m_landed.insert(weight.number).second;
    if (low && !weight.of_norm) {
      fresh += is_new ? fixed(weight.bytes) : 0;
    } else {
      all += weight.bytes;
      landed += is_new ? weight.bytes : 0;
    }
  }
  if (const std::optional<ConvolutionMemory> convolution = convolutionOf(call); convolution && !call.weights.empty()) {
    const ConvolutionMemory::WeightPart part = convolution->weightGradient(first);
    mark(workspace + part.passing);
    mark(workspace + (part.added_within ? 0 : all + fresh));
  } else {
    mark(workspace + std::max(all + fresh, fixed(call.backward_copies)));
  }
  if (first) m_level.gradients += landed;
  m_level.workspace += fresh;
  m_fresh += fresh;
}

/// Low-precision gradients are added to the masters'.
void TensorReplay::collectFresh(bool first) {
  if (first) m_level.gradients += m_fresh / m_training.element_bytes * kFloatBytes;
  m_level.workspace -= std::exchange(m_fresh, 0);
  mark(0);
}

void TensorReplay::backwardWeight(bool first) {
  for (const WeightPart& part : m_weight_parts) {
    land(*part.call, 0, first);
    release(part.call->deferrable);
    releaseGradient(part.gradient);
  }
  collectFresh(first);
}

std::vector<PassedTensor> TensorReplay::madeForReceived() const {
  std::vector<PassedTensor> made;
  std::set<int> seen;
  for (const int value : m_stage.received()) {
    const int number = m_gradient_of[static_cast<std::size_t>(value)];
    if (number < 0 || !seen.insert(number).second) continue;
    const Gradient& gradient = m_gradients[static_cast<std::size_t>(number)];
    if (gradient.bytes > 0) made.push_back({value, gradient.bytes, gradient.retained});
  }
  return made;
}

}  // namespace lanelab
