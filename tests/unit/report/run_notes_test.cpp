// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/run_notes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/record/small_records.h"

namespace lanelab {
namespace {

using test::kFast;
using test::kSlow;
using test::recordOf;
using test::variantWith;

TEST(RunNotes, BeginWithTheVerdictOnTheRun) {
  RunRecord record = recordOf({variantWith("P", kFast)});
  record.warnings = {"3 lanes share 2 cores."};
  const std::vector<RunNote> notes = runNotes(record);
  ASSERT_FALSE(notes.empty());
  EXPECT_EQ(notes[0], (RunNote{RunNote::Kind::Trust, "", {"These times can be trusted: no drift over 5 repeats."}}));
}

TEST(RunNotes, NameNormsOfFewSamplesWhereTheyMayCostAccuracy) {
  const auto learned = [](const char* name, int split_size, double accuracy) {
    VariantRecord variant = variantWith(name, kFast);
    variant.split_size = split_size;
    EpochResult epoch;
    epoch.accuracy = accuracy;
    variant.repeats.front().epochs = {epoch};
    return variant;
  };
  const auto sentences = [](std::vector<VariantRecord> variants, const char* arch = "resnet18") {
    RunRecord record = recordOf(std::move(variants));
    record.experiment.model.arch = arch;
    record.experiment.data.epochs = 1;
    record.experiment.data.batch = 64;
    return noteSentences(runNotes(record), {RunNote::Kind::Accuracy});
  };
  const std::string sentence =
      "Batch norms of Pipeline normalise 4 samples at a time, those of Single 64, which can cost accuracy: larger "
      "micro-batches, or \"batch_norm\": \"synchronised\", normalise more.";
  const VariantRecord single = learned("Single", 0, 0.95);
  EXPECT_EQ(std::ranges::count(sentences({single, learned("Pipeline", 4, 0.64)}), sentence), 1);
  EXPECT_EQ(std::ranges::count(sentences({single, learned("Pipeline", 4, 0.94)}), sentence), 0) << "it cost nothing";
  EXPECT_EQ(std::ranges::count(sentences({single, learned("Pipeline", 4, 0.64)}, "mlp"), sentence), 0);
}

TEST(RunNotes, SayThatAPipelineLosesToSingle) {
  VariantRecord pipeline = variantWith("Pipeline", kSlow), other = variantWith("Other", kSlow);
  pipeline.strategy = other.strategy = Strategy::Pipeline;
  const RunRecord record = recordOf({other, pipeline, variantWith("Single", kFast)});
  EXPECT_EQ(
      slowerThanSingleText(record, "Pipeline").message,
      "Pipeline is 2.00x slower than Single of the same run (95 % CI 1.99 to 2.01x; 5 repeats each), so one lane alone "
      "does this work faster.");
  EXPECT_EQ(slowerThanSingleText(record, "Single").message, "");
  EXPECT_EQ(slowerThanSingleText(recordOf({pipeline}), "Pipeline").message, "") << "nothing to compare with";
  const auto notes = test::notesOnFigures(record);
  EXPECT_EQ(std::ranges::count(notes, slowerThanSingleText(record, "Pipeline").message), 1);
}

}  // namespace
}  // namespace lanelab
