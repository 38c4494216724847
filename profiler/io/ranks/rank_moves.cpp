// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/ranks/rank_moves.h"

#include <algorithm>
#include <set>

#include "profiler/trace/profiler_step.h"

namespace lanelab {

namespace {

using Moves = ProcessGroup::Moves;

std::set<int> stagesOf(const Trace& trace) {
  std::set<int> stages;
  for (const Track& track : trace.tracks) {
    if (track.kind != Track::Kind::Compute) continue;
    for (const Span& span : track.spans)
      if (span.category == Category::Action) stages.insert(span.stage);
  }
  return stages;
}

class RankMoveSearch {
 public:
  explicit RankMoveSearch(const ImportedTrace& imported) : m_imported(imported), m_trace(*imported.trace) {}

  RankMoves run() {
    for (std::size_t track = 0; track < m_trace.tracks.size(); ++track) {
      if (m_trace.tracks[track].kind == Track::Kind::Transfer) addTransfers(track);
      if (m_trace.tracks[track].kind == Track::Kind::Stream) addKernels(track);
    }
    for (RankMoves::Times* const times : {&m_moves.sends, &m_moves.receives})
      for (auto& [key, some] : *times) std::ranges::sort(some);
    return std::move(m_moves);
  }

 private:
  /// What a stage of the rank itself sends, it sends; all else it receives. Calls beside a GPU return before the data
  /// is there.
  void addTransfers(std::size_t track) {
    if (m_imported.rows[track].device >= 0) return;
    for (const Span& span : m_trace.tracks[track].spans) {
      if (span.category != Category::Transfer || span.micro_batch < 0) continue;
      const RankMoves::Key key{span.step, static_cast<int>(span.phase), span.stage, span.micro_batch, ""};
      if (m_stages.contains(span.stage)) {
        m_moves.sends[key].push_back(span.start);
      } else {
        m_moves.receives[key].push_back(span.end);
      }
    }
  }

  void addKernels(std::size_t track) {
    for (std::size_t i = 0; i < m_trace.tracks[track].spans.size(); ++i) {
      const ProcessGroup* const group = m_imported.groupAt(track, i);
      if (group == nullptr || group->moves == Moves::None) continue;
      const auto [source, destination] = endsOf(*group);
      if (source < 0 || destination < 0) continue;
      const Span span = m_trace.tracks[track].spans[i];
      const int step = markedStepAt(m_steps, span.mark != 0 ? span.mark : span.start);
      const RankMoves::Key key{step, source, destination, -1, "group " + group->name};
      if (group->moves == Moves::Sends) {
        m_moves.sends[key].push_back(span.start);
      } else {
        m_moves.receives[key].push_back(span.end);
      }
    }
  }

  /// The ranks at both ends; of a group of two the other one is known.
  std::pair<int, int> endsOf(const ProcessGroup& group) const {
    if (group.source >= 0 && group.destination >= 0) return {group.source, group.destination};
    const int own = m_imported.rank.rank.value_or(-1);
    if (group.ranks.size() != 2 || std::ranges::find(group.ranks, own) == group.ranks.end()) return {-1, -1};
    const int other = group.ranks[group.ranks.front() == own ? 1 : 0];
    return group.moves == Moves::Sends ? std::pair(own, other) : std::pair(other, own);
  }

  const ImportedTrace& m_imported;
  const Trace& m_trace;
  const std::set<int> m_stages = stagesOf(m_trace);
  const std::vector<StepWindow> m_steps = markedStepsOf(m_trace);
  RankMoves m_moves;
};

/// Calls visit(begin of the send, end of the receive) of all transfers whose series are as long on both sides.
template <class Visit>
void visitPairs(const RankMoves::Times& sends, const RankMoves::Times& receives, const Visit& visit) {
  for (const auto& [key, begins] : sends) {
    const auto ends = receives.find(key);
    if (ends == receives.end() || ends->second.size() != begins.size()) continue;
    for (std::size_t i = 0; i < begins.size(); ++i) visit(begins[i], ends->second[i]);
  }
}

}  // namespace

std::vector<StepWindow> markedStepsOf(const Trace& trace) {
  std::vector<StepWindow> steps;
  std::map<std::uint32_t, int> names;
  for (std::uint32_t name = 0; name < trace.names.size(); ++name)
    if (const auto step = profilerStepOf(trace.names[name])) names.emplace(name, *step);
  for (const Track& track : trace.tracks) {
    if (names.empty() || track.kind == Track::Kind::Stream) continue;
    for (const Span& span : track.spans)
      if (const auto name = names.find(span.name); name != names.end()) steps.push_back({name->second, span.range()});
  }
  std::ranges::sort(steps, {}, [](const StepWindow& step) { return step.range.start; });
  return steps;
}

void RankMoves::shift(Nanoseconds by) {
  for (Times* const times : {&sends, &receives})
    for (auto& [key, some] : *times)
      for (Nanoseconds& time : some) time += by;
}

RankMoves movesOf(const ImportedTrace& imported) { return RankMoveSearch(imported).run(); }

OffsetBounds offsetBounds(const RankMoves& reference, const RankMoves& other) {
  OffsetBounds bounds;
  visitPairs(reference.sends, other.receives, [&](Nanoseconds sent, Nanoseconds received) {
    bounds.least = std::max(bounds.least.value_or(sent - received), sent - received);
    ++bounds.pairs;
  });
  visitPairs(other.sends, reference.receives, [&](Nanoseconds sent, Nanoseconds received) {
    bounds.most = std::min(bounds.most.value_or(received - sent), received - sent);
    ++bounds.pairs;
  });
  return bounds;
}

}  // namespace lanelab
