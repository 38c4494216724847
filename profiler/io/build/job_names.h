// SPDX-License-Identifier: GPL-3.0-only
// What a span of a training job is, as its name says: a pass of a stage, a send, a collective.
//
// Names are those of StragglerAnalysis (ByteDance-Seed/StragglerAnalysis, analyzer/metatypes.py), which its authors
// took from Megatron-LM.
#pragma once

#include <optional>
#include <string_view>

#include "profiler/trace/span.h"

namespace lanelab {

struct JobName {
  enum class Work : std::uint8_t { Compute, Send, Receive, Collective, Host };
  Work work = Work::Host;
  Phase phase = Phase::None;  ///< of Send and Receive: of the pass whose result they carry
};

/// Nothing for other names. Any thread.
std::optional<JobName> jobNameOf(std::string_view name);

}  // namespace lanelab
