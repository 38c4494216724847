// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/span_pairs.h"

#include <algorithm>
#include <unordered_map>

namespace lanelab {

namespace {

/// Begins whose ends are still to come, by depth and by name, so that whatever the nesting each takes a constant time.
class OpenSpans {
 public:
  void push(const HalfSpan& begin) {
    m_places[begin.name].push_back(m_open.size());
    m_open.push_back(&begin);
    ++m_count;
  }
  /// The innermost, null if there is none.
  const HalfSpan* takeInnermost() { return m_open.empty() ? nullptr : take(m_places[m_open.back()->name]); }
  const HalfSpan* takeNamed(std::uint32_t name) {
    const auto found = m_places.find(name);
    return found == m_places.end() || found->second.empty() ? nullptr : take(found->second);
  }
  std::int64_t count() const { return m_count; }

 private:
  /// The last of these; places that were taken out of the middle stay until they are the innermost.
  const HalfSpan* take(std::vector<std::size_t>& places) {
    const HalfSpan* const begin = m_open[places.back()];
    m_open[places.back()] = nullptr;
    places.pop_back();
    --m_count;
    while (!m_open.empty() && m_open.back() == nullptr) m_open.pop_back();
    return begin;
  }

  std::vector<const HalfSpan*> m_open;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> m_places;
  std::int64_t m_count = 0;
};

const HalfSpan* beginOf(const HalfSpan& end, bool any_name, OpenSpans& open) {
  if (!end.named) return open.takeInnermost();
  const HalfSpan* const named = open.takeNamed(end.name);
  return named == nullptr && any_name ? open.takeInnermost() : named;
}

}  // namespace

UnmatchedEnds pairHalves(std::vector<HalfSpan>& halves, bool any_name,
                         const std::function<void(const HalfSpan& begin, Nanoseconds end)>& paired) {
  if (!std::ranges::is_sorted(halves, {}, &HalfSpan::time)) std::ranges::stable_sort(halves, {}, &HalfSpan::time);
  UnmatchedEnds unmatched;
  OpenSpans open;
  for (const HalfSpan& half : halves) {
    if (half.begins) {
      open.push(half);
    } else if (const HalfSpan* const begin = beginOf(half, any_name, open)) {
      paired(*begin, half.time);
    } else {
      ++unmatched.ends;
    }
  }
  unmatched.begins = open.count();
  return unmatched;
}

}  // namespace lanelab
