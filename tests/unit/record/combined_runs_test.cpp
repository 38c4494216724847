// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/combined_runs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "engine/record/comparability.h"
#include "engine/record/speed_words.h"
#include "engine/report/comparison_text.h"
#include "tests/unit/record/small_records.h"

namespace lanelab {
namespace {

using test::kFast;
using test::kSlow;
using test::recordOf;
using test::slowAndFast;
using test::variantWith;

TEST(CombinedRuns, AreNamedAfterTheirFoldersAndRetainTheirImages) {
  RunRecord other = slowAndFast();
  other.experiment.data.batch = 16;
  other.status = RunStatus::Cancelled;
  ASSERT_TRUE(refreshStatistics(other).ok());
  std::vector<std::string> warnings;
  const Result<RunRecord> combined = combineRuns({{"one", slowAndFast()}, {"two", other}}, "two/Slow", warnings);
  ASSERT_TRUE(combined.ok()) << combined.error().message;
  std::vector<std::string> names;
  for (const VariantRecord& variant : combined->variants) names.push_back(variant.name);
  EXPECT_EQ(names, (std::vector<std::string>{"one/Slow", "one/Fast, indeed", "two/Slow", "two/Fast, indeed"}));
  EXPECT_EQ(combined->baseline, "two/Slow");
  EXPECT_NEAR(combined->variants[2].samples_per_second, 16, 1e-9);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0], "two is cancelled; what it measured is compared.");
  EXPECT_EQ(warnings[1],
            "one and two differ in batch 8 and 16, so the time per image is compared, not the time per repeat.");
}

TEST(CombinedRuns, OfUnlikeBatchesAreComparedPerSample) {
  RunRecord twice_as_many = slowAndFast();
  twice_as_many.experiment.data.batch *= 2;
  ASSERT_TRUE(refreshStatistics(twice_as_many).ok());
  std::vector<std::string> warnings;
  const Result<RunRecord> combined =
      combineRuns({{"one", slowAndFast()}, {"two", twice_as_many}}, "one/Slow", warnings);
  ASSERT_TRUE(combined.ok()) << combined.error().message;
  EXPECT_TRUE(combined->per_sample);
  EXPECT_EQ(combined->comparison[2].variant, "two/Slow");
  EXPECT_NEAR(combined->comparison[2].ratio.ratio, 2, 1e-9) << "the same time for twice as many images";
  EXPECT_EQ(combined->comparison[2].ratio.word, Ratio::Word::OtherRun);
  EXPECT_EQ(combined->comparison[1].ratio.word, Ratio::Word::Faster) << "within the run of the baseline";
  EXPECT_EQ(combined->comparison[0].ratio.word, Ratio::Word::Baseline);
  for (const std::string& note : test::notesOnFigures(*combined))
    EXPECT_EQ(note.find("variants are compared"), std::string::npos) << "one interval covers 95 %: " << note;
}

TEST(CombinedRuns, OfDifferentRunsNoneIsCalledFaster) {
  RunRecord monday = recordOf({variantWith("Fast", kFast)}), tuesday = recordOf({variantWith("Fast", kSlow)});
  monday.started = "2026-11-23T07:16:27Z";
  tuesday.started = "2026-11-24T07:16:27Z";
  monday.environment = {{"host", "lab1"}, {"command", "a"}, {"torch", "2.11.0"}};
  tuesday.environment = {{"host", "lab2"}, {"command", "b"}, {"torch", "2.11.0"}};
  std::vector<std::string> warnings;
  const Result<RunRecord> combined = combineRuns({{"mon", monday}, {"tue", tuesday}}, "", warnings);
  ASSERT_TRUE(combined.ok()) << combined.error().message;
  EXPECT_EQ(combined->comparison[1].ratio.word, Ratio::Word::OtherRun);
  EXPECT_EQ(verdictText(combined->comparison[1].ratio).message.rfind("different runs (0.500x, 95 % CI ", 0), 0U);
  EXPECT_EQ(headline(*combined).message.rfind("tue/Fast and mon/Fast are of different runs: ratio of times 0.500x", 0),
            0U)
      << headline(*combined).message;
  ASSERT_EQ(combined->between_runs.size(), 2U);
  EXPECT_EQ(combined->between_runs[0].rfind("Intervals hold within one run only", 0), 0U);
  EXPECT_EQ(combined->between_runs[1], "The runs differ in day (2026-11-23 and 2026-11-24), host (lab1 and lab2).");
  const auto notes = test::notesOnFigures(*combined);
  EXPECT_NE(std::ranges::find(notes, combined->between_runs[1]), notes.end());
}

