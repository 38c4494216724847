// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include "engine/record/run_record.h"
#include "engine/report/report.h"
#include "tests/unit/experiment/small_experiment.h"
#include "tests/unit/report/note_of.h"

namespace lanelab {
namespace {

RunRecord recordWithClocks(std::vector<std::vector<RankClock>> variants) {
  RunRecord record;
  record.id = "first";
  record.status = RunStatus::Done;
  record.experiment = test::smallExperiment();
  for (std::vector<RankClock>& clocks : variants) {
    VariantRecord& variant = record.variants.emplace_back();
    variant.name = "variant " + std::to_string(record.variants.size());
    variant.rank_clocks = std::move(clocks);
  }
  return record;
}

std::string rankClockSentence(const RunRecord& record) { return test::noteOf(record, RunNote::Kind::RankClocks); }

TEST(RankClocks, KeepTheNewestOffsetAndTheLargestResidual) {
  std::vector<RankClock> kept;
  retainClocks(kept, {{1, 0, 40}, {2, 7000, 60}});
  retainClocks(kept, {{1, 0, 90}, {2, 7100, 20}});
  EXPECT_EQ(kept, (std::vector<RankClock>{{1, 0, 90}, {2, 7100, 60}}));
}

TEST(RankClocks, AreOneSentenceOverAllVariants) {
  EXPECT_EQ(rankClockSentence(recordWithClocks({{{1, 0, 40'000}, {2, 0, 20'000}}, {}, {{1, 0, 43'500}, {2, 0, 1}}})),
            "The lanes of 3 processes are on one timeline; their clocks agree within 43.5 µs.");
  EXPECT_EQ(rankClockSentence(recordWithClocks({{}, {}})), "");
}

TEST(RankClocks, ComeBackFromTheFileAndStandInTheReport) {
  RunRecord record = recordWithClocks({{{1, -5, 40'000}, {3, 12, 20'000}}, {}});
  const Result<RunRecord> read = parseRunRecord(toJson(record), "run.json");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->variants[0].rank_clocks, record.variants[0].rank_clocks);
  EXPECT_TRUE(read->variants[1].rank_clocks.empty());
  EXPECT_EQ(toJson(recordWithClocks({{}})).find("rank_clocks"), std::string::npos);
  ASSERT_TRUE(refreshStatistics(record).ok());
  EXPECT_NE(htmlReport(record, {}).find("their clocks agree within 40 µs"), std::string::npos);
}

}  // namespace
}  // namespace lanelab
