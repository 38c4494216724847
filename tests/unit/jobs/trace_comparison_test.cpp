// SPDX-License-Identifier: GPL-3.0-only
#include "engine/jobs/trace_comparison.h"

#include <gtest/gtest.h>

#include "engine/jobs/comparison_tables.h"

namespace lanelab {
namespace {

ComparedTime comparedSteps(const std::vector<double>& before, const std::vector<double>& after) {
  return comparedTime(stepTimeOf(before), stepTimeOf(after));
}

TEST(TraceComparison, IntervalsAreWelchs) {
  // Means 10 and 12, variances 0.5: standard error 0.4472, 8 degrees of freedom, t 2.3060 (SciPy's ttest_ind).
  const ComparedTime time = comparedSteps({10, 11, 9, 10, 10}, {12, 13, 12, 11, 12});
  ASSERT_TRUE(time.ci95);
  EXPECT_NEAR(time.ci95->low, 2 - 1.03127, 1e-4);
  EXPECT_NEAR(time.ci95->high, 2 + 1.03127, 1e-4);
  EXPECT_EQ(time.change, TimeChange::Longer);
}

TEST(TraceComparison, CallsADifferenceByWhatTheStepsShow) {
  struct Row {
    std::vector<double> before, after;
    TimeChange change;
  };
  const Row rows[] = {
      {{10, 10, 10, 10, 10}, {8, 8, 8, 8, 8}, TimeChange::Shorter},
      {{10, 10, 10, 10, 10}, {10.1, 10.1, 10.1, 10.1, 10.1}, TimeChange::NoneShown},  // 1 %
      {{10, 10, 10, 10, 10}, {10.3, 10.3, 10.3, 10.3, 10.3}, TimeChange::Longer},
      {{8, 12, 9, 11, 10}, {9, 13, 10, 12, 11}, TimeChange::NoneShown},  // less than the spread
      {{10, 10, 10, 10}, {20, 20, 20, 20, 20}, TimeChange::TooFewSteps},
      {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, TimeChange::NoneShown},
      {{0, 0, 0, 0, 0}, {5, 6, 5, 6, 5}, TimeChange::Longer},
  };
  for (const Row& row : rows)
    EXPECT_EQ(toWord(comparedSteps(row.before, row.after).change), toWord(row.change)) << row.after.front();
}

StepProfile profileWith(std::vector<double> lengths, JobShape shape = {}) {
  StepProfile profile;
  for (std::size_t step = 0; step < lengths.size(); ++step) profile.steps.push_back(static_cast<int>(step));
  profile.lengths = std::move(lengths);
  profile.shape = shape;
  profile.lanes.push_back({"rank 0", {}, {}, {}});
  return profile;
}

std::string stepWords(const std::vector<double>& before, const std::vector<double>& after) {
  return stepSentence(compareTraces(profileWith(before), profileWith(after))).message;
}

TEST(TraceComparison, SaysWhatTheStepsShow) {
  EXPECT_EQ(stepWords({2e9, 2.01e9, 1.99e9, 2e9, 2e9}, {4e9, 4.02e9, 3.98e9, 4e9, 4e9}),
            "The step takes 2 s before and 4 s after: 2.00x slower (95 % CI 1.99 to 2.01x; n = 5 and 5 steps).");
  EXPECT_EQ(
      stepWords({2e9, 2.01e9, 1.99e9, 2e9, 2e9}, {2e9, 2.02e9, 1.99e9, 2e9, 2e9}),
      "No difference in step time is shown: 2 s before and 2 s after (95 % CI of the speed-up 0.992 to 1.01x; n = "
      "5 and 5 steps).");
  EXPECT_EQ(stepWords({2e9}, {4e9}),
            "The step takes 2 s before and 4 s after (n = 1 and 1 steps; an interval needs 5).");
}

TEST(TraceComparison, NamesWhatIsUnlike) {
  const JobShape shape{IdleCauses::Work::Actions, 4, 4, 8, 1};
  EXPECT_TRUE(unlikeness(shape, shape).empty());
  EXPECT_EQ(listed(unlikeness(shape, {IdleCauses::Work::Actions, 8, 4, 16, 2})).message,
            "4 and 8 ranks, 1 and 2 replicas and 8 and 16 micro-batches per step");
  EXPECT_TRUE(unlikeness({IdleCauses::Work::Operators, 2}, {IdleCauses::Work::Operators, 3}).empty())
      << "threads are no ranks";
}

TEST(TraceComparison, RefusesWhatHasNoCounterpart) {
  const StepProfile steps = profileWith({1e9, 1e9});
  StepProfile none = steps, kernels = steps, empty = steps;
  none.steps.clear();
  kernels.shape.work = IdleCauses::Work::Kernels;
  empty.lanes.clear();
  EXPECT_EQ(whyNotComparable(steps, steps).message, "");
  EXPECT_NE(whyNotComparable(none, steps).message.find("only the second marks its steps"), std::string::npos);
  EXPECT_NE(whyNotComparable(steps, kernels).message.find("kernels of GPUs"), std::string::npos);
  EXPECT_NE(whyNotComparable(steps, empty).message.find("the second has no lanes"), std::string::npos);
}

TEST(TraceComparison, PairsNamesAndListsTheOthersApart) {
  StepProfile before = profileWith({1e9, 1e9}), after = before;
  before.names = {{"gemm", Category::Kernel, 4, {100, 0, 2}}, {"old", Category::Kernel, 2, {5, 0, 2}}};
  after.names = {{"gemm", Category::Kernel, 6, {90, 0, 2}}, {"new", Category::Kernel, 2, {7, 0, 2}}};
  before.names.push_back({"add", Category::Kernel, 2, {50, 0, 2}});
  after.names.push_back({"add", Category::Kernel, 2, {10, 0, 2}});
  const TraceComparison compared = compareTraces(before, after);
  ASSERT_EQ(compared.names.size(), 2U);
  EXPECT_EQ(compared.names[0].name, "add") << "what changed most is first";
  EXPECT_EQ(compared.names[1].count_before, 2);
  EXPECT_EQ(compared.names[1].count_after, 3);
  ASSERT_EQ(compared.names_only_before.size(), 1U);
  EXPECT_EQ(compared.names_only_before[0].name, "old");
  ASSERT_EQ(compared.names_only_after.size(), 1U);
  EXPECT_EQ(compared.names_only_after[0].name, "new");
}

}  // namespace
}  // namespace lanelab
