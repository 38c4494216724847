// SPDX-License-Identifier: GPL-3.0-only
// Tensor memory of CPU lanes: counted a lane, and kept for the next step instead of going back to the system.
//
// A lane's tensors come and go in the same sizes every step. The C library returns such large blocks to the system and
// gets them again as fresh pages, each zeroed on first touch; on a lane's thread blocks of 32 MiB and more always do.
// So freed blocks are kept by size for the cores they were first touched on, in huge pages where the system offers
// them. Small blocks go to malloc. New large blocks are made only while the system has memory left, so that a batch
// that is too large ends in an error, not in the kernel's out-of-memory killer.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>

namespace lanelab {

/// Thrown by the allocator; what() is a sentence.
class OutOfLaneMemory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Bytes of the tensors of one lane, alive and at their peak. Any thread.
class LaneAccount {
 public:
  explicit LaneAccount(int cache) : m_cache(cache) {}

  std::int64_t live() const { return m_live.load(std::memory_order_relaxed); }
  std::int64_t peak() const { return m_peak.load(std::memory_order_relaxed); }
  void restartPeak() { m_peak.store(live(), std::memory_order_relaxed); }
  void add(std::int64_t bytes);
  int cache() const { return m_cache; }

 private:
  const int m_cache;  ///< which cache of free blocks the lane shares: one for each first core
  std::atomic<std::int64_t> m_live{0};
  std::atomic<std::int64_t> m_peak{0};
};

/// Makes torch allocate CPU tensors here, from now on and for the whole process. Idempotent, any thread.
void installLaneAllocator();

/// Tensors made on the calling thread count for `account` until the thread ends or another one is set; null: uncounted,
/// uncached.
void chargeThread(std::shared_ptr<LaneAccount> account);

/// Until it goes, a tensor of more bytes is refused on the calling thread: a call of a graph that somebody else made
/// may take far more than the file says. Scopes may be nested.
class LargestTensor {
 public:
  explicit LargestTensor(std::int64_t bytes);
  ~LargestTensor();
  LargestTensor(const LargestTensor&) = delete;
  LargestTensor& operator=(const LargestTensor&) = delete;

 private:
  std::int64_t m_before;
};

/// What the system and the process's control group have free now for the tensors of CPU lanes: all but a twentieth, and
/// what lanes have kept.
std::int64_t freeForLanes();

/// Bytes that all lanes together may hold; starts as what the system and the process's control group have free at the
/// first installLaneAllocator().
std::int64_t laneMemoryLimit();
void setLaneMemoryLimit(std::int64_t bytes);

/// Gives retained blocks back to the system.
void releaseKeptBlocks();

/// One for each training whose lanes hold or will need memory. When the last one goes, retained blocks and what malloc
/// retains go back to the system: between two repeats they save time, after a run they are only missing elsewhere.
class LaneMemoryUser {
 public:
  LaneMemoryUser();
  ~LaneMemoryUser();
  LaneMemoryUser(const LaneMemoryUser&) = delete;
  LaneMemoryUser& operator=(const LaneMemoryUser&) = delete;
};

}  // namespace lanelab
