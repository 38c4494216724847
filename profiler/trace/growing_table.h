// SPDX-License-Identifier: GPL-3.0-only
// A growing table whose entries never move: block b holds 16 << b entries, so a lookup takes no lock.
//
// Threads: add() for one caller at a time; size() and at() for any thread at any time.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace lanelab {

template <class T>
class GrowingTable {
 public:
  GrowingTable() = default;
  ~GrowingTable() {
    for (auto& block : m_blocks) delete[] block.load(std::memory_order_relaxed);
  }
  GrowingTable(const GrowingTable&) = delete;
  GrowingTable& operator=(const GrowingTable&) = delete;

  std::uint32_t size() const { return m_size.load(std::memory_order_acquire); }
  /// index < size(), as the calling thread has seen it or been given it.
  const T& at(std::uint32_t index) const {
    const Place place = placeOf(index);
    return m_blocks[place.block].load(std::memory_order_acquire)[place.entry];
  }
  std::uint32_t add(T value) {
    const std::uint32_t index = m_size.load(std::memory_order_relaxed);
    const Place place = placeOf(index);
    if (place.entry == 0)
      m_blocks[place.block].store(new T[std::size_t{kFirstBlock} << place.block](), std::memory_order_release);
    m_blocks[place.block].load(std::memory_order_relaxed)[place.entry] = std::move(value);
    m_size.store(index + 1, std::memory_order_release);
    return index;
  }

 private:
  static constexpr std::uint32_t kFirstBlock = 16;
  struct Place {
    std::uint32_t block;
    std::uint32_t entry;
  };
  static Place placeOf(std::uint32_t index) {
    const auto block = static_cast<std::uint32_t>(std::bit_width(index / kFirstBlock + 1) - 1);
    return {block, index - kFirstBlock * ((1U << block) - 1)};
  }

  std::array<std::atomic<T*>, 27> m_blocks{};
  std::atomic<std::uint32_t> m_size{0};
};

}  // namespace lanelab
