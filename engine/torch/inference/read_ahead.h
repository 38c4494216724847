// SPDX-License-Identifier: GPL-3.0-only
// Tensors that are fetched ahead of their use by a thread of their own, while no more than a given number of bytes is
// in flight.
//
// The order of use is known and fixed, and the same in every pass, so what is needed next is never guessed.
// accelerate's hooks (hooks.py, AlignDevicesHook) fetch when a module is called; here that is done while the module
// before it computes.
#pragma once

#include <ATen/core/Tensor.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lanelab {

struct FetchedTensor {
  std::int64_t bytes = 0;             ///< in flight from the begin of `fetch` until it is given back
  std::function<at::Tensor()> fetch;  ///< on the fetching thread; what it throws comes out of acquire()
  std::function<void()> drop;         ///< on the using thread, when the tensor is gone
};

class ReadAhead {
 public:
  /// `most_bytes`, within which all that is used at once must be, is raised to the largest tensor, without which
  /// nothing could be fetched. Fetching begins at once; with no tensor there is no thread.
  ReadAhead(std::vector<FetchedTensor> tensors, std::int64_t most_bytes, std::int64_t passes);
  /// Ends the thread, after the fetch that it is in.
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// The next tensor in the order of use. Waits for it.
  at::Tensor acquire();
  /// The first that was taken and not released is used no longer, and gone.
  void release();

  /// Seconds that acquire() waited.
  double waitedSeconds() const { return m_waited; }

 private:
  void fetchAll(std::int64_t passes);

  std::vector<FetchedTensor> m_tensors;
  std::int64_t m_most_bytes;
  std::size_t m_using = 0;  ///< place of the first that is not released
  double m_waited = 0;

  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<at::Tensor> m_ready;
  std::int64_t m_in_flight = 0;
  std::exception_ptr m_failure;
  bool m_stopped = false;
  std::thread m_thread;
};

}  // namespace lanelab
