// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/ranks/replica_numbers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace lanelab {

namespace {

/// The stages and the micro-batches of a rank's passes.
struct RankWork {
  std::set<int> stages, micro_batches;
};

RankWork workOf(const Trace& trace) {
  RankWork work;
  for (const Track& track : trace.tracks) {
    if (track.kind != Track::Kind::Compute) continue;
    for (const Span& span : track.spans) {
      if (span.category != Category::Action || span.stage < 0 || span.micro_batch < 0) continue;
      work.stages.insert(span.stage);
      work.micro_batches.insert(span.micro_batch);
    }
  }
  return work;
}

}  // namespace

std::vector<int> microBatchShifts(const std::vector<std::shared_ptr<const ImportedTrace>>& ranks) {
  const std::vector<int> none(ranks.size(), 0);
  std::map<std::set<int>, std::vector<std::size_t>> ranks_of;  // by their stages
  std::set<int> micro_batches;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    RankWork work = workOf(*ranks[rank]->trace);
    if (work.stages.empty()) continue;
    if (ranks_of.empty()) micro_batches = work.micro_batches;
    if (work.micro_batches != micro_batches) return none;
    ranks_of[work.stages].push_back(rank);
  }
  if (ranks_of.empty()) return none;
  const std::size_t replicas = ranks_of.begin()->second.size();
  const bool alike = std::ranges::all_of(ranks_of, [&](const auto& one) { return one.second.size() == replicas; });
  const auto count = static_cast<std::size_t>(*micro_batches.rbegin()) + 1;
  if (!alike || replicas * count > std::numeric_limits<std::int16_t>::max()) return none;
  std::vector<int> shifts = none;
  for (const auto& [stages, own] : ranks_of)
    for (std::size_t replica = 0; replica < own.size(); ++replica)
      shifts[own[replica]] = static_cast<int>(replica * count);
  return shifts;
}

}  // namespace lanelab
