// SPDX-License-Identifier: GPL-3.0-only
// Where the replicas of data parallelism meet in every step, as torch.nn.DataParallel has it
// (torch/nn/parallel/data_parallel.py): the first replica's weights are copied to the others, outputs are gathered on
// it, where the loss is taken, its gradient is scattered, and the gradients of the weights are added up there.
//
// Unlike LibTorch's own C++ data_parallel, nothing is cloned or drawn again each step, and the first replica keeps its
// running statistics, as in Python.
#pragma once

#include <ATen/core/Tensor.h>

#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

namespace lanelab {

/// Shared by the lanes of one variant; each call is made on the lane's thread of the replica it names. Rounds are
/// steps, counted from 1 by every lane itself. What waits throws std::runtime_error once the room is closed. A replica
/// may have no rows in a round: its tensors are undefined then.
class DataParallelExchange {
 public:
  explicit DataParallelExchange(int replicas);

  /// Before the lanes begin, and after a round that was not finished.
  void open();
  /// Wakes all that wait: a lane has left its round early.
  void close() { set(m_closed, true); }

  /// The first replica's parameters, which the others copy from while no update runs.
  void offerWeights(std::vector<at::Tensor> parameters) { set(m_weights, std::move(parameters)); }
  std::vector<at::Tensor> awaitWeights();

  void offerOutput(int replica, int round, at::Tensor output) {
    set(m_outputs[static_cast<std::size_t>(replica)], {round, std::move(output)});
  }
  std::vector<at::Tensor> awaitOutputs(int round);

  void scatter(int round, std::vector<at::Tensor> gradients) { set(m_scattered, {round, std::move(gradients)}); }
  at::Tensor awaitGradient(int replica, int round);

  /// The weights' gradients of the replica, which stay as they are until its next round.
  void offerWeightGradients(int replica, int round, std::vector<at::Tensor> gradients) {
    set(m_weight_gradients[static_cast<std::size_t>(replica)], {round, std::move(gradients)});
  }
  std::vector<std::vector<at::Tensor>> awaitWeightGradients(int round);

 private:
  template <class T>
  struct Offered {
    int round = 0;
    T value;
  };

  template <class T>
  void set(T& place, T value) {
    {
      const std::lock_guard lock(m_mutex);
      place = std::move(value);
    }
    m_changed.notify_all();
  }
  /// Under the lock; throws when the room is closed first.
  template <class Ready>
  std::unique_lock<std::mutex> await(Ready ready);
  /// What the replicas from `first` on have offered, when all of them have for this round.
  template <class T>
  std::vector<T> awaitAll(std::vector<Offered<T>>& offered, std::size_t first, int round);

  std::mutex m_mutex;  ///< guards all below
  std::condition_variable m_changed;
  bool m_closed = false;
  std::vector<at::Tensor> m_weights;
  std::vector<Offered<at::Tensor>> m_outputs;
  Offered<std::vector<at::Tensor>> m_scattered;
  std::vector<Offered<std::vector<at::Tensor>>> m_weight_gradients;
};

}  // namespace lanelab
