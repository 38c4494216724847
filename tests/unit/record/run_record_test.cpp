// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/run_record.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/json_text.h"
#include "base/text.h"
#include "engine/record/environment.h"
#include "engine/record/run_store.h"
#include "engine/record/run_tables.h"
#include "engine/record/run_trust.h"
#include "engine/record/speed_words.h"
#include "engine/report/comparison_text.h"
#include "engine/report/report.h"
#include "engine/report/run_notes.h"
#include "tests/unit/record/small_records.h"
#include "tests/unit/report/note_of.h"

namespace lanelab {
namespace {

using test::kFast;
using test::kSlow;
using test::notesOnFigures;
using test::recordOf;
using test::slowAndFast;
using test::variantWith;

TEST(RunRecordJson, HasTheKeysThatScriptsRead) {
  const Result<Json> json = parseJsonText(toJson(slowAndFast()), "run.json");
  ASSERT_TRUE(json.ok());
  for (const char* key : {"schema", "id", "status", "experiment", "environment", "variants", "comparison"})
    EXPECT_TRUE(json->contains(key)) << key;
  const Json& variant = (*json)["variants"][1];
  for (const char* key : {"name", "strategy", "stages", "split_size", "micro_batches", "repeats", "summary", "lanes"})
    EXPECT_TRUE(variant.contains(key)) << key;
  for (const char* key : {"seconds", "step_seconds", "losses"}) EXPECT_TRUE(variant["repeats"][0].contains(key)) << key;
  for (const char* key : {"n", "mean", "std", "median", "ci95", "images_per_second"})
    EXPECT_TRUE(variant["summary"].contains(key)) << key;
  EXPECT_EQ((*json)["comparison"]["baseline"], "Slow");
  const Json& row = (*json)["comparison"]["variants"][1];
  EXPECT_EQ(row["name"], "Fast, indeed");
  EXPECT_NEAR(row["ratio"].get<double>(), 2.0, 0.01);
  EXPECT_EQ(row["ci95"].size(), 2u);
  EXPECT_EQ(row["verdict"].get<std::string>().rfind("faster (2.00x", 0), 0u);
}

RunRecord withMemory() {
  RunRecord record = slowAndFast();
  LaneRecord lane;
  lane.name = "left";
  lane.device = "cpu:0";
  lane.peak_bytes = 4096;
  lane.forecast = {1024, 512, 256, 2048, 128, 64};
  record.variants[0].lanes = {lane};
  return record;
}

TEST(RunRecordJson, KeepsTheForecastBesideTheMeasuredPeak) {
  const RunRecord record = withMemory();
  const Result<Json> json = parseJsonText(toJson(record), "run.json");
  ASSERT_TRUE(json.ok());
  const Json& lane = (*json)["variants"][0]["lanes"][0];
  EXPECT_EQ(lane["peak_bytes"], 4096);
  EXPECT_EQ(lane["forecast_bytes"], 4032);
  EXPECT_EQ(lane["forecast"]["activations"], 2048);
  const Result<RunRecord> back = parseRunRecord(toJson(record), "run.json");
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->variants[0].lanes[0].forecast, record.variants[0].lanes[0].forecast);
}

TEST(RunRecordJson, TellsHowLongALanesThreadHadACoreOrThatItIsNotKnown) {
  RunRecord record = withMemory();
  const auto written = [&] {
    return (*parseJsonText(toJson(record), "run.json"))["variants"][0]["lanes"][0]["cpu_seconds"];
  };
  EXPECT_TRUE(written().is_null());
  record.variants[0].lanes[0].cpu_seconds = 0.75;
  EXPECT_EQ(written(), 0.75);
  const Result<RunRecord> back = parseRunRecord(toJson(record), "run.json");
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->variants[0].lanes[0].cpu_seconds, 0.75);
}

TEST(RunTables, ShowTheForecastItsPartsAndItsError) {
  const std::string table = memoryTable(withMemory());
  EXPECT_NE(table.find("Slow, left"), std::string::npos) << table;
  EXPECT_NE(table.find("3.94 KiB"), std::string::npos) << table;
  EXPECT_NE(table.find("-1.6 %"), std::string::npos) << table;
  EXPECT_EQ(memoryTable(slowAndFast()), "");
  EXPECT_NE(htmlReport(withMemory(), {}).find("3.94 KiB (-1.6 %)"), std::string::npos);
}

