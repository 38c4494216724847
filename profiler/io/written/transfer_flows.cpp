// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/written/transfer_flows.h"

#include <algorithm>
#include <compare>
#include <map>

namespace lanelab {

namespace {

struct ActionKey {
  int step = 0;
  int stage = 0;
  int micro_batch = 0;
  bool forward = false;
  auto operator<=>(const ActionKey&) const = default;
};

struct Taker {
  Nanoseconds start = 0;
  std::size_t row = 0;
  SpanPlace place;
};

bool isBackward(Phase phase) { return phase == Phase::Backward || phase == Phase::BackwardInput; }

}  // namespace

std::vector<TransferFlow> transferFlows(const Trace& trace, const std::vector<TraceRow>& rows) {
  std::map<ActionKey, std::vector<Taker>> takers;
  const auto eachSpan = [&](const auto& visit) {
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (const SpanPlace place : rows[row].spans) visit(row, place, trace.tracks[place.track].spans[place.span]);
  };
  eachSpan([&](std::size_t row, SpanPlace place, const Span& span) {
    if (span.category != Category::Action || (span.phase != Phase::Forward && !isBackward(span.phase))) return;
    takers[{span.step, span.stage, span.micro_batch, span.phase == Phase::Forward}].push_back({span.start, row, place});
  });
  for (auto& [key, list] : takers)
    std::stable_sort(list.begin(), list.end(), [](const Taker& a, const Taker& b) { return a.start < b.start; });

  std::vector<TransferFlow> flows;
  eachSpan([&](std::size_t row, SpanPlace place, const Span& span) {
    const bool forward = span.phase == Phase::Forward;
    if (span.category != Category::Transfer || (!forward && !isBackward(span.phase))) return;
    const auto found = takers.find({span.step, forward ? span.stage + 1 : span.stage - 1, span.micro_batch, forward});
    if (found == takers.end()) return;
    const auto taker = std::lower_bound(found->second.begin(), found->second.end(), span.start,
                                        [](const Taker& t, Nanoseconds time) { return t.start < time; });
    if (taker != found->second.end()) flows.push_back({row, place, taker->row, taker->place});
  });
  return flows;
}

}  // namespace lanelab
