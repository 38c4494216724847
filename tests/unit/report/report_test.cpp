// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "engine/record/speed_words.h"
#include "engine/report/comparison_text.h"
#include "tests/unit/record/small_records.h"

namespace lanelab {
namespace {

using test::kFast;
using test::kSlow;
using test::notesOnFigures;
using test::recordOf;
using test::slowAndFast;
using test::variantWith;

TEST(Report, HoldsEverythingAndEscapesWhatPeopleWrote) {
  RunRecord record = recordOf({variantWith("<b>Slow</b>", kSlow), variantWith("Fast & \"quick\"", kFast)});
  record.experiment.name = "<script>alert(1)</script>";
  record.environment = {{"host", "a<b"}, {"command", "lanelab-cli run 'x y.json'"}};
  record.warnings = {"3 lanes share 2 cores & mean little."};
  record.variants[0].lanes = {{"cpu:0", "cpu:0", 2.0, 1.5, 0.5, 2048}};
  const std::string html =
      htmlReport(record, {{"Bars", "n = 5 & more", "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>"}});
  for (const char* part : {"<!DOCTYPE html>", "prefers-color-scheme: dark", "@media print", "&lt;b&gt;Slow&lt;/b&gt;",
                           "Fast &amp; &quot;quick&quot;", "a&lt;b", "<svg xmlns", "n = 5 &amp; more",
                           "2 cores &amp; mean", "<td>75.0 %</td>", "<td>25.0 %</td>", "2 KiB", "<details>",
                           "lanelab-cli run &#39;x y.json&#39;", "&quot;batch&quot;: 8", "2.00x faster than"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("<b>Slow"), std::string::npos);
  EXPECT_EQ(html.find("http://", html.find("</svg>")), std::string::npos) << "nothing is fetched from anywhere";
}

TEST(Report, TimesAndLossesOfStepsHaveOneNumberOfDigits) {
  RunRecord record = slowAndFast();
  record.variants.resize(1);
  record.variants[0].repeats = {{0.2, {0.054, 0.0539, 0.1, 12.5}, {0.4, 2.400123, std::nan(""), 0.12}, {}}};
  const std::string html = htmlReport(record, {});
  EXPECT_NE(html.find(">time (ms)</th>"), std::string::npos);
  for (const char* cell : {"54.0", "53.9", "100", "12500", "0.40000", "2.40012", "nan", "0.12000"})
    EXPECT_NE(html.find("<td>" + std::string(cell) + "</td>"), std::string::npos) << cell;
}

std::size_t timesIn(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Report, SaysEachHeadlineCaptionAndNoteOnce) {
  RunRecord record = recordOf({variantWith("A", {1, 1.01, 1.02, 0.99, 1, 3}), variantWith("B", kSlow)});
  record.warnings = {"3 lanes share 2 cores."};
  const std::string html = htmlReport(record, {{"Time per repeat", "Mean of five.", "<svg></svg>"}});
  EXPECT_EQ(timesIn(html, headline(record).message), 1u);
  EXPECT_EQ(timesIn(html, "Mean of five."), 1u);
  EXPECT_EQ(timesIn(html, "Time per repeat.</strong>"), 1u);
  EXPECT_EQ(timesIn(html, "<ul class=\"notes\">"), 1u);
  for (const std::string& note : notesOnFigures(record)) EXPECT_EQ(timesIn(html, note), 1u) << note;
  EXPECT_LT(html.find("<li>Warning: 3 lanes"), html.find("</ul>"));
}

TEST(Report, BeginsWithTheVerdictOnTheRun) {
  RunRecord record = slowAndFast();
  std::string html = htmlReport(record, {});
  EXPECT_EQ(timesIn(html, "These times can be trusted: no drift over 5 repeats."), 1u);
  EXPECT_EQ(timesIn(html, "class=\"headline failed\""), 0u);
  record.variants[0].lanes = {{"cpu:0", "cpu:0"}};
  for (RepeatRecord& repeat : record.variants[0].repeats) repeat.core_shares = {0.25};
  html = htmlReport(record, {});
  EXPECT_EQ(timesIn(html, "Slow cpu:0 had a core for only 25.0 % of its compute time (mean of 5 repeats)"), 1u);
  EXPECT_EQ(timesIn(html, "class=\"headline failed\""), 1u);
}

TEST(Report, HasTheWaterfallOfEachVariantThatHasOne) {
  RunRecord record = slowAndFast();
  EXPECT_EQ(timesIn(htmlReport(record, {}), "this order, with equal stages"), 0u);
  record.variants[1].waterfall = {{Takes::Order, 0.2, 0.25},
                                  {Takes::Phases, 0.2001, 0.2502},
                                  {Takes::Stages, 0.35, 0.54},
                                  {Takes::All, 0.375, 0.6}};
  const std::string html = htmlReport(record, {});
  for (const char* part : {"<h3>Fast, indeed</h3>", "this order, with equal stages and F = I = W", "<td>20.0 %</td>",
                           "with the measured stages", "<td>+15.0</td>", "<td>37.5 %</td>", "<td>+2.5</td>"})
    EXPECT_EQ(timesIn(html, part), 1u) << part;
  EXPECT_EQ(timesIn(html, "with the measured F, I and W"), 0u) << "it changes nothing";
}

TEST(Report, LeavesOutLanesThatTheVariantDoesNotUse) {
  RunRecord record = slowAndFast();
  record.variants[0].lanes = {{"used", "cpu:0", 2.0, 1.5, 0.5, 2048}, {"spare lane", "cpu:1"}};
  const std::string html = htmlReport(record, {});
  EXPECT_EQ(timesIn(html, ">used</td>"), 1u);
  EXPECT_EQ(timesIn(html, ">spare lane</td>"), 0u);
}

TEST(Report, GivesNoRatioWithATimeOfNothing) {
  constexpr const char* kWhy = "no ratio: a repeat took 0 s";
  for (const auto& [first, second] : {std::pair(std::vector<double>(6, 0.0), kFast), std::pair(kSlow, kFast)}) {
    std::vector<double> other = second;
    if (first == kSlow) other[2] = 0;  // one of several
    RunRecord record = recordOf({variantWith("Single", first), variantWith("Pipeline", other)});
    record.unit.tokens = 8;
    EXPECT_EQ(headline(record).message, "Pipeline and Single cannot be compared: a repeat took 0 s.");
    EXPECT_EQ(speedUpText(record.comparison[1].ratio).message, kWhy);
    EXPECT_EQ(timesIn(htmlReport(record, {}), kWhy), 1u);
    EXPECT_NE(comparisonCsv(record).find(",,,,\"no ratio (a repeat took 0 s"), std::string::npos)
        << comparisonCsv(record);
    const std::string json = toJson(record);
    EXPECT_NE(json.find("\"ratio\": null"), std::string::npos);
    for (const std::string& text : {comparisonCsv(record), comparisonTable(record)})
      for (const char* part : {"nan", "inf", "1e-09", "0.00x"}) EXPECT_EQ(text.find(part), std::string::npos) << text;
  }
}

TEST(Report, GivesNoSamplesPerSecondWithoutATime) {
  const RunRecord record = recordOf({variantWith("Single", std::vector<double>(5, 0.0))});
  EXPECT_NE(toJson(record).find("\"images_per_second\": null"), std::string::npos) << toJson(record);
}

TEST(Report, WithoutPicturesItSaysHowToGetThem) {
  EXPECT_NE(htmlReport(slowAndFast(), {}).find("Figures need the desktop part"), std::string::npos);
  RunRecord failed = slowAndFast();
  failed.status = RunStatus::Failed;
  failed.error = "Lane cpu:1 ran out of memory.";
  EXPECT_NE(htmlReport(failed, {}).find("did not end as planned (failed): Lane cpu:1 ran out of memory."),
            std::string::npos);
}

}  // namespace
}  // namespace lanelab