TEST(RunRecordJson, KeepsEpochsAndTheImagesOfARepeat) {
  RunRecord record = recordOf({variantWith("A", {1, 1})});
  record.experiment.data.source = DataSource::Digits;
  record.experiment.data.epochs = 2;
  record.samples = 30;
  record.variants[0].repeats[0].epochs = {{2.5, 0.25, 2.25, 0.5}, {1.5, 0.75, std::nullopt, std::nullopt}};
  ASSERT_TRUE(refreshStatistics(record).ok());
  EXPECT_DOUBLE_EQ(record.variants[0].samples_per_second, 30);
  const Result<RunRecord> read = parseRunRecord(toJson(record), "run.json");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->samples, 30);
  EXPECT_EQ(read->variants[0].repeats[0].epochs, record.variants[0].repeats[0].epochs);
  EXPECT_TRUE(read->variants[0].repeats[1].epochs.empty());
  EXPECT_EQ(epochsCsv(*read),
            "variant,repeat,epoch,loss,accuracy,validation_loss,validation_accuracy\r\nA,0,0,2.5,0.25,2.25,0.5\r\nA,0,"
            "1,1.5,0.75,,\r\n");
  EXPECT_DOUBLE_EQ(finalAccuracy(read->variants[0])->value(), 0.75);
  record.variants[0].repeats[1].epochs = {{2.5, 0.25, 2.25, 0.5}};
  EXPECT_DOUBLE_EQ(finalAccuracy(record.variants[0])->value(), 0.5) << "of training, as one has no validation";
  EXPECT_FALSE(finalAccuracy(variantWith("A", {1, 1})));
  EXPECT_EQ(test::noteOf(*read, RunNote::Kind::Accuracy), "Accuracy after 2 epochs, measured: A 75.0 % in training.");
  EXPECT_EQ(test::noteOf(recordOf({variantWith("A", {1, 1})}), RunNote::Kind::Accuracy), "");
}

TEST(RunRecordJson, BelowFiveRepeatsTheIntervalIsNull) {
  const Result<Json> json =
      parseJsonText(toJson(recordOf({variantWith("A", {1, 2, 3, 4}), variantWith("B", {})})), "run.json");
  ASSERT_TRUE(json.ok());
  EXPECT_TRUE((*json)["variants"][0]["summary"]["ci95"].is_null());
  EXPECT_NEAR((*json)["variants"][0]["summary"]["std"].get<double>(), 1.2909944487, 1e-9);
  EXPECT_TRUE((*json)["variants"][1]["summary"]["mean"].is_null()) << "nothing measured is not zero";
  EXPECT_TRUE((*json)["comparison"]["variants"][1]["ratio"].is_null());
}

TEST(RunRecordJson, StatisticsFollowFromTheRepeatsWhateverTheFileSays) {
  std::string text = toJson(slowAndFast());
  const std::size_t at = text.find("\"mean\": 2");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 9, "\"mean\": 7");
  const Result<RunRecord> record = parseRunRecord(text, "run.json");
  ASSERT_TRUE(record.ok()) << record.error().message;
  EXPECT_NEAR(record->variants[0].summary.mean, 2.0, 1e-12);
}

TEST(RunRecordJson, KeepsHowAVariantTrained) {
  RunRecord record = slowAndFast();
  record.variants[1].stages = 3;
  record.variants[1].modes = {
      Precision::Bf16, BatchNormMode::Deferred, {Recompute::Stage, Recompute::None, Recompute::Stage}};
  const std::string text = toJson(record);
  const Result<RunRecord> back = parseRunRecord(text, "run.json");
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->variants[1].modes, record.variants[1].modes);
  EXPECT_EQ(parseJsonText(text, "run.json").value()["variants"][1]["recompute"], Json::array({0, 2}));
  EXPECT_EQ(notesOnFigures(*back),
            std::vector<std::string>{
                "Fast, indeed trains with bf16, deferred batch norm, forward of stages 0 and 2 recomputed."});
}

TEST(RunRecordJson, RecomputedActivationsHaveAKeyOfTheirOwn) {
  RunRecord record = slowAndFast();
  record.variants[1].stages = 2;
  record.variants[1].modes.recompute = {Recompute::Activations, Recompute::Activations};
  const std::string text = toJson(record);
  const Json variant = parseJsonText(text, "run.json").value()["variants"][1];
  EXPECT_EQ(variant["recompute"], Json::array()) << "stages, as ever";
  EXPECT_EQ(variant["recompute_activations"], true);
  const Result<RunRecord> back = parseRunRecord(text, "run.json");
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->variants[1].modes, record.variants[1].modes);
}

TEST(Comparison, TheBaselineCanBeChosenAndMustExist) {
  RunRecord record = slowAndFast();
  ASSERT_TRUE(refreshStatistics(record, "Fast, indeed").ok());
  EXPECT_EQ(record.comparison[0].ratio.word, Ratio::Word::Slower);
  EXPECT_EQ(verdictText(record.comparison[1].ratio).message, "baseline");
  const Status unknown = refreshStatistics(record, "Nobody");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().message, "There is no variant \"Nobody\" to compare with. Choose Slow or Fast, indeed.");
  EXPECT_EQ(record.baseline, "Fast, indeed") << "a wrong name changes nothing";
}

