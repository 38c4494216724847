// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/process_group.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/parse_number.h"
#include "base/text.h"

namespace lanelab {

namespace {

constexpr std::pair<std::string_view, GroupKind> kWords[] = {
    {"pp", GroupKind::Pipeline},    {"pipeline", GroupKind::Pipeline}, {"pipe", GroupKind::Pipeline},
    {"dp", GroupKind::Data},        {"ddp", GroupKind::Data},          {"fsdp", GroupKind::Data},
    {"hsdp", GroupKind::Data},      {"edp", GroupKind::Data},          {"efsdp", GroupKind::Data},
    {"data", GroupKind::Data},      {"replicate", GroupKind::Data},    {"shard", GroupKind::Data},
    {"batch", GroupKind::Data},     {"loss", GroupKind::Data},         {"tp", GroupKind::Tensor},
    {"etp", GroupKind::Tensor},     {"tensor", GroupKind::Tensor},     {"ep", GroupKind::Expert},
    {"expert", GroupKind::Expert},  {"moe", GroupKind::Expert},        {"cp", GroupKind::Context},
    {"context", GroupKind::Context}};

/// What is known of the groups of one name, or of the same ranks.
struct KnownKinds {
  std::set<GroupKind> kinds;
  void add(GroupKind kind) {
    if (kind != GroupKind::Unknown) kinds.insert(kind);
  }
  GroupKind only() const { return kinds.size() == 1 ? *kinds.begin() : GroupKind::Unknown; }
};

class KindSearch {
 public:
  KindSearch(const std::vector<ProcessGroup>& groups, const std::vector<ProcessGroup>& listed) {
    for (const std::vector<ProcessGroup>* const some : {&listed, &groups}) {
      for (const ProcessGroup& group : *some) {
        m_by_name[group.name].add(group.kind);
        if (!group.ranks.empty()) m_by_ranks[sorted(group.ranks)].add(group.kind);
      }
    }
    for (const ProcessGroup& group : groups) {
      const auto [moves, is_new] = m_only_moves.try_emplace(group.name, true);
      moves->second = moves->second && group.moves != ProcessGroup::Moves::None;
    }
  }

  GroupKind of(const ProcessGroup& group, int world_size) const {
    if (const GroupKind kind = m_by_name.at(group.name).only(); kind != GroupKind::Unknown) return kind;
    if (!group.ranks.empty()) {
      if (const GroupKind kind = m_by_ranks.at(sorted(group.ranks)).only(); kind != GroupKind::Unknown) return kind;
      if (std::cmp_equal(group.ranks.size(), world_size)) return GroupKind::World;
    }
    return m_only_moves.at(group.name) ? GroupKind::Pipeline : GroupKind::Unknown;
  }

 private:
  static std::vector<int> sorted(std::vector<int> ranks) {
    std::ranges::sort(ranks);
    return ranks;
  }

  std::map<std::string, KnownKinds> m_by_name;
  std::map<std::vector<int>, KnownKinds> m_by_ranks;
  std::map<std::string, bool> m_only_moves;
};

}  // namespace

std::string ProcessGroup::title() const {
  if (kind != GroupKind::Unknown) return toWord(kind);
  return description.empty() ? "group " + name : description;
}

GroupKind groupKindOf(std::string_view description) {
  const std::string small = smallLetters(std::string(description));
  if (small == "default_pg" || small == "mesh_world" || small == "mesh_default" || small == "world")
    return GroupKind::World;
  std::set<GroupKind> found;
  for (const std::string_view part : partsBetween(small, "_-:/. "))
    for (const auto& [word, kind] : kWords)
      if (part == word) found.insert(kind);
  if (found.contains(GroupKind::Data)) {
    found.erase(GroupKind::Context);
    found.erase(GroupKind::Expert);
  }
  return found.size() == 1 ? *found.begin() : GroupKind::Unknown;
}

std::vector<int> ranksOfText(std::string_view text) {
  std::vector<int> ranks;
  if (!text.starts_with('[') || !text.ends_with(']')) return ranks;
  for (const std::string_view part : partsBetween(text.substr(1, text.size() - 2), ", ")) {
    const std::optional<int> rank = parseNumber<int>(part);
    if (!rank || *rank < 0) return {};
    ranks.push_back(*rank);
  }
  return ranks;
}

void deriveKinds(std::vector<ProcessGroup>& groups, const std::vector<ProcessGroup>& listed, int world_size) {
  std::map<std::string_view, const ProcessGroup*> by_name;
  for (const ProcessGroup& group : listed) by_name.try_emplace(group.name, &group);
  for (ProcessGroup& group : groups) {
    const auto same = by_name.find(group.name);
    if (same == by_name.end()) continue;
    const ProcessGroup& known = *same->second;
    if (group.description.empty()) group.description = known.description;
    if (group.ranks.empty()) group.ranks = known.ranks;
    if (group.kind == GroupKind::Unknown) group.kind = known.kind;
  }
  const KindSearch search(groups, listed);
  for (ProcessGroup& group : groups)
    if (group.kind == GroupKind::Unknown) group.kind = search.of(group, world_size);
}

}  // namespace lanelab
