// SPDX-License-Identifier: GPL-3.0-only
// What a span of a training job is, as its name says: a pass of a stage, a send, a collective.
//
// Names of timelines are those of StragglerAnalysis (ByteDance-Seed/StragglerAnalysis, analyzer/metatypes.py), which
// its authors took from Megatron-LM; of annotations those of PyTorch (torch/distributed/pipelining/schedules.py,
// "PP:2F0", "PP:0RECV_B1"), which torchtitan runs.
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

/// Of a timeline; nothing for other names. Any thread.
std::optional<JobName> jobNameOf(std::string_view name);

/// An annotation of a rank's own work.
struct AnnotationName {
  enum class Work : std::uint8_t { Compute, Send, Receive, Collective, Data };
  Work work = Work::Compute;
  Phase phase = Phase::None;
  int stage = -1;        ///< of the rank that sends or receives; -1 if the name does not say it
  int micro_batch = -1;  ///< the same
};

/// Of an annotation; nothing for other names. Any thread.
std::optional<AnnotationName> annotationNameOf(std::string_view name);

}  // namespace lanelab
