// SPDX-License-Identifier: GPL-3.0-only
// A growing list whose copies share what they have in common, so that a trace that is polled while it grows costs what
// is new of it.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace lanelab {

/// Chunks that are full are shared between copies and never change; the last one is each copy's own. Elements are read
/// by place.
template <class T, std::size_t kChunk = 512>
class SharedList {
 public:
  std::size_t size() const { return m_full.size() * kChunk + m_last.size(); }
  bool empty() const { return size() == 0; }
  const T& operator[](std::size_t place) const {
    const std::size_t chunk = place / kChunk;
    return chunk < m_full.size() ? (*m_full[chunk])[place % kChunk] : m_last[place % kChunk];
  }
  void push_back(const T& value) {
    if (m_last.size() == kChunk) {
      m_full.push_back(std::make_shared<const std::vector<T>>(std::move(m_last)));
      m_last.clear();
    }
    if (m_last.empty() && !m_full.empty()) m_last.reserve(kChunk);
    m_last.push_back(value);
  }
  /// Keeps the first `count` elements, at most size().
  void truncate(std::size_t count) {
    if (count >= size()) return;
    const std::size_t chunk = count / kChunk;
    if (chunk < m_full.size()) {
      m_last = *m_full[chunk];
      m_full.resize(chunk);
    }
    m_last.resize(count % kChunk);
  }

 private:
  std::vector<std::shared_ptr<const std::vector<T>>> m_full;
  std::vector<T> m_last;
};

}  // namespace lanelab
