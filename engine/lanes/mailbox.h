// SPDX-License-Identifier: GPL-3.0-only
// How lanes hand packets to each other: one mailbox for each (boundary, direction, micro-batch), and a bell that wakes
// the lane that reads.
//
// A mailbox has one writer and one reader a step. Putting and taking allocate nothing and take no lock; an idle reader
// sleeps in the kernel.
#pragma once

#include <atomic>
#include <utility>

#include "engine/lanes/lane_worker.h"

namespace lanelab {

/// Wakes the one lane thread that owns it. Rings are counted, so none is lost between looking and sleeping.
class WakeSignal {
 public:
  int rings() const { return m_rings.load(std::memory_order_seq_cst); }
  void ring() {
    m_rings.fetch_add(1, std::memory_order_seq_cst);
    m_rings.notify_all();
  }
  void sleepUnlessRungSince(int seen) const { m_rings.wait(seen, std::memory_order_seq_cst); }

 private:
  std::atomic<int> m_rings{0};
};

/// On a cache line of its own: neighbours are written by other lanes at the same time.
class alignas(64) Mailbox {
 public:
  void setReader(WakeSignal* wake_signal) { m_reader = wake_signal; }

  void put(Packet packet) {
    m_packet = std::move(packet);
    m_full.store(true, std::memory_order_release);
    m_reader->ring();
  }
  bool full() const { return m_full.load(std::memory_order_acquire); }
  /// Only when full(); empties it for the next step.
  Packet take() {
    Packet packet = std::move(m_packet);
    m_packet.reset();
    m_full.store(false, std::memory_order_relaxed);
    return packet;
  }
  /// While no lane runs: drops what a failed step left.
  void clear() {
    m_packet.reset();
    m_full.store(false, std::memory_order_relaxed);
  }

 private:
  std::atomic<bool> m_full{false};
  Packet m_packet;
  WakeSignal* m_reader = nullptr;
};

}  // namespace lanelab