TEST(Comparison, TheTableReadsLikeThis) {
  EXPECT_EQ(comparisonTable(slowAndFast()),
            "variant       n  mean (s)  std (s)  median (s)    95 % CI (s)  images/s  Speed-up vs Slow (95 % CI)\n"
            "Slow          5      2.00  0.00791        2.00   1.99 to 2.01      8.00  baseline\n"
            "Fast, indeed  5      1.00  0.00395        1.00  0.995 to 1.00      16.0  2.00x (1.99 to 2.01)\n");
}

TEST(Comparison, OfNetworksOfTokensHasSamplesAndTokens) {
  RunRecord record = slowAndFast();
  record.unit = {128};
  EXPECT_EQ(
      comparisonTable(record),
      "variant       n  mean (s)  std (s)  median (s)    95 % CI (s)  samples/s  tokens/s  Speed-up vs Slow (95 % CI)\n"
      "Slow          5      2.00  0.00791        2.00   1.99 to 2.01       8.00      1024  baseline\n"
      "Fast, indeed  5      1.00  0.00395        1.00  0.995 to 1.00       16.0      2048  2.00x (1.99 to 2.01)\n");
  const Result<RunRecord> back = parseRunRecord(toJson(record), "run.json");
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->unit, record.unit);
  EXPECT_EQ(toJson(slowAndFast()).find("tokens_per_sample"), std::string::npos);
}

TEST(SampleUnit, IsAnImageOnlyIfShapedLikeOne) {
  ModelSpec model;
  const struct {
    Shape input;
    const char* text;
    const char* word;
  } kCases[] = {{{3, 8, 8}, "12.0 images/s", "image"},
                {{1, 28, 28}, "12.0 images/s", "image"},
                {{10}, "12.0 samples/s", "sample"},
                {{64, 32}, "12.0 samples/s", "sample"},
                {{4, 3, 8, 8}, "12.0 samples/s", "sample"}};
  for (const auto& c : kCases) {
    model.input = c.input;
    EXPECT_EQ(SampleUnit::of(model).speedText(12), c.text);
    EXPECT_EQ(SampleUnit::of(model).word(), c.word);
  }
}

TEST(SampleUnit, OfOthersStaysInFiles) {
  RunRecord record = slowAndFast();
  record.unit = {.others = true};
  const Result<RunRecord> back = parseRunRecord(toJson(record), "run.json");
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->unit, record.unit);
  record.unit = {};
  EXPECT_EQ(toJson(record).find("samples_are_images"), std::string::npos);
  record.experiment.data.shape = {10};
  EXPECT_TRUE(parseRunRecord(toJson(record), "run.json")->unit.others) << "of a version that did not write it";
}

TEST(SampleUnit, IsSoManyTokens) {
  ModelSpec model;
  model.input = {64};
  model.vocabulary = 100;
  EXPECT_EQ(SampleUnit::of(model).speedText(2), "2.00 samples/s, 128 tokens/s");
}

TEST(Comparison, TheCsvQuotesNames) {
  const std::string csv = comparisonCsv(slowAndFast());
  EXPECT_EQ(csv.substr(0, csv.find("\r\n")),
            "variant,strategy,stages,split_size,micro_batches,n,mean_s,std_s,median_s,ci95_low_s,ci95_high_s,images_"
            "per_second,ratio,ratio_ci95_low,"
            "ratio_ci95_high,verdict");
  EXPECT_NE(csv.find("\r\n\"Fast, indeed\",single,1,8,1,5,1,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\"faster (2.00x, 95 % CI 1.99 to 2.01, n = 5/5)\"\r\n"), std::string::npos) << csv;
}

TEST(Comparison, TheHeadlineSaysWhatCanBeSaid) {
  struct Case {
    RunRecord record;
    const char* says;
  };
  for (const Case& c : std::vector<Case>{
           {slowAndFast(), "Fast, indeed is 2.00x faster than Slow (95 % CI 1.99 to 2.01x; 5 repeats each)."},
           {recordOf({variantWith("A", kSlow), variantWith("B", kSlow)}),
            "No clear difference between B and A (95 % CI of the speed-up 0.994 to 1.01x; 5 repeats each show "
            "differences of 2 % and more)."},
           {recordOf({variantWith("A", kFast), variantWith("B", kSlow)}),
            "B is 2.00x slower than A (95 % CI 1.99 to 2.01x; 5 repeats each)."},
           {recordOf({variantWith("A", {2, 2}), variantWith("B", {1})}),
            "Too few repeats to compare B and A (1 and 2 repeats; an interval needs 5)."},
           {recordOf({variantWith("A", kSlow)}), "A takes 2 s per repeat (5 repeats)."},
           {recordOf({variantWith("A", kSlow), variantWith("B", {})}), "A takes 2 s per repeat (5 repeats)."},
           {recordOf({}), "Nothing was measured."}}) {
    EXPECT_EQ(headline(c.record).message, c.says);
  }
}

