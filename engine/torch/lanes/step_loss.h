// SPDX-License-Identifier: GPL-3.0-only
// The loss of one lane in a step, and how many answers it got right.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/torch/nn/training_loss.h"

namespace lanelab {

/// The lane's thread only. Losses stay on the device until endStep().
class StepLoss {
 public:
  /// Of a lane that holds one of `replicas` equal parts of the loss, which is their mean. Right answers are counted
  /// only where somebody asks for them.
  StepLoss(const LossRule& rule, int replicas, bool counts_correct)
      : m_rule(rule), m_replicas(replicas), m_counts_correct(counts_correct) {}

  void beginRepeat() {
    beginStep();
    m_correct = 0;
  }
  void beginStep() {
    m_losses.clear();
    m_hits.clear();
    m_valid.reset();
  }

  /// Before the step's first loss: the targets of the whole batch, of all replicas, on the host. If there is padding
  /// among them, losses are weighted by their valid targets in place of their samples.
  void beginBatch(const at::Tensor& targets) {
    const TargetCount count = countTargets(m_rule, targets);
    if (count.padding > 0) m_valid = static_cast<double>(count.valid) / m_replicas;
  }

  /// A scalar with autograd, which counts for the step. `weight` is the share of the samples.
  at::Tensor add(const at::Tensor& output, const at::Tensor& targets, double weight) {
    if (m_counts_correct) m_hits.push_back(countCorrect(m_rule, output, targets));
    at::Tensor loss = again(output, targets, weight);
    m_losses.push_back(loss.detach());
    return loss;
  }

  /// The same scalar again, for a graph: it counts for nothing.
  at::Tensor again(const at::Tensor& output, const at::Tensor& targets, double weight) const {
    const at::Tensor numbers = output.to(at::kFloat);
    return m_valid ? lossPerValidTarget(m_rule, numbers, targets, *m_valid)
                   : weightedLoss(m_rule, numbers, targets, weight);
  }

  /// The lane's part of the step's loss. Waits for the device.
  double endStep() {
    double sum = 0;
    for (const at::Tensor& loss : m_losses) sum += loss.item<double>();
    for (const at::Tensor& hits : m_hits) m_correct += hits.item<std::int64_t>();
    return sum / m_replicas;
  }

  /// Right answers as countCorrect() counts them, since the last call.
  std::int64_t collectCorrect() { return std::exchange(m_correct, 0); }

 private:
  LossRule m_rule;
  int m_replicas;
  bool m_counts_correct;
  std::optional<double> m_valid;  ///< valid targets of this step's batch, by replica on average; none without padding
  std::vector<at::Tensor> m_losses;  ///< weighted, of this step
  std::vector<at::Tensor> m_hits;    ///< of this step: right answers of each micro-batch
  std::int64_t m_correct = 0;
};

}  // namespace lanelab
