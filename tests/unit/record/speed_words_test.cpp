// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/speed_words.h"

#include <gtest/gtest.h>

#include "tests/unit/record/small_records.h"

namespace lanelab {
namespace {

std::vector<double> spreadAround(double mean, double step, int n) {
  std::vector<double> times;
  for (int i = 0; i < n; ++i) times.push_back(mean * (1 + step * (i - (n - 1) / 2.0)));
  return times;
}

TEST(SpeedWords, SayTheSameInSentencesCellsAndVerdicts) {
  struct Case {
    std::vector<double> baseline, candidate;
    const char *clause, *cell, *verdict, *sentence;
  };
  for (const Case& c : std::vector<Case>{
           {spreadAround(2.0, 0.001, 10), spreadAround(1.0, 0.001, 10),
            "2.00x faster (95 % CI 1.99 to 2.01x; 10 repeats each)", "2.00x (1.99 to 2.01)",
            "faster (2.00x, 95 % CI 1.99 to 2.01, n = 10/10)",
            "P is 2.00x faster than S (95 % CI 1.99 to 2.01x; 10 repeats each)."},
           {spreadAround(1.0, 0.004, 9), spreadAround(1.15, 0.004, 12),
            "1.15x slower (95 % CI 1.14 to 1.16x; 12 and 9 repeats)", "1.15x slower (1.14 to 1.16)",
            "slower (1.15x, 95 % CI 1.14 to 1.16, n = 9/12)",
            "P is 1.15x slower than S (95 % CI 1.14 to 1.16x; 12 and 9 repeats)."},
           {spreadAround(1.0, 0.02, 10), spreadAround(1.0, 0.02, 10),
            "no clear difference (95 % CI of the speed-up 0.945 to 1.06x; 10 repeats each show differences of 8.4 % "
            "and "
            "more)",
            "no clear difference (0.945 to 1.06)",
            "no clear difference (1.00x, 95 % CI 0.945 to 1.06, n = 10/10; differences of 8.4 % and more would show)",
            "No clear difference between P and S (95 % CI of the speed-up 0.945 to 1.06x; 10 repeats each show "
            "differences of 8.4 % and more)."},
           {spreadAround(1.01, 0.0001, 5), spreadAround(1.0, 0.0001, 5),
            "within noise band (95 % CI of the speed-up 1.01 to 1.01x; 5 repeats each)",
            "within noise band (1.01 to 1.01)", "within noise band (1.01x, 95 % CI 1.01 to 1.01, n = 5/5)",
            "The difference between P and S is within the noise band (95 % CI of the speed-up 1.01 to 1.01x; 5 repeats "
            "each)."},
           {spreadAround(2.0, 0.001, 4), spreadAround(1.0, 0.001, 10),
            "too few repeats (10 and 4 repeats; an interval needs 5)", "too few repeats",
            "too few repeats (n = 4/10; 5 are needed)",
            "Too few repeats to compare P and S (10 and 4 repeats; an interval needs 5)."},
           {{1, 1, 3, 1, 3},
            {1, 1, 1, 4, 1},
            "no clear difference (95 % CI of the speed-up 0.482 to 2.87x; 5 repeats each show differences of 3.44x and "
            "more)",
            "no clear difference (0.482 to 2.87)",
            "no clear difference (1.18x, 95 % CI 0.482 to 2.87, n = 5/5; differences of 3.44x and more would show)",
            "No clear difference between P and S (95 % CI of the speed-up 0.482 to 2.87x; 5 repeats each show "
            "differences "
            "of 3.44x and more)."},
           {{0, 1, 1, 1, 1},
            {1, 1, 1, 1, 1},
            "no ratio (a repeat took 0 s; 5 repeats each)",
            "no ratio: a repeat took 0 s",
            "no ratio (a repeat took 0 s, n = 5/5)",
            "P and S cannot be compared: a repeat took 0 s."}}) {
    const Ratio ratio = compareTimes(c.baseline, c.candidate);
    EXPECT_EQ(speedClause(ratio).message, c.clause);
    EXPECT_EQ(speedUpText(ratio).message, c.cell);
    EXPECT_EQ(verdictText(ratio).message, c.verdict);
    EXPECT_EQ(speedSentence("P", "S", ratio).message, c.sentence);
  }
}

TEST(SpeedWords, OfAPredictionWhoseRangeHasNoChangeInItNothingIsFaster) {
  struct Case {
    double ratio, low, high;
    const char *text, *than;
  };
  for (const Case& c :
       {Case{1.1, 0.947, 1.29, "no clear gain (predicted 10 %, 90 % range -5.3 to 29 %)",
             "no clear gain over P predicted (10 %)"},
        Case{1.112, 1.06, 1.16, "predicted 11 % faster (90 % range 6 to 16 %)", "predicted 11 % faster than P"},
        Case{1.02, 1, 1.05, "no clear gain (predicted 2 %, 90 % range 0 to 5 %)",
             "no clear gain over P predicted (2 %)"},
        Case{0.97, 0.9, 1.02, "no clear loss (predicted -3 %, 90 % range -10 to 2 %)",
             "no clear loss against P predicted (-3 %)"},
        Case{0.8, 0.7, 0.9, "predicted 20 % slower (90 % range -30 to -10 %)", "predicted 20 % slower than P"}}) {
    EXPECT_EQ(predictedText(c.ratio, c.low, c.high).message, c.text);
    EXPECT_EQ(predictedThan("P", c.ratio, c.low > 1 || c.high < 1).message, c.than);
  }
}

TEST(SpeedWords, OfAPredictionsOutcomeAreInPercent) {
  const auto clause = [](double factor, double step) {
    return speedClause(compareTimes(spreadAround(factor, step, 10), spreadAround(1, step, 10)), SpeedUnit::Percent)
        .message;
  };
  EXPECT_EQ(clause(1.1, 0.001), "10 % faster (95 % CI 9.7 to 10 %; 10 repeats each)");
  EXPECT_EQ(clause(0.8, 0.001), "20 % slower (95 % CI 20 to 20 %; 10 repeats each)");
  EXPECT_EQ(
      clause(1, 0.02),
      "no clear difference (95 % CI of the difference -5.5 to 5.9 %; 10 repeats each show differences of 8.4 % and "
      "more)");
}

TEST(SpeedWords, BetweenRunsNameNoneFaster) {
  const Ratio ratio = betweenRuns(compareTimes(spreadAround(2.0, 0.001, 10), spreadAround(1.0, 0.001, 10)));
  EXPECT_EQ(speedUpText(ratio).message, "2.00x (1.99 to 2.01), different runs");
  EXPECT_EQ(
      speedSentence("b/P", "a/P", ratio, verbatim(", per image")).message,
      "b/P and a/P are of different runs: ratio of times 2.00x (95 % CI 1.99 to 2.01x within the runs; 10 repeats "
      "each, per image).");
  EXPECT_EQ(speedUpText(betweenRuns(compareTimes({1, 2}, {1, 2}))).message, "different runs");
}

TEST(SpeedWords, NothingContradictsNoClearDifference) {
  const RunRecord record = test::recordOf(
      {test::variantWith("S", spreadAround(1.02, 0.05, 6)), test::variantWith("P", spreadAround(1.0, 0.05, 6))});
  const std::string json = toJson(record);
  EXPECT_NE(json.find("\"smallest_difference\": 0."), std::string::npos);
  for (const RunNote& note : runNotes(record))
    EXPECT_EQ(note.sentence.message.find("faster"), std::string::npos) << note.sentence.message;
}

}  // namespace
}  // namespace lanelab
