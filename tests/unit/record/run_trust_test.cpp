// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/run_trust.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/record/combined_runs.h"
#include "tests/unit/record/small_records.h"

namespace lanelab {
namespace {

using test::kFast;
using test::kSlow;
using test::recordOf;
using test::variantWith;
using Kind = TrustReason::Kind;

const std::vector<double> kDrifting = {1.0, 1.05, 1.1, 1.16, 1.2};

/// Five repeats on two lanes that had these shares of a core in each.
RunRecord ranWith(std::vector<double> shares, std::vector<double> seconds = kFast) {
  VariantRecord variant = variantWith("P", std::move(seconds));
  for (RepeatRecord& repeat : variant.repeats) repeat.core_shares = shares;
  variant.lanes.resize(2);
  variant.lanes[0].name = "cpu:0";
  variant.lanes[1].name = "cpu:1";
  return recordOf({variant});
}

std::vector<Kind> kindsOf(const RunTrust& trust) {
  std::vector<Kind> kinds;
  for (const TrustReason& reason : trust.reasons) kinds.push_back(reason.kind);
  return kinds;
}

TEST(RunTrust, OfACalmRunIsOneShortSentence) {
  RunRecord record = ranWith({0.991, 0.9826});
  record.load = MachineLoad{0.1, 2};
  const RunTrust trust = runTrust(record);
  EXPECT_TRUE(trust.reasons.empty());
  EXPECT_EQ(trust.sentence.message,
            "These times can be trusted: lanes had a core for at least 98.3 % of their compute time, no drift over 5 "
            "repeats, no load at the start.");
}

TEST(RunTrust, SaysWhatIsNotKnown) {
  const std::string unknown = "Nothing speaks against these times, but core time, load and drift are not known.";
  EXPECT_EQ(runTrust(recordOf({variantWith("P", {1, 1.1})})).sentence.message, unknown);
  EXPECT_EQ(runTrust(recordOf({variantWith("P", kFast)})).sentence.message,
            "These times can be trusted: no drift over 5 repeats.");
  EXPECT_EQ(runTrust(recordOf({variantWith("P", {})})).sentence.message, "") << "nothing was measured";
}

TEST(RunTrust, NamesTheLanesThatHadNoCore) {
  RunRecord record = ranWith({0.19, 0.9});
  record.variants[0].repeats[4].core_shares = {0.14, 0.9};
  const RunTrust trust = runTrust(record);
  EXPECT_EQ(kindsOf(trust), std::vector{Kind::CoreTime});
  EXPECT_NEAR(trust.reasons[0].number, 0.18, 1e-12);
  EXPECT_EQ(trust.sentence.message,
            "Trust these times with care: in P cpu:0 had a core for only 18.0 % of its compute time (mean of 5 "
            "repeats).");
}

TEST(RunTrust, KnowsCoreTimeOfEarlierVersionsRuns) {
  RunRecord record = ranWith({});
  record.variants[0].lanes[1].busy_seconds = 10;
  record.variants[0].lanes[1].cpu_seconds = 2;
  EXPECT_EQ(runTrust(record).sentence.message,
            "Trust these times with care: in P cpu:1 had a core for only 20.0 % of its compute time (one repeat).");
}

TEST(RunTrust, GivesEveryReasonItsNumber) {
  RunRecord record = ranWith({0.5, 0.5}, kDrifting);
  record.status = RunStatus::Cancelled;
  record.experiment.repeats = 8;
  record.experiment.variants[0].strategy = Strategy::Pipeline;
  record.experiment.variants[0].lanes.reset();
  record.environment = {{"cpu cores", "1"}};
  record.load = MachineLoad{0.75, 1};
  const RunTrust trust = runTrust(record);
  EXPECT_EQ(kindsOf(trust), (std::vector{Kind::Ended, Kind::CoreTime, Kind::SharedCores, Kind::Load, Kind::Drift}));
  EXPECT_EQ(trust.reasons[0].number, 3);
  EXPECT_EQ(trust.reasons[0].text.message, "the run was cancelled with 5 of 8 repeats done");
  EXPECT_EQ(trust.reasons[2].number, 2);
  EXPECT_EQ(trust.reasons[2].text.message, "2 lanes share 1 CPU core in Single");
  EXPECT_EQ(trust.reasons[3].text.message, "other programs used 0.750 of 1 core at the start");
  EXPECT_NEAR(trust.reasons[4].number, 0.2, 0.01);
  for (const TrustReason& reason : trust.reasons)
    EXPECT_NE(trust.sentence.message.find(reason.text.message), std::string::npos) << reason.text.message;
}

TEST(RunTrust, CallsADriftOnlyWhatIsClearAndLarge) {
  struct Case {
    const char* what;
    std::vector<double> seconds;
    bool drifts;
  };
  for (const Case& each :
       std::vector<Case>{{"steady", kSlow, false},
                         {"ever slower", kDrifting, true},
                         {"ever faster", {1.2, 1.16, 1.1, 1.05, 1.0}, true},
                         {"clear, but small", {1, 1.005, 1.01, 1.015, 1.02}, false},
                         {"large, but not clear", {1, 1.4, 0.9, 1.5, 1.2}, false},
                         {"too few repeats", {1, 1.2, 1.4}, false},
                         {"exact", {1, std::exp(0.1), std::exp(0.2), std::exp(0.3), std::exp(0.4)}, true},
                         {"a repeat of no time", {1, 0, 1.2, 1.3, 1.4}, false}}) {
    const std::vector<Kind> kinds = kindsOf(runTrust(recordOf({variantWith("P", each.seconds)})));
    EXPECT_EQ(std::ranges::count(kinds, Kind::Drift), each.drifts ? 1 : 0) << each.what;
  }
}

TEST(RunTrust, OfSeveralRunsHasTheDoubtsOfEach) {
  RunRecord busy = ranWith({0.5, 1}), calm = ranWith({1, 1});
  busy.environment = {{"host", "lab1"}, {"git", "a"}};
  calm.environment = {{"host", "lab2"}, {"git", "b"}};
  std::vector<std::string> warnings;
  const Result<RunRecord> both = combineRuns({{"mon", busy}, {"tue", calm}}, "", warnings);
  ASSERT_TRUE(both.ok());
  EXPECT_EQ(runTrust(*both).sentence.message,
            "Trust these times with care: mon: in P cpu:0 had a core for only 50.0 % of its compute time (mean of 5 "
            "repeats); repeats of different runs were not interleaved, and the runs differ in host (lab1 and lab2).");
  const Result<RunRecord> one = combineRuns({{"mon", busy}}, "", warnings);
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(runTrust(*one).sentence.message, runTrust(busy).sentence.message);
}

}  // namespace
}  // namespace lanelab
