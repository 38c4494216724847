// SPDX-License-Identifier: GPL-3.0-only
// Hands every step's batch to the lanes, and makes the next ones on a thread of its own while they compute, so that
// files keep no lane waiting.
#pragma once

#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "engine/torch/data/training_inputs.h"

namespace lanelab {

/// One for a session. Which rows a step gets follows from the experiment and the step's number alone (row_order.h),
/// whoever makes them and when. Rows that lie ready in memory are handed out without a thread.
class BatchLoader {
 public:
  /// `threads`: of a lane. PyTorch's number of threads is partly the process's, so the loader asks for no other one.
  BatchLoader(std::shared_ptr<const TrainingInputs> inputs, DataConfig data, int threads = 1);
  ~BatchLoader();

  /// Begins to load the steps `first` ... `end` - 1.
  void start(int first, int end);
  /// Forgets what was loaded and ends the thread.
  void stop();

  StepRows rowsOf(int step) const { return rowsOfStep(m_data, m_inputs->data.size(), step); }
  /// Any lane's thread, several for one step; waits where the batch is not ready. Steps go upwards: earlier ones are
  /// let go. Throws what loading threw.
  std::shared_ptr<const Samples> batch(int step);

 private:
  void load(std::stop_token stop, int first, int end);
  std::shared_ptr<const Samples> made(int step) const;

  const std::shared_ptr<const TrainingInputs> m_inputs;
  const DataConfig m_data;
  const int m_threads;
  std::mutex m_mutex;  ///< guards all below
  std::condition_variable_any m_changed;
  std::map<int, std::shared_ptr<const Samples>> m_ready;
  std::exception_ptr m_failure;
  int m_wanted = 0;  ///< the newest step asked for
  std::jthread m_thread;
};

}  // namespace lanelab
