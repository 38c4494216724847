// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/statistics/span_grouping.h"

#include <algorithm>
#include <string_view>

#include "profiler/trace/name_table.h"
#include "profiler/trace/process_rank.h"

namespace lanelab {

namespace {

constexpr std::string_view kModulePrefix = "nn.Module: ";  ///< of PyTorch's profiler, with stacks
constexpr std::uint32_t kCategories = static_cast<std::uint32_t>(Category::Other) + 1;
constexpr std::array<std::string_view, 6> kPhaseNames = {
    "", "forward", "backward", "backward input", "backward weight", "update"};
constexpr auto kPhases = static_cast<std::uint32_t>(kPhaseNames.size());
constexpr std::uint32_t kCommunicationKey = 2 * kPhases;

/// Of each name whether a span of category Block has it.
std::vector<bool> blockNames(const Trace& trace) {
  std::vector<bool> blocks(trace.names.size());
  for (const Track& track : trace.tracks) {
    for (std::size_t i = 0; i < track.spans.size();) {
      const Span span = track.spans[i];
      const bool block = span.category == Category::Block;
      if (block) blocks[span.name] = true;
      i = block ? i + 1 : track.spans.categoryEnd(i);
    }
  }
  return blocks;
}

bool anyBlock(const Trace& trace) {
  const std::vector<bool> blocks = blockNames(trace);
  return std::ranges::find(blocks, true) != blocks.end();
}

bool namesModules(const Trace& trace) {
  return std::ranges::any_of(trace.names, [](const std::string& name) { return name.starts_with(kModulePrefix); });
}

bool anyStage(const Trace& trace) {
  return std::ranges::any_of(trace.tracks, [](const Track& track) {
    const bool may = track.kind == Track::Kind::Compute || track.kind == Track::Kind::Transfer;
    return may && std::any_of(track.spans.begin(), track.spans.end(), [](const Span& span) { return span.stage >= 0; });
  });
}

/// "rank 3" of the process or lane that a track is of; "" where none is named, or what is named has no number.
std::string rankOfTrack(const Trace& trace, const ImportedTrace* imported, std::size_t track) {
  std::string rank;
  if (imported && track < imported->rows.size()) {
    const std::uint32_t process = imported->rows[track].process;
    if (process < imported->processes.size()) rank = rankOf(imported->processes[process]);
  } else if (const LaneInfo* const lane = trace.laneAt(trace.tracks[track].lane)) {
    rank = rankIn(lane->name);
  }
  return rank.find_first_of("0123456789") == std::string::npos ? std::string() : rank;
}

bool anyRank(const Trace& trace, const ImportedTrace* imported) {
  for (std::size_t track = 0; track < trace.tracks.size(); ++track)
    if (!rankOfTrack(trace, imported, track).empty()) return true;
  return false;
}

/// What contains the block: the path without its last part, or all of a path that has one part.
std::string_view moduleOf(std::string_view block) {
  const std::size_t dot = block.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? block : block.substr(0, dot);
}

std::string laneTitle(const Trace& trace, std::uint32_t lane) {
  const LaneInfo* const info = trace.laneAt(static_cast<int>(lane));
  if (info && !info->name.empty()) return info->name;
  return info && !info->device.empty() ? info->device : "lane " + std::to_string(lane);
}

}  // namespace

std::vector<Grouping> groupingsOf(const Trace& trace, const ImportedTrace* imported) {
  const bool blocks = anyBlock(trace);
  std::vector<Grouping> groupings = {Grouping::Name};
  if (blocks) groupings.push_back(Grouping::Block);
  if (blocks || namesModules(trace)) groupings.push_back(Grouping::Module);
  groupings.insert(groupings.end(), {Grouping::Category, Grouping::Operation});
  if (anyStage(trace)) groupings.push_back(Grouping::Stage);
  groupings.push_back(Grouping::Lane);
  if (anyRank(trace, imported)) groupings.push_back(Grouping::Rank);
  if (imported && !imported->groups.empty()) groupings.push_back(Grouping::Group);
  return groupings;
}

SpanKeys::SpanKeys(const Trace& trace, const ImportedTrace* imported, Grouping by) : m_trace(trace), m_by(by) {
  if (by == Grouping::Block) readBlocks();
  if (by == Grouping::Module) readModules();
  if (by == Grouping::Rank) readRanks(imported);
  if (by == Grouping::Group) readGroups(imported);
  if (by != Grouping::Lane) return;
  for (const Track& track : trace.tracks) m_of_track.push_back(static_cast<std::uint32_t>(std::max(track.lane, 0)));
}

/// What other threads than the lane's do for a block is in a span of category CpuOp that has the name of the block.
void SpanKeys::readBlocks() {
  const std::vector<bool> blocks = blockNames(m_trace);
  m_of_name.assign(m_trace.names.size(), kNone);
  for (std::uint32_t name = 0; name < m_of_name.size(); ++name)
    if (blocks[name]) m_of_name[name] = name;
}

void SpanKeys::readModules() {
  const std::vector<bool> blocks = blockNames(m_trace);
  NameTable modules;
  m_of_name.assign(m_trace.names.size(), kNone);
  for (std::size_t name = 0; name < m_of_name.size(); ++name) {
    const std::string_view text = m_trace.names[name];
    if (text.starts_with(kModulePrefix))
      m_of_name[name] = modules.indexOf(text.substr(kModulePrefix.size()));
    else if (blocks[name])
      m_of_name[name] = modules.indexOf(moduleOf(text));
  }
  m_names = modules.releaseTexts();
}

void SpanKeys::readRanks(const ImportedTrace* imported) {
  NameTable ranks;
  for (std::size_t track = 0; track < m_trace.tracks.size(); ++track) {
    const std::string rank = rankOfTrack(m_trace, imported, track);
    m_of_track.push_back(rank.empty() ? kNone : ranks.indexOf(rank));
  }
  m_names = ranks.releaseTexts();
}

void SpanKeys::readGroups(const ImportedTrace* imported) {
  NameTable titles;
  std::vector<std::uint32_t> keys;
  m_of_span.resize(m_trace.tracks.size());
  if (imported == nullptr) return;
  for (const ProcessGroup& group : imported->groups) keys.push_back(titles.indexOf(group.title()));
  for (std::size_t track = 0; track < m_of_span.size(); ++track)
    for (const std::uint32_t group : imported->rows[track].groups)
      m_of_span[track].push_back(group == 0 || group > keys.size() ? kNone : keys[group - 1]);
  m_names = titles.releaseTexts();
}

/// Files call kernels that communicate "kernel", too.
std::uint32_t SpanKeys::categoryKey(const Span& span) {
  if (span.label > 0) return kCategories + span.label - 1U;
  return static_cast<std::uint32_t>(span.category == Category::Communication ? Category::Kernel : span.category);
}

std::uint32_t SpanKeys::operationKey(const Span& span) {
  const auto phase = static_cast<std::uint32_t>(span.phase);
  if (phase > 0 && phase < kPhases) return span.category == Category::Transfer ? kPhases + phase : phase;
  return span.category == Category::Communication ? kCommunicationKey : kCommunicationKey + 1 + categoryKey(span);
}

std::string SpanKeys::nameOf(std::uint32_t key) const {
  const auto category = [this](std::uint32_t of) {
    return of < kCategories ? std::string(toString(static_cast<Category>(of))) : m_trace.labels[of - kCategories];
  };
  switch (m_by) {
    case Grouping::Name:
    case Grouping::Block: return m_trace.names[key];
    case Grouping::Module:
    case Grouping::Rank:
    case Grouping::Group: return m_names[key];
    case Grouping::Category: return category(key);
    case Grouping::Operation:
      if (key > kCommunicationKey) return category(key - kCommunicationKey - 1);
      if (key == kCommunicationKey) return "communication";
      return key < kPhases ? std::string(kPhaseNames[key]) : "transfer of " + std::string(kPhaseNames[key - kPhases]);
    case Grouping::Stage: return std::to_string(key);
    case Grouping::Lane: return laneTitle(m_trace, key);
  }
  return {};
}

}  // namespace lanelab
