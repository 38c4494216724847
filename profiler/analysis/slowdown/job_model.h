// SPDX-License-Identifier: GPL-3.0-only
// A training job as a graph of operations that repeats in every step and replica: passes, transfers, collectives,
// updates, what each waits for, and how long it took each time.
//
// The model and its rules are those of StragglerAnalysis (Lin et al., Understanding Stragglers in Large Model Training
// Using What-if Analysis, OSDI 25; ByteDance-Seed/StragglerAnalysis, analyzer/dependency_model.py). One
// step of one replica stands for all, since steps whose operations differ are left out. Lengths are in seconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

struct JobOperation {
  /// Transfer: a send and its receive in one.
  enum class Role : std::uint8_t { Pass, Update, Send, Receive, Transfer, Collective, Local };
  Role role = Role::Local;
  Phase phase = Phase::None;
  std::uint32_t type = 0;  ///< in JobModel::types
  int place = 0;           ///< which lane of its replica
  int ordinal = 0;         ///< among those of its type on its lane, by start
  int stage = -1;          ///< of transfers the one that sends
  int micro_batch = -1;    ///< counted by replica
  TimeRange range;         ///< in the step and the replica that stand for all
};

/// All operations of one name.
struct JobType {
  std::string name;
  bool communicates = false;  ///< it moves data between lanes
};

/// Operations that end when the last of them has begun and its transfer is over.
struct JobGroup {
  std::vector<std::uint32_t> members;
  bool over_replicas = false;  ///< the same operations of all replicas belong to it
};

struct JobModel {
  std::vector<JobType> types;
  std::vector<JobOperation> operations;
  std::vector<std::vector<std::uint32_t>> after;  ///< by operation: those that end before it begins
  std::vector<JobGroup> groups;
  std::vector<int> steps;               ///< numbers, in order
  std::vector<int> skipped_steps;       ///< whose operations are others
  std::vector<std::vector<int>> lanes;  ///< of the trace, by replica and place
  std::vector<int> pipeline_rank;       ///< by place: its order among the lanes' first stages
  std::vector<double> lengths;          ///< by operation and occurrence; of a group's members from its last begin on
  std::vector<TimeRange> ranges;        ///< by operation and occurrence, as recorded
  std::vector<double> measured_steps;   ///< from the first start to the last end, by step

  std::size_t replicas() const { return lanes.size(); }
  std::size_t occurrences() const { return steps.size() * lanes.size(); }
  /// A step's replicas follow each other.
  std::size_t at(std::size_t operation, std::size_t occurrence) const { return operation * occurrences() + occurrence; }
};

/// Nothing for a trace without forward and backward passes of at least two lanes whose steps are alike. n log n in the
/// spans of the job.
std::optional<JobModel> jobModelOf(const Trace& trace);

}  // namespace lanelab
