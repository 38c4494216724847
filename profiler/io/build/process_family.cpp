// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/process_family.h"

#include <algorithm>
#include <string_view>

#include "profiler/trace/name_table.h"
#include "profiler/trace/process_rank.h"

namespace lanelab {

namespace {

constexpr std::string_view kDigits = "0123456789";

/// What stands before the last number of the text.
std::string_view beforeNumber(std::string_view text) {
  const std::size_t last = text.find_last_of(kDigits);
  if (last == std::string_view::npos) return {};
  const std::size_t before = text.find_last_not_of(kDigits, last);
  return before == std::string_view::npos ? std::string_view() : text.substr(0, before + 1);
}

/// What stands behind the first number of the text.
std::string_view behindNumber(std::string_view text) {
  const std::size_t first = text.find_first_of(kDigits);
  if (first == std::string_view::npos) return {};
  const std::size_t behind = text.find_first_not_of(kDigits, first);
  return behind == std::string_view::npos ? std::string_view() : text.substr(behind);
}

}  // namespace

ProcessFamilies::ProcessFamilies(const std::vector<ImportedProcess>& processes,
                                 const std::vector<std::uint32_t>& callers) {
  NameTable texts;
  const auto numberOf = [&](std::string_view text) { return text.empty() ? 0 : texts.indexOf(text) + 1; };
  for (const ImportedProcess& process : processes) {
    const std::string_view pid = process.pid.text;
    m_keys.push_back({numberOf(beforeNumber(pid)), numberOf(behindNumber(pid)), numberOf(rankOf(process))});
  }
  for (const std::uint32_t caller : callers)
    for (std::size_t kind = 0; kind < kKinds; ++kind)
      if (const std::uint32_t key = m_keys[caller][kind]; key != 0) m_callers[kind][key].push_back(caller);
}

std::vector<std::uint32_t> ProcessFamilies::closest(std::uint32_t process) const {
  constexpr std::size_t kMost = 64;
  std::vector<std::uint32_t> closest;
  for (std::size_t kind = 0; kind < kKinds && closest.size() != 1; ++kind) {
    const auto found = m_callers[kind].find(m_keys[process][kind]);
    if (found == m_callers[kind].end() || found->second.size() > kMost) continue;
    std::vector<std::uint32_t> both;
    for (const std::uint32_t caller : found->second)
      if (closest.empty() || std::ranges::find(closest, caller) != closest.end()) both.push_back(caller);
    if (!both.empty()) closest = std::move(both);
  }
  return closest;
}

}  // namespace lanelab
