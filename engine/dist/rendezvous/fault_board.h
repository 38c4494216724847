// SPDX-License-Identifier: GPL-3.0-only
// The first thing that went wrong with the peers of a run, and the calls that end whatever waits for them.
//
// Thread: all functions from any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace lanelab {

class FaultBoard {
 public:
  /// Keeps the first sentence and makes all calls, on this thread. Later ones change nothing.
  void raise(const std::string& sentence);
  std::optional<std::string> fault() const;
  /// Waits so long for a fault.
  std::optional<std::string> faultWithin(std::chrono::milliseconds limit) const;
  /// Throws std::runtime_error with the fault, if there is one.
  void check() const;

  /// While it lives, a fault makes its call: once, from another thread, or at once when there is one already. The call
  /// must not block.
  class Call {
   public:
    Call(FaultBoard& board, std::function<void(const std::string& sentence)> call);
    ~Call();  ///< not before the call is over
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    FaultBoard& m_board;
    std::uint64_t m_number = 0;
  };

 private:
  mutable std::mutex m_mutex;
  mutable std::condition_variable m_changed;
  std::optional<std::string> m_fault;
  std::uint64_t m_next = 1;
  std::map<std::uint64_t, std::function<void(const std::string&)>> m_calls;
  mutable std::mutex m_calling;  ///< held while calls are made, so that none outlives its Call
};

}  // namespace lanelab
