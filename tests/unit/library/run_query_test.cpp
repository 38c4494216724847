// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/run_query.h"

#include <gmock/gmock.h>

#include "engine/library/run_difference.h"

namespace lanelab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

RunEntry run(const std::string& id, std::optional<double> samples_per_second, const std::string& started = "2026") {
  RunEntry entry;
  entry.folder = "/runs/" + id;
  entry.id = id;
  entry.experiment = id;
  entry.work.arch = "resnet18";
  entry.started = started;
  VariantEntry variant;
  variant.name = "Pipeline";
  variant.strategy = "pipeline";
  variant.schedule = "1f1b";
  variant.samples_per_second = samples_per_second;
  entry.variants = {variant};
  entry.shown = 0;
  return entry;
}

std::vector<std::string> idsOf(const std::vector<RunEntry>& runs) {
  std::vector<std::string> ids;
  for (const RunEntry& entry : runs) ids.push_back(entry.id);
  return ids;
}

std::vector<std::string> sorted(std::vector<RunEntry> runs, const std::string& by) {
  const Result<RunSort> sort = parseSort(by);
  EXPECT_TRUE(sort.ok()) << by;
  sortRuns(runs, *sort);
  return idsOf(runs);
}

TEST(RunSorting, PutsMissingValuesLastInBothDirections) {
  const std::vector<RunEntry> runs = {run("none", {}), run("fast", 30), run("slow", 4)};
  EXPECT_THAT(sorted(runs, "samples/s"), ElementsAre("slow", "fast", "none"));
  EXPECT_THAT(sorted(runs, "-samples/s"), ElementsAre("fast", "slow", "none"));
}

TEST(RunSorting, IgnoresTheCaseOfNamesAndPutsEqualOnesNewestFirst) {
  std::vector<RunEntry> runs = {run("b", 1, "2026-01-01"), run("A", 1, "2026-01-02"), run("c", 1, "2026-01-03")};
  EXPECT_THAT(sorted(runs, "name"), ElementsAre("A", "b", "c"));
  EXPECT_THAT(sorted(runs, "model"), ElementsAre("c", "A", "b"));
  EXPECT_THAT(sorted(runs, "-date"), ElementsAre("c", "A", "b"));
}

TEST(RunSorting, TakesTheWordOfEarlierVersions) { EXPECT_EQ(*parseSort("-images/s"), *parseSort("-samples/s")); }

TEST(RunSorting, NamesTheNearestColumn) {
  EXPECT_THAT(parseSort("sample/s").error().message, HasSubstr("did you mean \"samples/s\"?"));
}

TEST(RunFiltering, SearchesAllWordsInNameTagsNoteAndModel) {
  RunEntry entry = run("first", 1);
  entry.labels = {"Two cores", {"night"}, "after the Cut", false};
  for (const char* search : {"", "two", "NIGHT cut", "resnet18 pipeline", "first", "1f1b"})
    EXPECT_TRUE(matches(entry, {search})) << search;
  EXPECT_FALSE(matches(entry, {"two day"}));
}

TEST(RunFiltering, HoldsAllConditionsAndAnyValueOfOne) {
  RunEntry entry = run("first", 1);
  entry.labels.tags = {"night"};
  RunFilter filter;
  for (const char* condition : {"status=failed,done", "tag=day,night", "strategy=pipeline"})
    ASSERT_TRUE(addCondition(filter, condition).ok());
  EXPECT_TRUE(matches(entry, filter));
  ASSERT_TRUE(addCondition(filter, "star").ok());
  EXPECT_FALSE(matches(entry, filter));
  entry.labels.star = true;
  EXPECT_TRUE(matches(entry, filter));
  entry.damaged = true;
  EXPECT_FALSE(matches(entry, filter)) << "a damaged run is not done";
}

TEST(RunFiltering, RefusesWhatIsNotKnown) {
  RunFilter filter;
  EXPECT_THAT(addCondition(filter, "state=done").error().message, HasSubstr("\"state\" is not known"));
  EXPECT_THAT(addCondition(filter, "status=don").error().message, HasSubstr("did you mean \"done\"?"));
  EXPECT_FALSE(addCondition(filter, "tag=").ok());
  EXPECT_EQ(filter, RunFilter{});
}

