// SPDX-License-Identifier: GPL-3.0-only
// Progress values: counted up to a steady total, joined from parts, and how long the rest takes.
#include <gtest/gtest.h>

#include <vector>

#include "base/progress.h"

namespace lanelab {
namespace {

using Seconds = std::chrono::duration<double>;

Pace::Time at(double seconds) {
  return Pace::Time() + std::chrono::duration_cast<Pace::Time::duration>(Seconds(seconds));
}

TEST(ProgressCount, ReportsEachUnitAndNeverMoreThanTheTotal) {
  std::vector<Progress> seen;
  ProgressCount count(3, [&](const Progress& progress) { seen.push_back(progress); });
  count.begin("Reading");
  count.add(2);
  count.add(5);
  const std::vector<Progress> wanted = {{"Reading", 0, 3}, {"Reading", 2, 3}, {"Reading", 3, 3}};
  EXPECT_EQ(seen, wanted);
}

TEST(ProgressCount, OfNobodyWhoListensOnlyCounts) {
  ProgressCount count(3, {});
  count.begin("Reading");
  count.finish();
}

TEST(PartOf, JoinsPartsToOneWorkThatEndsAtItsTotal) {
  std::vector<double> shares;
  const ReportProgress whole = [&](const Progress& progress) { shares.push_back(progress.share()); };
  partOf(whole, 0, 2)({"Reading", 5, 10});
  partOf(whole, 0, 2)({"Reading", 10, 10});
  partOf(whole, 1, 2)({"Writing", 0, 7});
  partOf(whole, 1, 2)({"Writing", 7, 7});
  EXPECT_EQ(shares, (std::vector<double>{0.25, 0.5, 0.5, 1}));
  EXPECT_FALSE(partOf({}, 0, 2));
}

TEST(Pace, OfSteadyWorkIsRightFromAQuarterOn) {
  Pace pace;
  EXPECT_EQ(pace.secondsLeft({"", 0, 100}, at(0)), -1) << "nothing is known yet";
  for (int done = 25; done <= 100; ++done) EXPECT_NEAR(pace.secondsLeft({"", done, 100}, at(done)), 100 - done, 1e-9);
}

TEST(Pace, BetweenTwoUnitsTheTimeRunsDownAndNeverBelowZero) {
  Pace pace;
  pace.secondsLeft({"", 0, 2}, at(0));
  EXPECT_DOUBLE_EQ(pace.secondsLeft({"", 1, 2}, at(10)), 10);
  EXPECT_DOUBLE_EQ(pace.secondsLeft({"", 1, 2}, at(14)), 6);
  EXPECT_DOUBLE_EQ(pace.secondsLeft({"", 1, 2}, at(30)), 0);
}

TEST(Pace, AnotherPieceOfWorkStartsOver) {
  Pace pace;
  pace.secondsLeft({"", 0, 2}, at(0));
  EXPECT_GT(pace.secondsLeft({"", 1, 2}, at(10)), 0);
  EXPECT_EQ(pace.secondsLeft({"", 0, 2}, at(11)), -1);
  EXPECT_DOUBLE_EQ(pace.secondsLeft({"", 1, 2}, at(13)), 2);
  EXPECT_EQ(pace.secondsLeft({"", 0, 5}, at(14)), -1);
}

TEST(ProgressText, NamesPhasePercentAndTimeLeftAsFarAsKnown) {
  EXPECT_EQ(progressText({"Reading t.json", 42, 100}, 21), "Reading t.json: 42 %, about 20 s left");
  EXPECT_EQ(progressText({"Reading t.json", 999, 1000}, 0.2), "Reading t.json: 99 %, a few seconds left");
  EXPECT_EQ(progressText({"Reading t.json", 42, 100}, -1), "Reading t.json: 42 %");
  EXPECT_EQ(progressText({"Reading t.json", 0, 0}, -1), "Reading t.json");
  EXPECT_EQ(timeLeftText(150), "about 3 min left") << "half minutes go up";
  EXPECT_EQ(timeLeftText(-1), "");
}

}  // namespace
}  // namespace lanelab
