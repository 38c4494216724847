// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/job_names.h"

#include <algorithm>
#include <iterator>

namespace lanelab {

namespace {

using Work = JobName::Work;

struct KnownName {
  std::string_view name;
  JobName is;
};

constexpr KnownName kKnownNames[] = {{"forward-compute", {Work::Compute, Phase::Forward}},
                                     {"backward-compute", {Work::Compute, Phase::Backward}},
                                     {"backward-wgrad-compute", {Work::Compute, Phase::BackwardWeight}},
                                     {"optimizer", {Work::Compute, Phase::Update}},
                                     {"forward-send", {Work::Send, Phase::Forward}},
                                     {"forward-recv", {Work::Receive, Phase::Forward}},
                                     {"backward-send", {Work::Send, Phase::Backward}},
                                     {"backward-recv", {Work::Receive, Phase::Backward}},
                                     {"params-all-gather", {Work::Collective, Phase::None}},
                                     {"params-all-gather-nonoverlapping", {Work::Collective, Phase::None}},
                                     {"grads-reduce-scatter", {Work::Collective, Phase::None}},
                                     {"grads-reduce-scatter-nonoverlapping", {Work::Collective, Phase::None}},
                                     {"separate-grads-all-reduce", {Work::Collective, Phase::None}},
                                     {"layernorm-grads-all-reduce", {Work::Collective, Phase::None}},
                                     {"embedding-grads-all-reduce", {Work::Collective, Phase::None}},
                                     {"optimizer-clip-main-grad", {Work::Collective, Phase::None}},
                                     {"gc", {Work::Host, Phase::None}}};

}  // namespace

std::optional<JobName> jobNameOf(std::string_view name) {
  const auto* const known = std::ranges::find(kKnownNames, name, &KnownName::name);
  return known == std::end(kKnownNames) ? std::nullopt : std::optional(known->is);
}

}  // namespace lanelab
