// SPDX-License-Identifier: GPL-3.0-only
// Small traces told by a few calls, and how to compare two.
#pragma once

#include <memory>
#include <string>

#include "profiler/trace/imported_trace.h"
#include "profiler/trace/trace.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/trace/edited_span.h"

namespace lanelab {

using test::contentOf;
using test::TemporaryFolder;
using test::writeContent;

struct SmallWorld {
  Trace trace;

  std::size_t lane(const std::string& name, const std::string& device) {
    trace.lanes.push_back({name, device});
    return trace.lanes.size() - 1;
  }
  std::size_t track(std::size_t lane, Track::Kind kind, const std::string& name) {
    trace.tracks.push_back({static_cast<int>(lane), kind, name, {}});
    return trace.tracks.size() - 1;
  }
  EditedSpan span(std::size_t track, Category category, const std::string& name, Nanoseconds start, Nanoseconds end,
                  int step = 0);
  EditedSpan action(std::size_t track, int stage, Phase phase, int micro_batch, Nanoseconds start, Nanoseconds end,
                    int step = 0);
  EditedSpan transfer(std::size_t track, int from_stage, Phase phase, int micro_batch, Nanoseconds start,
                      Nanoseconds end, int step = 0);
};

/// Two lanes, two micro-batches forward and backward, transfers, blocks, host work and the step.
Trace twoLanePipeline();
/// The same, written as a Chrome trace and read again.
std::shared_ptr<const ImportedTrace> ownPipeline();

/// twoLanePipeline() with CPU times and counters: memory of a lane, loss of the run.
Trace countedPipeline();

/// Everything of a trace as text, names resolved, so that two can be compared and a difference read.
std::string told(const Trace& trace);

/// A trace of tests/data/traces.
std::shared_ptr<const ImportedTrace> fileNamed(const std::string& name);

}  // namespace lanelab
