// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/devices/lane_memory.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <new>
#include <vector>

#include "base/stop_point.h"
#include "base/text.h"
#include "engine/torch/devices/available_memory.h"

namespace lanelab {

namespace {

constexpr std::size_t kHeader = 64;       ///< before each tensor's data, which stays aligned for AVX-512
constexpr std::size_t kKept = 64 * 1024;  ///< blocks from here on are kept; smaller ones go to malloc
constexpr std::size_t kHugePage = 2 << 20;
constexpr std::size_t kLarge = 1 << 20;  ///< new blocks from here on are compared with what the system has left
constexpr int kClasses = 512;
constexpr int kCaches = 64;

/// In front of every tensor's data.
struct Header {
  std::shared_ptr<LaneAccount> account;
  std::size_t bytes;  ///< as asked for
  int size_class;     ///< -1: from malloc
  int cache;
};
static_assert(sizeof(Header) <= kHeader);

/// Eight classes for each doubling, so that at most an eighth of a block is unused.
int classOf(std::size_t bytes) {
  const int log = std::bit_width(bytes - 1);
  const int step = log - 4;
  return log * 8 + static_cast<int>((bytes - 1) >> step) - 8;
}

std::size_t capacityOf(int size_class) {
  const int log = size_class / 8;
  return static_cast<std::size_t>(size_class % 8 + 9) << (log - 4);
}

/// Free blocks by class, of the lanes that start on one core. All its lanes may run at once, so it has a lock; blocks
/// are few and large.
struct BlockCache {
  std::mutex mutex;
  std::array<std::vector<void*>, kClasses> free;
};

struct Memory {
  std::array<BlockCache, kCaches> caches;
  std::atomic<std::int64_t> reserved{0};  ///< mapped by lanes, in use or kept
  std::atomic<std::int64_t> limit{0};
  std::atomic<std::int64_t> spare{0};  ///< stays free in the system
  std::atomic<int> users{0};
};

/// Never destroyed: tensors may outlive every static object.
Memory& memory() {
  static Memory* const instance = new Memory;
  return *instance;
}

thread_local std::shared_ptr<LaneAccount> t_account;
thread_local std::int64_t t_largest = std::numeric_limits<std::int64_t>::max();

/// Is there memory for a new block now? Other programs and what torch keeps outside its tensors count too. A block that
/// was just made is not touched yet and so not counted: `spare` covers those.
bool systemHas(std::size_t bytes) {
  return bytes < kLarge || availableMemory() - static_cast<std::int64_t>(bytes) >= memory().spare.load();
}

void* mapBlock(std::size_t capacity) {
  void* const data = ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  if (capacity >= kHugePage) ::madvise(data, capacity, MADV_HUGEPAGE);
  return data;
}

[[noreturn]] void refuse(std::size_t bytes) {
  const std::int64_t limit = memory().limit.load();
  const std::int64_t reserved = memory().reserved.load();
  throw OutOfLaneMemory("out of memory: a tensor of " + formatBytes(static_cast<std::int64_t>(bytes)) +
                        " does not fit beside the " + formatBytes(reserved) + " that lanes hold (" +
                        formatBytes(std::min(limit, reserved + availableMemory())) +
                        " in all). Use a smaller batch, split size or input, or the schedule 1F1B");
}

[[noreturn]] void refuseLargest(std::size_t bytes) {
  throw OutOfLaneMemory("a call makes a tensor of " + formatBytes(static_cast<std::int64_t>(bytes)) +
                        ", far more than the sizes that the file declares allow (" + formatBytes(t_largest) +
                        "). Export the network again");
}

void* newBlock(std::size_t capacity, std::size_t asked) {
  auto& m = memory();
  const auto size = static_cast<std::int64_t>(capacity);
  for (bool again : {true, false}) {
    if (m.reserved.fetch_add(size) + size <= m.limit.load() && systemHas(capacity)) {
      if (void* const data = mapBlock(capacity)) return data;
    }
    m.reserved.fetch_sub(size);
    if (again) releaseKeptBlocks();
  }
  refuse(asked);
}

void* acquireBlock(int size_class, int cache, std::size_t asked) {
  BlockCache& blocks = memory().caches[static_cast<std::size_t>(cache)];
  {
    const std::lock_guard lock(blocks.mutex);
    auto& free = blocks.free[static_cast<std::size_t>(size_class)];
    if (!free.empty()) {
      void* const data = free.back();
      free.pop_back();
      return data;
    }
  }
  return newBlock(capacityOf(size_class), asked);
}

void unmapBlock(void* data, std::size_t capacity) {
  ::munmap(data, capacity);
  memory().reserved.fetch_sub(static_cast<std::int64_t>(capacity));
}

void freeData(void* data) {
  if (!data) return;
  void* const block = static_cast<char*>(data) - kHeader;
  auto* const header = static_cast<Header*>(block);
  if (header->account) header->account->add(-static_cast<std::int64_t>(header->bytes));
  const int size_class = header->size_class;
  const auto cache = static_cast<std::size_t>(header->cache);
  header->~Header();
  if (size_class < 0) {
    std::free(block);
    return;
  }
  BlockCache& blocks = memory().caches[cache];
  const std::lock_guard lock(blocks.mutex);
  blocks.free[static_cast<std::size_t>(size_class)].push_back(block);
}

void* allocateData(std::size_t bytes) {
  const std::size_t capacity = (bytes + kHeader + 63) / 64 * 64;
  const bool kept = t_account && bytes >= kKept;
  if (static_cast<std::int64_t>(bytes) > t_largest) refuseLargest(bytes);
  if (bytes >= kKept) stopPoint();  // so that training can be cancelled between the operations of an action
  const int size_class = kept ? classOf(capacity) : -1;
  const int cache = kept ? t_account->cache() : 0;
  if (!kept && !systemHas(capacity)) refuse(bytes);
  void* const block = kept ? acquireBlock(size_class, cache, bytes) : std::aligned_alloc(64, capacity);
  if (!block) refuse(bytes);
  new (block) Header{t_account, bytes, size_class, cache};
  if (t_account) t_account->add(static_cast<std::int64_t>(bytes));
  return static_cast<char*>(block) + kHeader;
}

class LaneAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    void* const data = bytes ? allocateData(bytes) : nullptr;
    return {data, data, &freeData, c10::Device(c10::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &freeData; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { std::memcpy(to, from, bytes); }
};

}  // namespace

void LaneAccount::add(std::int64_t bytes) {
  const std::int64_t now = m_live.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  std::int64_t peak = m_peak.load(std::memory_order_relaxed);
  while (now > peak && !m_peak.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
}

void installLaneAllocator() {
  static std::once_flag once;
  std::call_once(once, [] {
    // A twentieth stays for everything that is not a tensor.
    const std::int64_t available = availableMemory();
    memory().limit.store(available / 20 * 19);
    memory().spare.store(available / 20);
    c10::SetCPUAllocator(new LaneAllocator, /*priority=*/100);
  });
}

LargestTensor::LargestTensor(std::int64_t bytes) : m_before(t_largest) { t_largest = std::min(m_before, bytes); }
LargestTensor::~LargestTensor() { t_largest = m_before; }

std::int64_t freeForLanes() { return availableMemory() / 20 * 19 + memory().reserved.load(); }

void chargeThread(std::shared_ptr<LaneAccount> account) { t_account = std::move(account); }

std::int64_t laneMemoryLimit() { return memory().limit.load(); }

void setLaneMemoryLimit(std::int64_t bytes) { memory().limit.store(bytes); }

void releaseKeptBlocks() {
  for (BlockCache& cache : memory().caches) {
    const std::lock_guard lock(cache.mutex);
    for (int c = 0; c < kClasses; ++c) {
      auto& free = cache.free[static_cast<std::size_t>(c)];
      for (void* block : free) unmapBlock(block, capacityOf(c));
      free.clear();
    }
  }
}

LaneMemoryUser::LaneMemoryUser() { memory().users.fetch_add(1); }

LaneMemoryUser::~LaneMemoryUser() {
  if (memory().users.fetch_sub(1) > 1) return;
  releaseKeptBlocks();
  ::malloc_trim(0);
}

}  // namespace lanelab
