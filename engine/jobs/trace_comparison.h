// SPDX-License-Identifier: GPL-3.0-only
// What differs between two recordings of a job: the step, what lanes spend it on, why they are idle, the passes of each
// stage, and each name, with what the steps' own spread shows of it.
//
// The statistics are those of runs (engine/record/statistics.h), with a step as the unit: Welch's interval at 95 %, at
// least five steps of each, and a noise band of 2 %. Steps of one recording vary less than recordings do, so what is
// shown holds for these two. Pure; any thread; linear in the profiles.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "base/words.h"
#include "engine/record/statistics.h"
#include "profiler/analysis/statistics/step_profile.h"

namespace lanelab {

enum class TimeChange : std::uint8_t { Longer, Shorter, NoneShown, TooFewSteps };
constexpr std::array<Word<TimeChange>, 4> wordTable(TimeChange) {
  return {{{TimeChange::Longer, "longer"},
           {TimeChange::Shorter, "shorter"},
           {TimeChange::NoneShown, "no difference shown"},
           {TimeChange::TooFewSteps, "too few steps"}}};
}

/// Nanoseconds per step.
struct ComparedTime {
  StepTime before;
  StepTime after;
  std::optional<Interval> ci95;  ///< of after minus before; none below five steps
  TimeChange change = TimeChange::TooFewSteps;

  double difference() const { return after.mean - before.mean; }
};
ComparedTime comparedTime(const StepTime& before, const StepTime& after);

struct ComparedLane {
  std::string before;  ///< its name; lanes of two jobs with as many are paired in order, else by their names
  std::string after;
  ComparedTime window;
  ComparedTime idle;  ///< that it does not compute
  std::array<ComparedTime, kTimePartCount> parts;
};

struct ComparedStage {
  int stage = 0;
  Phase phase = Phase::None;
  double count_before = 0;  ///< actions per step, as the next
  double count_after = 0;
  ComparedTime time;  ///< of all of them
};

struct ComparedName {
  std::string name;
  Category category = Category::Other;
  double count_before = 0;  ///< per step, as the next
  double count_after = 0;
  ComparedTime time;
};

struct TraceComparison {
  Summary before;  ///< of the steps, seconds
  Summary after;
  Ratio step;                                      ///< the step before over the step after: above 1 is faster
  std::array<ComparedTime, kTimePartCount> parts;  ///< of the mean lane, as the next two
  std::array<ComparedTime, kCauseCount> causes;
  ComparedTime idle;
  std::vector<ComparedLane> lanes;
  std::vector<ComparedStage> stages;  ///< of both
  std::vector<ComparedName> names;    ///< of both, the largest change first
  std::vector<std::string> lanes_only_before, lanes_only_after;
  std::vector<StageProfile> stages_only_before, stages_only_after;
  std::vector<NameProfile> names_only_before, names_only_after;  ///< the largest time first
  int steps_before = 0;                                          ///< that counts per step are of
  int steps_after = 0;
};

/// Why their steps are not comparable at all, as one has none or other lanes; empty if they are.
Message whyNotComparable(const StepProfile& before, const StepProfile& after);
/// Why a step of one is other work than a step of the other: "4 and 8 ranks"; empty for like jobs.
std::vector<Message> unlikeness(const JobShape& before, const JobShape& after);

TraceComparison compareTraces(const StepProfile& before, const StepProfile& after);

}  // namespace lanelab
