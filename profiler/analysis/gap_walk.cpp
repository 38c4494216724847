// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/gap_walk.h"

#include <algorithm>

namespace lanelab {

namespace {

constexpr auto kStartOf = [](const auto& piece) { return piece.range.start; };

}  // namespace

void GapWalk::begin(TimeRange gap) {
  m_open.assign(1, gap);
  m_pieces.clear();
}

void GapWalk::until(Nanoseconds time, Cause cause) { untilShared(time, {}, cause); }

void GapWalk::untilShared(Nanoseconds time, std::span<const Share> shares, Cause rest) {
  if (m_open.empty() || m_open.front().start >= time) return;
  m_left.clear();
  auto share = shares.begin();
  Nanoseconds taken = 0;
  for (const TimeRange& range : m_open) {
    const Nanoseconds end = std::min(range.end, time);
    Nanoseconds from = range.start;
    while (from < end) {
      while (share != shares.end() && taken >= share->most) {
        ++share;
        taken = 0;
      }
      const Nanoseconds to = share == shares.end() ? end : std::min(end, from + (share->most - taken));
      m_pieces.push_back({{from, to}, share == shares.end() ? rest : share->cause});
      taken += to - from;
      from = to;
    }
    if (from < range.end) m_left.push_back({from, range.end});
  }
  m_open.swap(m_left);
}

void GapWalk::within(std::span<const TimeRange> ranges, Cause cause) {
  if (ranges.empty() || m_open.empty()) return;
  auto next = std::ranges::upper_bound(ranges, m_open.front().start, {}, &TimeRange::end);
  if (next == ranges.end() || next->start >= m_open.back().end) return;
  m_left.clear();
  for (TimeRange open : m_open) {
    while (next != ranges.end() && next->end <= open.start) ++next;
    for (auto range = next; range != ranges.end() && range->start < open.end; ++range) {
      const TimeRange both{std::max(range->start, open.start), std::min(range->end, open.end)};
      if (both.start > open.start) m_left.push_back({open.start, both.start});
      m_pieces.push_back({both, cause});
      open.start = both.end;
    }
    if (!open.empty()) m_left.push_back(open);
  }
  m_open.swap(m_left);
}

void GapWalk::rest(Cause cause) {
  for (const TimeRange& range : m_open) m_pieces.push_back({range, cause});
  m_open.clear();
}

const std::vector<CausePiece>& GapWalk::pieces() {
  if (!std::ranges::is_sorted(m_pieces, {}, kStartOf)) std::ranges::sort(m_pieces, {}, kStartOf);
  std::size_t kept = 0;
  for (const CausePiece& piece : m_pieces) {
    if (kept > 0 && m_pieces[kept - 1].cause == piece.cause && m_pieces[kept - 1].range.end == piece.range.start) {
      m_pieces[kept - 1].range.end = piece.range.end;
    } else {
      m_pieces[kept++] = piece;
    }
  }
  m_pieces.resize(kept);
  return m_pieces;
}

void addGap(LaneCauses& lane, TimeRange gap, int step, std::uint32_t before, const std::vector<CausePiece>& pieces) {
  const auto first = static_cast<std::uint32_t>(lane.pieces.size());
  lane.gaps.push_back({gap, step, before, first, static_cast<std::uint32_t>(pieces.size())});
  lane.pieces.insert(lane.pieces.end(), pieces.begin(), pieces.end());
  lane.idle += gap.length();
  for (const CausePiece& piece : pieces) lane.causes[piece.cause] += piece.range.length();
}

void sortGaps(LaneCauses& lane) {
  if (!std::ranges::is_sorted(lane.gaps, {}, kStartOf)) std::ranges::stable_sort(lane.gaps, {}, kStartOf);
}

}  // namespace lanelab
