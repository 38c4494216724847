// SPDX-License-Identifier: GPL-3.0-only
// Whether a step may continue: open until the first failure or a cancel, which closes it for all lanes and wakes those
// that wait.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "base/result.h"
#include "engine/lanes/mailbox.h"

namespace lanelab {

class StepGate {
 public:
  /// Bells of all lanes; before any lane runs.
  void addWakeSignal(WakeSignal* wake_signal) { m_wake_signals.push_back(wake_signal); }

  bool closed() const { return m_closed.load(std::memory_order_seq_cst); }

  /// Any thread. The first reason wins.
  void close(Error reason) {
    {
      const std::lock_guard lock(m_mutex);
      if (!m_reason.ok()) return;
      m_reason = Status(std::move(reason));
    }
    m_closed.store(true, std::memory_order_seq_cst);
    for (WakeSignal* wake_signal : m_wake_signals) wake_signal->ring();
  }

  Status reason() const {
    const std::lock_guard lock(m_mutex);
    return m_reason;
  }

  /// While no lane runs.
  void reopen() {
    const std::lock_guard lock(m_mutex);
    m_reason = {};
    m_closed.store(false, std::memory_order_seq_cst);
  }

 private:
  std::atomic<bool> m_closed{false};
  mutable std::mutex m_mutex;
  Status m_reason;
  std::vector<WakeSignal*> m_wake_signals;
};

/// Waits for the writer of a mailbox, whose reader is woken by `wake_signal`. False where the gate is closed.
inline bool awaitFull(const Mailbox& mailbox, const WakeSignal& wake_signal, const StepGate& gate) {
  for (;;) {
    const int rings = wake_signal.rings();
    if (gate.closed()) return false;
    if (mailbox.full()) return true;
    wake_signal.sleepUnlessRungSince(rings);
  }
}

/// Where lanes wait for each other at the start of a step. Everyone always arrives, whatever went wrong before.
class StartBarrier {
 public:
  void setLanes(int lanes) { m_lanes = lanes; }

  /// Blocks until all lanes are here; `at_start` runs once, on the last one, before anyone continues.
  template <class AtStart>
  void arrive(const AtStart& at_start) {
    const int round = m_round.load(std::memory_order_acquire);
    if (m_arrived.fetch_add(1, std::memory_order_acq_rel) + 1 < m_lanes) {
      m_round.wait(round, std::memory_order_acquire);
      return;
    }
    m_arrived.store(0, std::memory_order_relaxed);
    at_start();
    m_round.fetch_add(1, std::memory_order_seq_cst);
    m_round.notify_all();
  }

 private:
  int m_lanes = 0;
  std::atomic<int> m_arrived{0};
  std::atomic<int> m_round{0};
};

}  // namespace lanelab