TEST(CombinedRuns, WithACommonVariantCompareSpeedUps) {
  const std::vector<double> faster = {0.5, 0.502, 0.498, 0.501, 0.499};
  const RunRecord first = recordOf({variantWith("Single", kSlow), variantWith("Pipeline", kFast)});
  const RunRecord second = recordOf({variantWith("Single", kSlow), variantWith("Pipeline", faster)});
  std::vector<std::string> warnings;
  const Result<RunRecord> combined = combineRuns({{"a", first}, {"b", second}}, "", warnings);
  ASSERT_TRUE(combined.ok()) << combined.error().message;
  ASSERT_EQ(combined->between_runs.size(), 2U);
  EXPECT_EQ(combined->between_runs[1].rfind(
                "Relative to Single of its own run, b/Pipeline vs a/Pipeline: 2.00x faster (95 % CI 1.99 to 2.01x", 0),
            0U)
      << combined->between_runs[1];
}

TEST(CombinedRuns, SayOfTheirSamplesWhatIsTrueOfAll) {
  struct Case {
    std::int64_t tokens_a, tokens_b;
    std::string speed, per;
  };
  for (const Case& one :
       {Case{0, 0, "2.00 images/s", "time per image"}, Case{64, 64, "2.00 samples/s, 128 tokens/s", "time per sample"},
        Case{0, 64, "2.00 samples/s", "time per sample"}, Case{32, 64, "2.00 samples/s", "time per sample"}}) {
    RunRecord a = slowAndFast(), b = slowAndFast();
    a.unit = {one.tokens_a};
    b.unit = {one.tokens_b};
    b.experiment.data.batch *= 2;
    std::vector<std::string> warnings;
    const Result<RunRecord> combined = combineRuns({{"a", a}, {"b", b}}, "", warnings);
    ASSERT_TRUE(combined.ok()) << combined.error().message;
    EXPECT_EQ(combined->unit.speedText(2), one.speed);
    EXPECT_NE(warnings.at(0).find(one.per), std::string::npos) << warnings[0];
  }
}

TEST(CombinedRuns, OfAnotherModelAreRefusedUnlessAllowed) {
  RunRecord other = slowAndFast();
  other.experiment.model.arch = "resnet50";
  other.experiment.data.shape = {3, 64, 64};
  const std::vector<LabelledRun> runs{{"one", slowAndFast()}, {"two", other}};
  std::vector<std::string> warnings;
  EXPECT_TRUE(areUnlike(runs));
  const Result<RunRecord> refused = combineRuns(runs, "", warnings);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message,
            "one and two did different work: model toy and resnet50, input size 10 and 3x64x64. Compare runs of one "
            "model and the same data.");
  const Result<RunRecord> allowed = combineRuns(runs, "", warnings, UnlikeRuns::Compare);
  ASSERT_TRUE(allowed.ok());
  EXPECT_TRUE(allowed->per_sample);
}

TEST(Comparability, RunsOfOneExperimentCompareAsTheyAre) {
  const Experiment experiment = test::smallExperiment();
  Experiment other = experiment;
  other.training.lr *= 2;
  other.repeats += 1;
  EXPECT_EQ(comparability(workOf(experiment), workOf(other)).kind, Comparability::Kind::Same);
  EXPECT_EQ(settingsThatDiffer(experiment, experiment), std::vector<SettingDifference>());
}

TEST(Comparability, SettingsThatDifferAreNamedByTheirKeysInTheFile) {
  Experiment a = test::smallExperiment();
  Experiment b = a;
  b.training.lr = 0.5;
  b.lanes[1].device = Device::cpu(3);
  b.variants[0].name = "One lane";
  b.variants.push_back(a.variants[0]);
  b.variants[1].lanes = std::vector<int>{1};
  const std::vector<SettingDifference> expected = {{"training.lr", exactNumber(a.training.lr), "0.5"},
                                                   {"lanes[1].device", "cpu:1", "cpu:3"},
                                                   {"variants.Single.lanes", "[0]", "[1]"},
                                                   {"variants.One lane", "", "present"}};
  EXPECT_EQ(settingsThatDiffer(a, b), expected);
}

TEST(CombinedRuns, TheBaselineMayBeShortWhereItIsClear) {
  std::vector<std::string> warnings;
  const auto runs = [] {
    return std::vector<LabelledRun>{{"one", recordOf({variantWith("A", kSlow), variantWith("Only", kFast)})},
                                    {"two", recordOf({variantWith("A", kFast)})}};
  };
  EXPECT_EQ(combineRuns(runs(), "Only", warnings)->baseline, "one/Only");
  EXPECT_EQ(combineRuns(runs(), "", warnings)->baseline, "one/A");
  EXPECT_EQ(combineRuns(runs(), "A", warnings).error().message, "\"A\" is in several runs. Choose one/A or two/A.");
  EXPECT_NE(combineRuns(runs(), "B", warnings).error().message.find("There is no variant \"B\""), std::string::npos);
  EXPECT_FALSE(combineRuns({}, "", warnings).ok());
}

}  // namespace
}  // namespace lanelab
