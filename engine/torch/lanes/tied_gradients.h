// SPDX-License-Identifier: GPL-3.0-only
// Where stages that use one parameter meet in every step: their gradients are added up, so that their copies of it stay
// equal.
//
// As Megatron-LM's all-reduce of embedding gradients between the first and the last stage (Narayanan et al. 2021). The
// sum of all micro-batches of a stage is added to that of another stage, where one network on one lane adds up stage
// by stage within each micro-batch: the same number, rounded in another order.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/placement/tied_stages.h"
#include "engine/torch/lanes/round_exchange.h"

namespace lanelab {

/// By parameter and stage. Offered after the stage's last backward of the round, on the host: the tensor stays as it is
/// until the next round; undefined where the stage had no rows.
class TiedGradients : public RoundExchange<std::pair<std::string, StageId>, at::Tensor> {
 public:
  explicit TiedGradients(TiedStages stages) : m_stages(std::move(stages)) {}

  const TiedStages& stages() const { return m_stages; }

  /// The sum over all of its stages, in their order; undefined where none had rows.
  at::Tensor awaitSum(const std::string& parameter, int round) {
    std::vector<std::pair<std::string, StageId>> keys;
    for (const StageId stage : m_stages.at(parameter)) keys.emplace_back(parameter, stage);
    at::Tensor sum;
    for (const at::Tensor& part : await(keys, round)) {
      if (part.defined()) sum = sum.defined() ? sum.add(part) : part;
    }
    return sum;
  }

 private:
  const TiedStages m_stages;
};

}  // namespace lanelab
