// SPDX-License-Identifier: GPL-3.0-only
// Where the replicas of data parallelism meet in every step, as torch.nn.DataParallel has it
// (torch/nn/parallel/data_parallel.py): the first replica's weights are copied to the others, outputs are gathered on
// it, where the loss is taken, its gradient is scattered, and the gradients of the weights are added up there.
//
// Unlike LibTorch's own C++ data_parallel, nothing is cloned or drawn again each step, and the first replica keeps its
// running statistics, as in Python.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "engine/torch/lanes/round_exchange.h"

namespace lanelab {

/// By replica. One may have no rows in a round: its tensors are undefined then.
struct DataParallelExchange {
  template <class Value>
  using OfReplicas = RoundExchange<int, Value>;

  /// The first replica's parameters, of round 0: the others copy from them while no update runs.
  OfReplicas<std::vector<at::Tensor>> weights{"replica"};
  OfReplicas<at::Tensor> outputs{"replica"};
  OfReplicas<at::Tensor> gradients{"replica"};  ///< of the outputs
  /// They stay as they are until the replica's next round.
  OfReplicas<std::vector<at::Tensor>> weight_gradients{"replica"};

  void open() {
    forEach([](auto& room) { room.open(); });
  }
  void close() {
    forEach([](auto& room) { room.close(); });
  }

 private:
  template <class Work>
  void forEach(const Work& work) {
    work(weights);
    work(outputs);
    work(gradients);
    work(weight_gradients);
  }
};

}  // namespace lanelab