TEST(Comparison, TheFastestThatIsClearMakesTheHeadline) {
  const RunRecord record =
      recordOf({variantWith("A", kSlow), variantWith("Crawl", {9, 9, 9, 9, 9.1}), variantWith("B", kFast)});
  EXPECT_EQ(headline(record).message.rfind("B is 2.00x faster than A", 0), 0u) << headline(record).message;
}

TEST(Comparison, NotesTellOutliersSpreadAndSeveralComparisons) {
  const RunRecord record =
      recordOf({variantWith("A", {1, 1.01, 1.02, 0.99, 1, 3}), variantWith("B", {1, 1.3, 1.6, 0.9, 1.1}),
                variantWith("C", kFast), variantWith("D", {1, 1})});
  std::string all;
  for (const std::string& note : notesOnFigures(record)) all += note + "\n";
  for (const char* part :
       {"A: 1 of 6 repeats is beyond 3 interquartile ranges; it is included.", "B: the interquartile range is",
        "D: an interval needs 5 repeats; there are 2.", "2 variants are compared with A"}) {
    EXPECT_NE(all.find(part), std::string::npos) << all;
  }
  EXPECT_TRUE(notesOnFigures(slowAndFast()).empty());
}

TEST(RunRecordJson, KeepsLoadCoreTimeAndWaterfall) {
  RunRecord record = recordOf({variantWith("P", kFast)});
  const Result<RunRecord> plain = parseRunRecord(toJson(record), "run.json");
  ASSERT_TRUE(plain.ok()) << plain.error().message;
  EXPECT_FALSE(plain->load);
  EXPECT_TRUE(plain->variants[0].repeats[0].core_shares.empty());
  record.load = MachineLoad{1.25, 2};
  record.variants[0].repeats[1].core_shares = {0.5, 0};
  record.variants[0].waterfall = {{Takes::Order, 0.2, 0.25}, {Takes::All, 0.5, 1}};
  const std::string json = toJson(record);
  const Result<RunRecord> back = parseRunRecord(json, "run.json");
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->load, record.load);
  EXPECT_EQ(back->variants[0].repeats[1].core_shares, (std::vector<double>{0.5, 0}));
  ASSERT_EQ(back->variants[0].waterfall.size(), 2U);
  EXPECT_EQ(back->variants[0].waterfall[1].takes, Takes::All);
  EXPECT_EQ(back->variants[0].waterfall[1].of_total, 0.5);
  EXPECT_EQ((*parseJsonText(json, "run.json"))["trust"]["sentence"], runTrust(record).sentence.message);
}

TEST(RunNotes, AreOneListByKind) {
  RunRecord record = recordOf({variantWith("A", {1, 1}), variantWith("B", kSlow)});
  record.experiment.data.epochs = 2;
  record.variants[0].repeats[0].epochs = {{0.5, 0.75, {}, {}, 9}};
  record.variants[1].modes.recompute = {Recompute::Stage};
  record.variants[1].gpu.emplace();
  record.warnings = {"3 lanes share 2 cores."};
  const std::vector<RunNote> notes = runNotes(record);
  using enum RunNote::Kind;
  std::vector<RunNote::Kind> kinds;
  for (const RunNote& note : notes) kinds.push_back(note.kind);
  EXPECT_EQ(kinds, (std::vector<RunNote::Kind>{Trust, Warning, Accuracy, Modes, Statistics, GpuActivity}));
  EXPECT_EQ(notes[3].variant, "B");
  EXPECT_EQ(notes[4], (RunNote{Statistics, "A", {"A: an interval needs 5 repeats; there are 2."}}));
  EXPECT_EQ(noteSentences(notes, {Statistics, Warning}),
            (std::vector<std::string>{"A: an interval needs 5 repeats; there are 2.", "3 lanes share 2 cores."}));
}

TEST(Environment, NoFactIsEmpty) {
  std::set<std::string> keys;
  for (const auto& [key, value] : environmentFacts()) {
    EXPECT_FALSE(value.empty()) << key;
    keys.insert(key);
  }
  for (const char* key : {"lanelab", "git", "compiler", "host", "system", "cpu", "cores", "memory", "OMP_NUM_THREADS",
                          "CUDA_VISIBLE_DEVICES"})
    EXPECT_TRUE(keys.contains(key)) << key;
}

}  // namespace
}  // namespace lanelab
