// SPDX-License-Identifier: GPL-3.0-only
// What a span of a training job does, as its name says. Values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/io/names/name_pattern.h"
#include "profiler/trace/process_group.h"
#include "profiler/trace/span.h"

namespace lanelab {

enum class JobWork : std::uint8_t { Compute, Send, Receive, Collective, Data, Host, Step };

struct WorkPart {
  JobWork work = JobWork::Host;
  Phase phase = Phase::None;  ///< of Send and Receive: of the pass whose result they carry; None of the call that does
                              ///< what the annotation around it says
  bool isPass() const { return work == JobWork::Compute && phase != Phase::Update; }
  bool moves() const { return work == JobWork::Send || work == JobWork::Receive; }
  bool operator==(const WorkPart&) const = default;
};

/// The words of actions.json and of the built-in rules; in `does` of an action map all but the last two.
std::vector<std::string> workWords();
std::optional<WorkPart> workOfWord(std::string_view word);

struct NamedWork {
  std::vector<WorkPart> parts;  ///< of one call that sends and receives, both
  NameNumbers numbers;          ///< that the name gives; the stage is that of the rank itself
  GroupKind group = GroupKind::Unknown;
  bool timeline = false;      ///< with an argument `step` it is of a timeline of several ranks (job_rows.h)
  std::optional<int> mapped;  ///< place in ActionMap::names; nothing of a built-in rule

  const WorkPart& first() const { return parts.front(); }
  bool isPass() const { return first().isPass(); }
};

}  // namespace lanelab