TEST(RunFinding, TakesIdsTheirBeginsAndNamesThatOnlyOneRunHas) {
  std::vector<RunEntry> runs = {run("demo-1", 1), run("demo-2", 1), run("other", 1)};
  runs[2].labels.name = "Night";
  EXPECT_EQ(findRun(runs, "demo-2")->id, "demo-2");
  EXPECT_EQ(findRun(runs, "Night")->id, "other");
  EXPECT_EQ(findRun(runs, "oth")->id, "other");
  EXPECT_THAT(findRun(runs, "demo").error().message, HasSubstr("names 2 runs. Use an id, such as demo-1 or demo-2"));
  EXPECT_FALSE(findRun(runs, "").ok());
  EXPECT_FALSE(findRun(runs, "absent").ok());
}

TEST(RunCells, ShowWhatIsMissingAsADash) {
  RunEntry entry = run("first", {});
  EXPECT_EQ(cellText(entry, RunColumn::SamplesPerSecond), "-");
  EXPECT_EQ(cellText(entry, RunColumn::Strategy), "pipeline (1f1b)");
  entry.variants[0].step_seconds = 0.0123;
  EXPECT_EQ(cellText(entry, RunColumn::SpeedUp), "-") << "a ratio goes with its interval";
  entry.variants[0].speed_up = 1.724;
  entry.variants[0].speed_up_text = "1.72x (1.69 to 1.75)";
  EXPECT_EQ(cellText(entry, RunColumn::StepTime), "12.3");
  EXPECT_EQ(cellText(entry, RunColumn::Accuracy), "-");
  entry.variants[0].accuracy = 0.942;
  EXPECT_EQ(cellText(entry, RunColumn::Accuracy), "94.2 %");
  EXPECT_EQ(cellText(entry, RunColumn::SpeedUp), "1.72x (1.69 to 1.75)");
  entry.labels.note = "one\ntwo";
  EXPECT_EQ(cellText(entry, RunColumn::Note), "one ...");
}

TEST(RunCells, ShowNumbersAsTheTablesOfARunDo) {
  RunEntry entry = run("first", 49.0);
  entry.variants[0].step_seconds = 0.073;
  entry.variants[0].micro_batch_size = 1024;
  EXPECT_EQ(cellText(entry, RunColumn::SamplesPerSecond), "49.0");
  EXPECT_EQ(cellText(entry, RunColumn::StepTime), "73.0");
  EXPECT_EQ(cellText(entry, RunColumn::MicroBatchSize), "1024") << "a count has all its digits";
  entry.variants[0].samples_per_second = 1234.4;
  EXPECT_EQ(cellText(entry, RunColumn::SamplesPerSecond), "1234");
}

TEST(SpeedUp, VsAnotherRunIsOfImagesAndOnlyForLikeWork) {
  RunEntry slow = run("slow", 10), fast = run("fast", 25);
  slow.variants[0].per_sample = logTimesOf({0.1, 0.1, 0.1, 0.1, 0.1});
  fast.variants[0].per_sample = logTimesOf({0.04, 0.04, 0.04, 0.04, 0.04, 0.04});
  fast.work.batch = 64;
  ASSERT_TRUE(speedUpVs(fast, slow));
  EXPECT_NEAR(speedUpVs(fast, slow)->ratio, 2.5, 1e-12);
  EXPECT_EQ(speedUpVs(fast, slow)->word, Ratio::Word::OtherRun);
  EXPECT_EQ(speedUpVs(fast, slow)->repeats, (std::vector<int>{6, 5}));
  fast.work.arch = "resnet50";
  EXPECT_FALSE(speedUpVs(fast, slow).has_value());
  EXPECT_FALSE(speedUpVs(run("none", {}), slow).has_value());
}

TEST(ShortNames, AddTheTimeWhereNamesAreEqual) {
  std::vector<RunEntry> runs = {run("demo-20261122-214712", 1), run("demo-20261122-220101", 1), run("digits", 1)};
  runs[0].experiment = runs[1].experiment = "demo";
  EXPECT_THAT(shortNames(runs), ElementsAre("demo 21:47", "demo 22:01", "digits"));
  runs[1].id = "demo-20261123-214759";
  EXPECT_THAT(shortNames(runs), ElementsAre("demo 21:47:12", "demo 21:47:59", "digits"));
  runs[1].id = "demo-20261124-214712";
  EXPECT_THAT(shortNames(runs), ElementsAre("demo-20261122-214712", "demo-20261124-214712", "digits"));
}

}  // namespace
}  // namespace lanelab
