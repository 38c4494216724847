// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/statistics/flame_tree.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

namespace lanelab {

namespace {

constexpr std::size_t kFramesBetweenStops = 65536;
constexpr std::uint64_t kActionKey = std::uint64_t{1} << 40;  ///< beyond all places of names
constexpr std::uint64_t kStages = std::uint64_t{1} << 16;
constexpr std::array<std::string_view, 6> kPhaseWords = {
    "", "forward", "backward", "backward input", "backward weight", "update"};

/// One for each phase and stage of actions, which count from -1.
std::uint64_t keyOf(const Span& span) {
  const auto phase = static_cast<std::uint64_t>(span.phase);
  if (span.category != Category::Action || phase == 0 || phase >= kPhaseWords.size()) return span.name;
  return kActionKey + phase * kStages + static_cast<std::uint64_t>(span.stage + 1);
}

struct FramePath {
  std::uint32_t parent;
  std::uint64_t key;
  bool operator==(const FramePath&) const = default;
};
struct FramePathHash {
  std::size_t operator()(const FramePath& path) const {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
    return static_cast<std::size_t>((path.key * kOdd) ^ ((path.parent + kOdd) * kOdd >> 7));
  }
};

/// Adds spans to frames, row by row, parents first.
class FlameBuilder {
 public:
  explicit FlameBuilder(const Trace& trace) : m_trace(trace) {}

  void beginRow() { m_open.clear(); }

  void add(const CountedSpan& counted) {
    while (!m_open.empty() && m_open.back().range.end <= counted.range.start) m_open.pop_back();
    if (m_open.size() == kMostFrameDepth) return;
    const Open* const around = m_open.empty() ? nullptr : &m_open.back();
    const TimeRange range = around ? intersection(counted.range, around->range) : counted.range;
    const std::uint32_t place = frameOf(counted, around ? around->frame : FlameFrame::kNone);
    FlameFrame& frame = m_tree.frames[place];
    frame.count += 1;
    frame.total += range.length();
    frame.self += range.length();
    if (around) m_tree.frames[around->frame].self -= range.length();
    if (frame.count == 1 || range.length() > frame.longest) {
      frame.longest = range.length();
      frame.longest_span = {counted.start, counted.track, counted.index};
    }
    m_open.push_back({range, place});
  }

  FlameTree take() {
    placeFrames();
    return std::move(m_tree);
  }

 private:
  struct Open {
    TimeRange range;
    std::uint32_t frame;
  };

  std::uint32_t frameOf(const CountedSpan& counted, std::uint32_t parent) {
    const Span span = m_trace.tracks[counted.track].spans[counted.index];
    const FramePath path{parent, keyOf(span)};
    const auto [known, is_new] = m_frames.try_emplace(path, static_cast<std::uint32_t>(m_tree.frames.size()));
    if (is_new) {
      const std::uint32_t depth = parent == FlameFrame::kNone ? 0 : m_tree.frames[parent].depth + 1;
      FlameFrame frame;
      frame.key = path.key;
      frame.parent = parent;
      frame.depth = depth;
      frame.category = span.category;
      frame.phase = span.phase;
      m_tree.frames.push_back(frame);
      m_tree.depth = std::max(m_tree.depth, depth + 1);
    }
    return known->second;
  }

  /// From left to right by total; a frame begins where its parent does, or the one before it ends.
  void placeFrames() {
    std::vector<FlameFrame>& frames = m_tree.frames;
    std::vector<std::uint32_t> order(frames.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
      if (frames[a].depth != frames[b].depth) return frames[a].depth < frames[b].depth;
      return frames[a].total != frames[b].total ? frames[a].total > frames[b].total : a < b;
    });
    std::vector<Nanoseconds> next(frames.size());
    for (const std::uint32_t place : order) {
      FlameFrame& frame = frames[place];
      Nanoseconds& from = frame.parent == FlameFrame::kNone ? m_tree.total : next[frame.parent];
      frame.left = next[place] = from;
      from += frame.total;
    }
  }

  const Trace& m_trace;
  FlameTree m_tree;
  std::vector<Open> m_open;  ///< the innermost last
  std::unordered_map<FramePath, std::uint32_t, FramePathHash> m_frames;
};

/// Where the span is, and nothing else; nothing if the trace does not have it.
std::optional<CountedRow> rowOf(const Trace& trace, const SpanMatch& span) {
  if (span.track >= trace.tracks.size() || span.span >= trace.tracks[span.track].spans.size()) return std::nullopt;
  for (CountedRow& row : countedRows(trace))
    if (std::ranges::find(row, span.track) != row.end()) return std::move(row);
  return std::nullopt;
}

}  // namespace

std::string FlameTree::nameOf(const Trace& trace, const FlameFrame& frame) {
  if (frame.key < kActionKey) return trace.names[frame.key];
  const std::uint64_t action = frame.key - kActionKey, stage = action % kStages;
  const std::string phase(kPhaseWords[action / kStages]);
  return stage == 0 ? phase : phase + ", stage " + std::to_string(stage - 1);
}

std::optional<FlameTree> flameTree(const Trace& trace, const ImportedTrace* imported, const CountedPart& part,
                                   const std::optional<SpanMatch>& within, const std::stop_token& stop) {
  std::optional<CountedTimes> times = countedTimes(trace, imported, lanesOfWork(trace, imported), part);
  if (!times) return std::nullopt;
  std::vector<CountedRow> rows;
  if (!within) {
    rows = countedRows(trace);
  } else if (const auto row = rowOf(trace, *within)) {
    rows.push_back(*row);
    const TimeRange range = trace.tracks[within->track].spans[within->span].range();
    for (TimeRange& counted : times->tracks) counted = intersection(counted, range);
  }
  const SpanKeys keys(trace, imported, Grouping::Name);
  FlameBuilder builder(trace);
  std::size_t seen = 0;
  for (const CountedRow& row : rows) {
    builder.beginRow();
    bool begun = !within;  // what is around the span is before it
    RowWalk walk(trace, row, *times, keys);
    while (const auto span = walk.next()) {
      if (++seen % kFramesBetweenStops == 0 && stop.stop_requested()) return builder.take();
      begun = begun || (span->track == within->track && span->index == within->span);
      if (begun) builder.add(*span);
    }
  }
  return builder.take();
}

}  // namespace lanelab
