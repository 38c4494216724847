// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/nsight/launch_flows.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace lanelab {

namespace {

bool mayBeOne(const std::optional<std::int64_t>& a, const std::optional<std::int64_t>& b) {
  return !a || !b || *a == *b;
}

}  // namespace

void LaunchFlows::finish(ImportBuilder& builder) {
  constexpr std::size_t kMostOfACall = 1U << 16U;  // nodes of a graph; hostile files have one id for all
  std::ranges::sort(m_work, {}, [](const End& end) { return std::pair(end.correlation, end.start); });
  const std::uint16_t label = builder.labelIndex("ac2g");
  const std::uint32_t name = builder.nameIndex("ac2g");
  std::size_t flow = 0;
  for (const End& call : m_calls) {
    std::string id;
    auto work = std::ranges::lower_bound(m_work, call.correlation, {}, &End::correlation);
    for (std::size_t i = 0; i < kMostOfACall && work != m_work.end() && work->correlation == call.correlation;
         ++i, ++work) {
      if (!mayBeOne(call.process, work->process)) continue;
      if (id.empty()) {
        id = std::to_string(++flow);
        builder.addFlowEnd(label, name, id, {call.start, 0, call.row, 's', true});
      }
      builder.addFlowEnd(label, name, id, {work->start, 0, work->row, 'f', true});
    }
  }
  *this = {};
}

}  // namespace lanelab
