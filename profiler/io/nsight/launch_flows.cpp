// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/nsight/launch_flows.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lanelab {

namespace {

bool mayBeOne(const std::optional<std::int64_t>& a, const std::optional<std::int64_t>& b) {
  return !a || !b || *a == *b;
}

/// The call that started the work: of those with its correlation id and process the last one before it, else the first
/// one. Few are looked at, since hostile files have one id for all. `calls` are sorted.
std::optional<std::size_t> callOf(const LaunchFlows::End& work, const std::vector<LaunchFlows::End>& calls) {
  constexpr std::ptrdiff_t kTried = 64;
  // clang 14 takes no std::ranges::subrange for a range.
  const auto first = std::ranges::lower_bound(calls, work.correlation, {}, &LaunchFlows::End::correlation);
  const auto last = std::ranges::upper_bound(calls, work.correlation, {}, &LaunchFlows::End::correlation);
  const auto later = std::upper_bound(first, last, work.start,
                                      [](auto start, const LaunchFlows::End& call) { return start < call.start; });
  for (auto call = later; call != first && later - call < kTried;)
    if (mayBeOne((--call)->process, work.process)) return static_cast<std::size_t>(call - calls.begin());
  for (auto call = later; call != last && call - later < kTried; ++call)
    if (mayBeOne(call->process, work.process)) return static_cast<std::size_t>(call - calls.begin());
  return std::nullopt;
}

}  // namespace

void LaunchFlows::finish(ImportBuilder& builder) {
  if (m_work.empty() || m_calls.empty()) return;
  std::ranges::sort(m_calls, {}, [](const End& end) { return std::pair(end.correlation, end.start); });
  const std::uint16_t label = builder.labelIndex("ac2g");
  const std::uint32_t name = builder.nameIndex("ac2g");
  std::vector<std::size_t> flow_of(m_calls.size(), 0);
  std::size_t flows = 0;
  for (const End& work : m_work) {
    const std::optional<std::size_t> call = callOf(work, m_calls);
    if (!call) continue;
    const bool fresh = flow_of[*call] == 0;
    if (fresh) flow_of[*call] = ++flows;
    const std::string id = std::to_string(flow_of[*call]);
    const End& from = m_calls[*call];
    if (fresh) builder.addFlowEnd(label, name, id, {from.start, 0, from.row, 's', true});
    builder.addFlowEnd(label, name, id, {work.start, 0, work.row, 'f', true});
  }
  *this = {};
}

}  // namespace lanelab
