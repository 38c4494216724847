// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/run_groups.h"

#include <gmock/gmock.h>

#include <numeric>

namespace lanelab {
namespace {

using testing::ElementsAre;

RunEntry groupedRun(const std::string& arch, const std::string& started, double step_seconds,
                    const std::vector<std::string>& tags = {}) {
  RunEntry entry;
  entry.experiment = "lab";
  entry.work.arch = arch;
  entry.machine = arch == "resnet50" ? "" : "box";
  entry.started = started;
  entry.labels.tags = tags;
  VariantEntry variant;
  variant.strategy = "pipeline";
  variant.schedule = arch == "resnet50" ? "gpipe" : "1f1b";
  if (step_seconds > 0) {
    variant.step_seconds = step_seconds;
    variant.samples_per_second = 8 / step_seconds;
  }
  entry.variants = {variant};
  entry.shown = 0;
  return entry;
}

const std::vector<RunEntry>& threeRuns() {
  static const std::vector<RunEntry> runs = {groupedRun("resnet18", "2026-01-03T09:00:00Z", 0.5, {"night", "cpu"}),
                                             groupedRun("resnet50", "2026-01-02T09:00:00Z", 0, {}),
                                             groupedRun("resnet18", "2026-01-01T23:30:00Z", 0.25, {"night"})};
  return runs;
}

std::vector<RunGroup> groupsOf(RunGrouping by) {
  std::vector<std::size_t> order(threeRuns().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return groupRuns(threeRuns(), order, by);
}

/// "resnet18: 0 2; resnet50: 1"
std::string textOf(const std::vector<RunGroup>& groups) {
  std::string text;
  for (const RunGroup& group : groups) {
    text += (text.empty() ? "" : "; ") + group.value + ":";
    for (const std::size_t run : group.runs) text += " " + std::to_string(run);
  }
  return text;
}

TEST(RunGroups, HoldTheRunsThatShareAValueInTheOrderOfTheFirst) {
  const struct {
    RunGrouping by;
    const char* groups;
  } rows[] = {
      {RunGrouping::None, ""},
      {RunGrouping::Model, "resnet18: 0 2; resnet50: 1"},
      {RunGrouping::Experiment, "lab: 0 1 2"},
      {RunGrouping::Strategy, "pipeline (1f1b): 0 2; pipeline (gpipe): 1"},
      {RunGrouping::Tag, "night: 0 2; cpu: 0; : 1"},
      {RunGrouping::Day, "2026-01-03: 0; 2026-01-02: 1; 2026-01-01: 2"},
      {RunGrouping::Machine, "box: 0 2; : 1"},
  };
  for (const auto& [by, groups] : rows) EXPECT_EQ(textOf(groupsOf(by)), groups) << toWord(by);
}

TEST(RunGroups, HaveTheBestFiguresAndTheDatesOfTheirRuns) {
  const std::vector<RunGroup> groups = groupsOf(RunGrouping::Model);
  EXPECT_EQ(groups[0], (RunGroup{"resnet18", {0, 2}, 0.25, 32.0, "2026-01-01T23:30:00Z", "2026-01-03T09:00:00Z"}));
  EXPECT_EQ(groups[1], (RunGroup{"resnet50", {1}, {}, {}, "2026-01-02T09:00:00Z", "2026-01-02T09:00:00Z"}));
}

TEST(RunGroups, FollowTheOrderThatTheRunsAreIn) {
  EXPECT_EQ(textOf(groupRuns(threeRuns(), {2, 1}, RunGrouping::Model)), "resnet18: 2; resnet50: 1");
  EXPECT_EQ(textOf(groupRuns(threeRuns(), {1, 0}, RunGrouping::Machine)), "box: 0; : 1") << "unknown ones come last";
}

TEST(RunGroups, OfDaysAreThoseOfTheClockThatIsAsked) {
  const auto next_day = [](const std::string& iso) { return iso.substr(0, 9) + std::string(1, iso[9] + 1); };
  EXPECT_EQ(textOf(groupRuns(threeRuns(), {2}, RunGrouping::Day, next_day)), "2026-01-02: 2");
}

TEST(RunNames, SayWhatWasRunWhereNobodyNamedTheExperiment) {
  RunEntry run = groupedRun("resnet18", "2026-01-01T00:00:00Z", 1);
  run.work.batch = 32;
  run.variants[0].micro_batch_size = 16;
  const struct {
    const char *label, *experiment, *name;
  } rows[] = {{"", "experiment", "resnet18, 1F1B, 16"}, {"", "tutorial", "tutorial"}, {"Night", "experiment", "Night"}};
  for (const auto& [label, experiment, name] : rows) {
    run.labels.name = label;
    run.experiment = experiment;
    EXPECT_EQ(run.name(), name);
  }
  run.labels.name.clear();
  run.experiment = "experiment";
  run.variants[0] = {.name = "Single", .strategy = "single", .schedule = "", .micro_batch_size = 32};
  EXPECT_EQ(run.name(), "resnet18, single") << "the whole batch is said by nothing";
  run.variants.clear();
  run.shown = -1;
  EXPECT_EQ(run.name(), "experiment") << "nothing is known of what was run";
}

}  // namespace
}  // namespace lanelab
