// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/names/name_rules.h"

#include <utility>

namespace lanelab {

namespace {

struct WorkWord {
  std::string_view word;
  WorkPart part;
};

constexpr WorkWord kWorkWords[] = {{"forward", {JobWork::Compute, Phase::Forward}},
                                   {"backward", {JobWork::Compute, Phase::Backward}},
                                   {"backward-input", {JobWork::Compute, Phase::BackwardInput}},
                                   {"backward-weight", {JobWork::Compute, Phase::BackwardWeight}},
                                   {"update", {JobWork::Compute, Phase::Update}},
                                   {"send-forward", {JobWork::Send, Phase::Forward}},
                                   {"receive-forward", {JobWork::Receive, Phase::Forward}},
                                   {"send-backward", {JobWork::Send, Phase::Backward}},
                                   {"receive-backward", {JobWork::Receive, Phase::Backward}},
                                   {"collective", {JobWork::Collective, Phase::None}},
                                   {"data", {JobWork::Data, Phase::None}},
                                   {"host", {JobWork::Host, Phase::None}},
                                   {"step", {JobWork::Step, Phase::None}},
                                   {"send", {JobWork::Send, Phase::None}},
                                   {"receive", {JobWork::Receive, Phase::None}}};

}  // namespace

std::vector<std::string> workWords() {
  constexpr std::size_t kOfCalls = 2;  // only built-in rules know which annotation is around them
  std::vector<std::string> words;
  for (const WorkWord& known : kWorkWords) words.emplace_back(known.word);
  words.resize(words.size() - kOfCalls);
  return words;
}

std::optional<WorkPart> workOfWord(std::string_view word) {
  for (const WorkWord& known : kWorkWords)
    if (known.word == word) return known.part;
  return std::nullopt;
}

void NameRules::add(NameRule rule) {
  const auto place = static_cast<std::uint32_t>(m_rules.size());
  if (const auto name = rule.pattern.onlyName()) {
    m_of_name.try_emplace(*name, place);
  } else if (const auto first = rule.pattern.firstCharacter()) {
    m_of_first_letter[static_cast<unsigned char>(*first)].push_back(place);
  } else {
    m_of_any_letter.push_back(place);
  }
  m_rules.push_back(std::move(rule));
}

std::optional<NameRules::Found> NameRules::find(std::string_view name) const {
  std::size_t first = m_rules.size();
  NameNumbers numbers;
  if (const auto known = m_of_name.find(name); known != m_of_name.end()) first = known->second;
  const auto look = [&](const std::vector<std::uint32_t>& rules) {
    for (const std::uint32_t rule : rules) {
      if (rule >= first) return;
      const std::optional<NameNumbers> told = m_rules[rule].pattern.match(name);
      if (!told) continue;
      first = rule;
      numbers = *told;
    }
  };
  if (!name.empty()) look(m_of_first_letter[static_cast<unsigned char>(name.front())]);
  look(m_of_any_letter);
  if (first == m_rules.size()) return std::nullopt;
  const NameRule& rule = m_rules[first];
  return Found{first, {rule.does, numbers, rule.group, rule.timeline, std::nullopt}};
}

}  // namespace lanelab
