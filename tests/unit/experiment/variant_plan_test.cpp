// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/resolution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "tests/support/resolved.h"
#include "tests/unit/experiment/small_experiment.h"

namespace lanelab {
namespace {

/// ResNet-18 on two lanes, with each strategy once.
Experiment threeVariants() {
  Experiment e;
  e.model = {"resnet18", 10, std::nullopt};
  e.data = {DataSource::Random, {3, 32, 32}, 12, 2, ""};
  e.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}};
  e.variants = {
      {"Single", Strategy::Single, ScheduleKind::Gpipe, {}, std::vector<int>{0}, {}, {}},
      {"Model parallel",
       Strategy::ModelParallel,
       ScheduleKind::Gpipe,
       {},
       {},
       std::vector<std::string>{"layer3.0"},
       {}},
      {"Pipeline", Strategy::Pipeline, ScheduleKind::OneFOneB, 5, {}, std::vector<std::string>{"layer3.0"}, {}}};
  return e;
}

TEST(VariantPlan, EachStrategyGetsItsStagesAndMicroBatches) {
  const Result<std::vector<VariantPlan>> plans = test::plansIn(threeVariants());
  ASSERT_TRUE(plans.ok()) << plans.error().message;
  ASSERT_EQ(plans->size(), 3u);
  const VariantPlan& single = (*plans)[0];
  EXPECT_EQ(single.stages.size(), 1u);
  EXPECT_EQ(single.micro_batches.count(), 1);
  EXPECT_EQ(single.schedule.lanes.size(), 2u);
  EXPECT_TRUE(single.schedule.lanes[1].empty());
  const VariantPlan& parallel = (*plans)[1];
  EXPECT_EQ(parallel.stages.size(), 2u);
  EXPECT_EQ(parallel.micro_batches, (MicroBatches{12, 12}));
  EXPECT_EQ(toCsv(parallel.schedule).find("0F0"), 0u);
  const VariantPlan& pipeline = (*plans)[2];
  EXPECT_EQ(pipeline.schedule_kind, ScheduleKind::OneFOneB);
  EXPECT_EQ(pipeline.micro_batches.count(), 3);
  EXPECT_EQ(pipeline.micro_batches.size(MicroBatchId(2)), 2);
  EXPECT_EQ(pipeline.stages[1].lane, LaneId(1));
}

TEST(VariantPlan, NamesHaveUpTo200Characters) {
  Experiment e = threeVariants();
  std::string wide;
  for (int i = 0; i < 200; ++i) wide += "通";
  e.name = wide;
  e.lanes[0].name = wide;
  e.variants[0].name = wide;
  e.variants[1].name = wide.substr(0, wide.size() - 3) + "道";
  EXPECT_TRUE(test::problemsIn(e).empty());
}

TEST(VariantPlan, DataParallelGivesEachLaneAChunkAndTheFirstTheUpdate) {
  Experiment e = threeVariants();
  e.variants = {{"DataParallel", Strategy::DataParallel, ScheduleKind::Gpipe, {}, {}, {}, {}}};
  const Result<std::vector<VariantPlan>> plans = test::plansIn(e);
  ASSERT_TRUE(plans.ok()) << plans.error().message;
  const VariantPlan& plan = plans->front();
  EXPECT_EQ(plan.replicas(), 2);
  EXPECT_EQ(toCsv(plan.schedule), "0F0,0B0\n0F1,0B1\n");
  EXPECT_TRUE(plan.schedule.first_updates);
  EXPECT_EQ(plan.micro_batches, (MicroBatches{6, 6}));
}

TEST(VariantPlan, DdpRepeatsAPipelineOnTheNextLanes) {
  Experiment e = threeVariants();
  e.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}, {Device::cpu(0), "c", 1}, {Device::cpu(1), "d", 1}};
  e.variants = {{"Ddp", Strategy::Ddp, ScheduleKind::Gpipe, 3, {}, std::vector<std::string>{"layer3.0"}, {}}};
  const Result<std::vector<VariantPlan>> plans = test::plansIn(e);
  ASSERT_TRUE(plans.ok()) << plans.error().message;
  const VariantPlan& plan = plans->front();
  EXPECT_EQ(plan.stages.size(), 2u);
  EXPECT_EQ(plan.micro_batches, (MicroBatches{6, 3}));
  EXPECT_EQ(plan.replica_lanes, (StageLanes{{LaneId(0), LaneId(1)}, {LaneId(2), LaneId(3)}}));
  EXPECT_EQ(toCsv(plan.schedule), "0F0,0F1,0B0,0B1\n1F0,1F1,1B0,1B1\n0F2,0F3,0B2,0B3\n1F2,1F3,1B2,1B3\n");
  EXPECT_FALSE(plan.schedule.first_updates);
}

TEST(VariantPlan, DdpWithReplicasNamedGoesRoundTheLanesOfEach) {
  Experiment e = threeVariants();
  e.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}, {Device::cpu(0), "c", 1}, {Device::cpu(1), "d", 1}};
  e.variants = {{"Ddp",
                 Strategy::Ddp,
                 ScheduleKind::InterleavedOneFOneB,
                 3,
                 {},
                 std::vector<std::string>{"layer2.0", "layer3.0", "layer4.0"},
                 {}}};
  e.variants[0].replicas = 2;
  const Result<std::vector<VariantPlan>> plans = test::plansIn(e);
  ASSERT_TRUE(plans.ok()) << plans.error().message;
  EXPECT_EQ(plans->front().replica_lanes,
            (StageLanes{{LaneId(0), LaneId(1), LaneId(0), LaneId(1)}, {LaneId(2), LaneId(3), LaneId(2), LaneId(3)}}));
}

TEST(VariantPlan, NoCutsIsOneStage) {
  Experiment e = threeVariants();
  e.variants[2].cuts = std::vector<std::string>{};
  const Result<std::vector<VariantPlan>> plans = test::plansIn(e);
  ASSERT_TRUE(plans.ok()) << plans.error().message;
  EXPECT_EQ((*plans)[2].stages.size(), 1u);
  EXPECT_EQ((*plans)[2].micro_batches.count(), 3);
}

TEST(VariantPlan, LanesOfAVariantAreTakenInTheirOrder) {
  Experiment e = threeVariants();
  e.variants[1].lanes = std::vector<int>{1, 0};
  e.variants[0].lanes = std::vector<int>{1};
  const Result<std::vector<VariantPlan>> plans = test::plansIn(e);
  ASSERT_TRUE(plans.ok()) << plans.error().message;
  EXPECT_EQ((*plans)[0].stages[0].lane, LaneId(1));
  EXPECT_EQ((*plans)[1].stages[0].lane, LaneId(1));
  EXPECT_EQ((*plans)[1].stages[1].lane, LaneId(0));
}

TEST(VariantPlan, APlacementBlockByBlockMayComeBackToALane) {
  Experiment e = threeVariants();
  e.variants[1].cuts.reset();
  std::map<std::string, int> placement;
  const ModelSpec model = test::modelIn(e);
  for (const BlockSpec& block : model.blocks) placement[block.name] = block.group == "layer2" ? 1 : 0;
  e.variants[1].placement = placement;
  EXPECT_EQ(test::planned(e, e.variants[1]).stages.size(), 3u);
}

std::vector<std::string> placed(const VariantPlan& plan) {
  std::vector<std::string> texts;
  for (const Stage& stage : plan.stages)
    texts.push_back(std::to_string(stage.first.value) + " on " + std::to_string(stage.lane.value));
  return texts;
}

/// Three cuts, four stages, on the two lanes.
VariantPlan fourStages(
    const std::string& schedule, const std::function<void(VariantConfig&)>& change = [](VariantConfig&) {}) {
  Experiment e = threeVariants();
  VariantConfig& pipeline = e.variants[2];
  pipeline.schedule = *fromWord<ScheduleKind>(schedule);
  pipeline.cuts = std::vector<std::string>{"layer2.0", "layer3.0", "layer4.0"};
  change(pipeline);
  const auto problems = test::problemsIn(e);
  EXPECT_TRUE(problems.empty()) << (problems.empty() ? "" : problems.front().message);
  Result<std::vector<VariantPlan>> plans = test::plansIn(e);
  EXPECT_TRUE(plans.ok());
  return plans.ok() ? (*plans)[2] : VariantPlan{};
}

TEST(VariantPlan, MoreCutsThanLanesGoRoundOrInAV) {
  const std::vector<std::string> round = {"0 on 0", "3 on 1", "5 on 0", "7 on 1"};
  EXPECT_EQ(placed(fourStages("interleaved-1f1b")), round);
  EXPECT_EQ(placed(fourStages("looped-bfs")), round);
  const VariantPlan v = fourStages("zb-v");
  EXPECT_EQ(placed(v), (std::vector<std::string>{"0 on 0", "3 on 1", "5 on 1", "7 on 0"}))
      << "the bottom of the V stays two stages";
  EXPECT_EQ(v.schedule.stages, 4);
  EXPECT_NE(toCsv(v.schedule).find("3W2"), std::string::npos);
  for (const char* name : {"v-half", "v-min", "dualpipe-v", "hanayo"})
    EXPECT_EQ(placed(fourStages(name)), placed(v)) << name;
  EXPECT_EQ(placed(fourStages("interleaved-zb")), round);
}

TEST(VariantPlan, AWarmUpDepthReachesTheSchedule) {
  const auto row = [](const std::optional<int>& depth) {
    Experiment e = threeVariants();
    e.variants[2].warm_up = depth;
    const Result<std::vector<VariantPlan>> plans = test::plansIn(e);
    const std::string csv = toCsv((*plans)[2].schedule);
    return csv.substr(0, csv.find('\n'));
  };
  EXPECT_EQ(row(std::nullopt), "0F0,0F1,0B0,0F2,0B1,0B2");
  EXPECT_EQ(row(1), "0F0,0B0,0F1,0B1,0F2,0B2");
  EXPECT_EQ(row(3), "0F0,0F1,0F2,0B0,0B1,0B2");
}

TEST(VariantPlan, ListPlansByTimesAndWithinALimit) {
  Experiment e = threeVariants();
  VariantConfig& list = e.variants[2];
  list.schedule = ScheduleKind::List;
  list.split_size = 2;
  const auto csv = [&] { return toCsv(test::planned(e, list).schedule); };
  const auto freedBeforeTheSecond = [](const std::string& text) {
    return std::min(text.find("0B0"), text.find("0W0")) < text.find("0F1");
  };
  list.stage_times = std::vector<std::string>{"10:10:10"};
  const std::string even = csv();
  EXPECT_FALSE(freedBeforeTheSecond(even));
  list.stage_times = std::vector<std::string>{"30:5:5", "10:10:10"};
  EXPECT_NE(csv(), even);
  std::int64_t largest = 0;
  const ModelSpec model = test::modelIn(e);
  const std::vector<Stage> stages = test::planned(e, list).stages;
  for (const Stage& stage : stages) largest = std::max(largest, costOf(model, stage).activation_bytes * 2);
  list.activation_limit_mib = static_cast<double>(largest) * 1.5 / (1 << 20);
  EXPECT_TRUE(freedBeforeTheSecond(csv()));
}

TEST(VariantPlan, GivenActionsAreThePlan) {
  Experiment e = threeVariants();
  e.variants[2].actions = std::vector<std::string>{"0F0,0F1,0F2,0B0,0I1,0B2,0W1", "1F0,1B0,,1F1,1F2,1B1,1B2"};
  const Result<std::vector<VariantPlan>> plans = test::plansIn(e);
  ASSERT_TRUE(plans.ok()) << plans.error().message;
  EXPECT_EQ((*plans)[2].schedule_kind, ScheduleKind::Custom);
  EXPECT_EQ(toCsv((*plans)[2].schedule), "0F0,0F1,0F2,0B0,0I1,0B2,0W1\n1F0,1B0,1F1,1F2,1B1,1B2\n");
}

TEST(VariantPlan, ActionsEditedFromAVKeepItsStages) {
  const std::string csv = toCsv(fourStages("zb-v").schedule);
  const std::vector<std::string> rows = {csv.substr(0, csv.find('\n')), csv.substr(csv.find('\n') + 1)};
  for (const char* base : {"zb-v", "custom"}) {
    const VariantPlan plan = fourStages(base, [&](VariantConfig& v) {
      v.actions = std::vector<std::string>{rows[0], rows[1].substr(0, rows[1].size() - 1)};
    });
    EXPECT_EQ(placed(plan), (std::vector<std::string>{"0 on 0", "3 on 1", "5 on 1", "7 on 0"})) << base;
  }
}

TEST(VariantPlan, ABatchNormOfOneValueIsPlannedButNotTrained) {
  Experiment e = threeVariants();
  e.data.shape = {3, 32, 32};
  e.data.batch = 11;  // 5, 5 and 1
  ASSERT_EQ(test::problemsIn(e).size(), 1U);
  EXPECT_EQ(test::problemsIn(e)[0].where, "variants[2].split_size");
  EXPECT_NE(test::problemsIn(e)[0].message.find("layer4.0.bn1 sees an image of 1x1"), std::string::npos)
      << test::problemsIn(e)[0].message;
  EXPECT_TRUE(test::plansIn(e).ok());
  e.data.batch = 1;
  e.variants.resize(1);
  ASSERT_EQ(test::problemsIn(e).size(), 1U);
  EXPECT_EQ(test::problemsIn(e)[0].where, "data.batch");
  e.data.shape = {3, 33, 33};
  EXPECT_TRUE(test::problemsIn(e).empty());
}

struct BadValue {
  const char* name;
  std::function<void(Experiment&)> change;
  const char* where;
  const char* says;
};

void PrintTo(const BadValue& bad, std::ostream* out) { *out << bad.name; }

class BadValues : public testing::TestWithParam<BadValue> {};

TEST_P(BadValues, AreNamedWithPlaceAndFix) {
  Experiment e = threeVariants();
  ASSERT_TRUE(test::problemsIn(e).empty());
  GetParam().change(e);
  const std::vector<ExperimentProblem> problems = test::problemsIn(e);
  ASSERT_FALSE(problems.empty());
  EXPECT_EQ(problems.front().where, GetParam().where) << problems.front().message;
  EXPECT_NE(problems.front().message.find(GetParam().says), std::string::npos) << problems.front().message;
  const Result<std::vector<VariantPlan>> plans = test::plansIn(e);
  ASSERT_FALSE(plans.ok());
  EXPECT_EQ(plans.error().kind, Error::Kind::BadInput);
  EXPECT_EQ(plans.error().message, problems.front().where + ": " + problems.front().message);
}

using Names = std::vector<std::string>;

INSTANTIATE_TEST_SUITE_P(
    VariantPlan, BadValues,
    testing::Values(
        BadValue{"UnknownModel", [](Experiment& e) { e.model.arch = "resnet51"; }, "model.arch", "resnet50"},
        BadValue{"NoClasses", [](Experiment& e) { e.model.classes = 0; }, "model.classes", "from 1"},
        BadValue{"CifarWithoutPath", [](Experiment& e) { e.data.source = DataSource::Cifar10; }, "data.path", "data_batch_1.bin"},
        BadValue{"FolderWithoutPath", [](Experiment& e) { e.data.source = DataSource::Folder; }, "data.path", "for each class"},
        BadValue{"EpochsOfRandomImages", [](Experiment& e) { e.data.epochs = 2; }, "data.epochs", "Use data.steps"},
        BadValue{"NoEpochs", [](Experiment& e) { e.data.source = DataSource::Digits; e.data.epochs = 0; }, "data.epochs", "from 1"},
        BadValue{"FileWithoutPath", [](Experiment& e) { e.data.source = DataSource::File; }, "data.path", "safetensors"},
        BadValue{"EmptyShape", [](Experiment& e) { e.data.shape = {}; }, "data.shape", "such as [3, 64, 64]"},
        BadValue{"NegativeShape", [](Experiment& e) { e.data.shape = {3, -1, 32}; }, "data.shape", "numbers from 1"},
        BadValue{"TwoSides", [](Experiment& e) { e.data.shape = {3, 32}; }, "data.shape", ""},
        BadValue{"BatchZero", [](Experiment& e) { e.data.batch = 0; e.variants.resize(1); }, "data.batch", "from 1"},
        BadValue{"BatchTooLarge", [](Experiment& e) { e.data.batch = 1000000; e.data.shape = {3, 4096, 4096}; }, "data.batch", "256 GiB"},
        BadValue{"NoSteps", [](Experiment& e) { e.data.steps = 0; }, "data.steps", "from 1"},
        BadValue{"NegativeRate", [](Experiment& e) { e.training.lr = -1; }, "training.lr", "0 or more"},
        BadValue{"NanRate", [](Experiment& e) { e.training.lr = std::nan(""); }, "training.lr", "finite"},
        BadValue{"NegativeRateWarmup", [](Experiment& e) { e.training.lr_warmup = -1; }, "training.lr_warmup", "from 0"},
        BadValue{"NoRateSteps", [](Experiment& e) { e.training.lr_step_size = 0; }, "training.lr_step_size", "from 1"},
        BadValue{"NegativeGamma", [](Experiment& e) { e.training.lr_gamma = -1; }, "training.lr_gamma", "0 or more"},
        BadValue{"NegativeRateMinimum", [](Experiment& e) { e.training.lr_min = -1; }, "training.lr_min", "0 or more"},
        BadValue{"NegativeMomentum", [](Experiment& e) { e.training.momentum = -0.1; }, "training.momentum", "0 or more"},
        BadValue{"NegativeDecay", [](Experiment& e) { e.training.weight_decay = -1; }, "training.weight_decay", "0 or more"},
        BadValue{"NesterovAlone", [](Experiment& e) { e.training.nesterov = true; }, "training.nesterov", "momentum above 0"},
        BadValue{"ClippedToNothing", [](Experiment& e) { e.training.clip_grad_norm = 0; }, "training.clip_grad_norm", "must be above 0 and finite, not 0"},
        BadValue{"ClippedToNoNumber", [](Experiment& e) { e.training.clip_grad_norm = std::nan(""); }, "training.clip_grad_norm", "above 0"},
        BadValue{"ClippedNowhere", [](Experiment& e) { e.training.clip_grad_norm = std::numeric_limits<double>::infinity(); }, "training.clip_grad_norm", "finite"},
        BadValue{"SmoothedTooMuch", [](Experiment& e) { e.training.loss = Loss::CrossEntropy; e.training.label_smoothing = 1.1; }, "training.label_smoothing", "from 0 to 1"},
        BadValue{"SmoothedNegatively", [](Experiment& e) { e.training.loss = Loss::CrossEntropy; e.training.label_smoothing = -0.1; }, "training.label_smoothing", "from 0 to 1"},
        BadValue{"SmoothedNumbers", [](Experiment& e) { e.training.label_smoothing = 0.1; }, "training.label_smoothing", "Only cross_entropy"},
        BadValue{"Tf32OnCpu", [](Experiment& e) { e.training.precision = Precision::Tf32; }, "training.precision", "uses cpu:0. Use fp32 or bf16, or cuda lanes"},
        BadValue{"Tf32OfAVariant", [](Experiment& e) { e.variants[2].precision = Precision::Tf32; }, "variants[2].precision", "exists on GPUs only"},
        BadValue{"RecomputeNoStage", [](Experiment& e) { e.variants[2].recompute = std::vector<int>{2}; }, "variants[2].recompute", "has 2"},
        BadValue{"RecomputeBelowZero", [](Experiment& e) { e.variants[2].recompute = std::vector<int>{0, -1}; }, "variants[2].recompute", "no stage -1"},
        BadValue{"RecomputeRuleOff", [](Experiment& e) { e.training.recompute = Recompute::Activations; e.training.rules_off = {Rule::RemadeActivation}; }, "training.recompute", "training.rules_off switches off"},
        BadValue{"RecomputeNoNorms", [](Experiment& e) { e.model.arch = "toy"; e.data.shape = {10}; e.variants.resize(1); e.training.recompute = Recompute::Activations; }, "training.recompute", "which has none"},
        BadValue{"NoLane", [](Experiment& e) { e.lanes.clear(); }, "lanes", "Add one"},
        BadValue{"NoThreads", [](Experiment& e) { e.lanes[0].threads = 0; }, "lanes[0].threads", "from 1"},
        BadValue{"NoVariant", [](Experiment& e) { e.variants.clear(); }, "variants", "Add a variant"},
        BadValue{"Nameless", [](Experiment& e) { e.variants[1].name = " "; }, "variants[1].name", "letter or digit"},
        BadValue{"EmptyName", [](Experiment& e) { e.variants[1].name = ""; }, "variants[1].name", "letter or digit"},
        BadValue{"LongVariantName", [](Experiment& e) { e.variants[1].name = std::string(10'000, 'a'); }, "variants[1].name",
                 "has 10000 characters; at most 200 are allowed. Shorten it."},
        BadValue{"LongExperimentName", [](Experiment& e) { e.name = std::string(201, 'a'); }, "name", "has 201 characters"},
        BadValue{"LongLaneName", [](Experiment& e) { e.lanes[1].name = std::string(201, 'a'); }, "lanes[1].name", "has 201 characters"},
        BadValue{"EscapeInVariantName", [](Experiment& e) { e.variants[1].name = "a\x1b[2J"; }, "variants[1].name",
                 "\"a\\x1b[2J\" holds a control character"},
        BadValue{"NewlineInName", [](Experiment& e) { e.name = "a\nb"; }, "name", "\"a\\nb\" holds a control character"},
        BadValue{"C1InLaneName", [](Experiment& e) { e.lanes[0].name = "a\u0085"; }, "lanes[0].name", "control character"},
        BadValue{"SameFiles", [](Experiment& e) { e.variants[1].name = "SINGLE"; }, "variants[1].name", "same files"},
        BadValue{"CutDataParallel", [](Experiment& e) { e.variants[1].strategy = Strategy::DataParallel; }, "variants[1].cuts", "whole model"},
        BadValue{"SplitDataParallel", [](Experiment& e) { e.variants[0].strategy = Strategy::DataParallel; e.variants[0].split_size = 2; }, "variants[0].split_size", "one chunk for each lane"},
        BadValue{"DdpOfThreeStagesOnTwoLanes", [](Experiment& e) { e.variants[2].strategy = Strategy::Ddp; e.variants[2].cuts = Names{"layer2.0", "layer3.0"}; }, "variants[2].lanes", "not a multiple"},
        BadValue{"DdpOfThreeReplicasOnTwoLanes", [](Experiment& e) { e.variants[2].strategy = Strategy::Ddp; e.variants[2].replicas = 3; }, "variants[2].replicas", "divides the lanes"},
        BadValue{"DdpWithoutSamples", [](Experiment& e) { e.variants[0] = {"Ddp", Strategy::Ddp, ScheduleKind::Gpipe, {}, {}, {}, {}}; e.data.batch = 1; }, "data.batch", "0 samples"},
        BadValue{"DdpOfUnevenMicroBatches", [](Experiment& e) { e.variants[0] = {"Ddp", Strategy::Ddp, ScheduleKind::Gpipe, 1, {}, {}, {}}; e.data.batch = 5; e.variants.resize(1); }, "variants[0].split_size", "3 micro-batches"},
        BadValue{"DdpInBf16", [](Experiment& e) { e.variants[0] = {"Ddp", Strategy::Ddp, ScheduleKind::Gpipe, {}, {}, {}, {}}; e.training.precision = Precision::Bf16; }, "training.precision", "fp32"},
        BadValue{"ScheduleOfSingle", [](Experiment& e) { e.variants[0].schedule = ScheduleKind::OneFOneB; }, "variants[0].schedule", "Leave it out"},
        BadValue{"LoopOfThree", [](Experiment& e) { e.variants[2].schedule = ScheduleKind::LoopedBfs; e.variants[2].cuts = Names{"layer2.0", "layer3.0"}; }, "variants[2].schedule", "multiple of the lanes"},
        BadValue{"VOfTwo", [](Experiment& e) { e.variants[2].schedule = ScheduleKind::ZbV; }, "variants[2].schedule", "twice as many stages as lanes"},
        BadValue{"MoreCutsThanLanes", [](Experiment& e) { e.variants[2].cuts = Names{"layer2.0", "layer3.0"}; }, "variants[2].cuts", "remove cuts or add lanes"},
        BadValue{"WarmUpZero", [](Experiment& e) { e.variants[2].warm_up = 0; }, "variants[2].warm_up", "from 1"},
        BadValue{"WarmUpOfGpipe", [](Experiment& e) { e.variants[2].schedule = ScheduleKind::Gpipe; e.variants[2].warm_up = 2; }, "variants[2].warm_up", "leave it out"},
        BadValue{"WarmUpOfSingle", [](Experiment& e) { e.variants[0].warm_up = 2; }, "variants[0].warm_up", "Leave it out"},
        BadValue{"CustomWithoutActions", [](Experiment& e) { e.variants[2].schedule = ScheduleKind::Custom; }, "variants[2].schedule", "needs actions"},
        BadValue{"ActionsOfSingle", [](Experiment& e) { e.variants[0].actions = Names{"0F0,0B0"}; }, "variants[0].actions", "Leave it out"},
        BadValue{"ActionsTooFew", [](Experiment& e) { e.variants[2].actions = Names{"0F0,0B0", "1F0,1B0"}; }, "variants[2].actions", "0F1 is missing"},
        BadValue{"ActionsTooMany", [](Experiment& e) { e.variants[2].actions = Names{"0F0", "1F0", "2F0"}; }, "variants[2].actions", "3 rows for 2 lanes"},
        BadValue{"ActionsNoCsv", [](Experiment& e) { e.variants[2].actions = Names{"0F0,hello"}; }, "variants[2].actions", "Row 1, cell 2"},
        BadValue{"ActionsStuck", [](Experiment& e) { e.variants[2].split_size = 12; e.variants[2].actions = Names{"0B0,0F0", "1F0,1B0"}; }, "variants[2].actions", "Deadlock"},
        BadValue{"LimitOf1f1b", [](Experiment& e) { e.variants[2].activation_limit_mib = 5; }, "variants[2].activation_limit_mib", "Leave it out"},
        BadValue{"LimitZero", [](Experiment& e) { e.variants[2].schedule = ScheduleKind::List; e.variants[2].activation_limit_mib = 0; }, "variants[2].activation_limit_mib", "above 0"},
        BadValue{"LimitTooSmall", [](Experiment& e) { e.variants[2].schedule = ScheduleKind::List; e.variants[2].activation_limit_mib = 0.001; }, "variants[2].activation_limit_mib", "smaller split size or a larger limit"},
        BadValue{"TimesOf1f1b", [](Experiment& e) { e.variants[2].stage_times = Names{"1:1:1"}; }, "variants[2].stage_times", "Leave them out"},
        BadValue{"TimesNoNumbers", [](Experiment& e) { e.variants[2].schedule = ScheduleKind::List; e.variants[2].stage_times = Names{"1:1"}; }, "variants[2].stage_times", "F:I:W"},
        BadValue{"TimesTooMany", [](Experiment& e) { e.variants[2].schedule = ScheduleKind::List; e.variants[2].stage_times = Names{"1:1:1", "1:1:1", "1:1:1"}; }, "variants[2].stage_times", "3 times for 2 stages"},
        BadValue{"NoSplit", [](Experiment& e) { e.variants[2].split_size.reset(); }, "variants[2].split_size", "needs a split size"},
        BadValue{"SplitZero", [](Experiment& e) { e.variants[2].split_size = 0; }, "variants[2].split_size", "from 1 to 12 (the batch), not 0"},
        BadValue{"SplitAboveBatch", [](Experiment& e) { e.variants[2].split_size = 13; }, "variants[2].split_size", "not 13"},
        BadValue{"SplitOfParallel", [](Experiment& e) { e.variants[1].split_size = 4; }, "variants[1].split_size", "whole batch"},
        BadValue{"TooManyMicroBatches", [](Experiment& e) { e.data.batch = 100000; e.variants[2].split_size = 1; }, "variants[2].split_size", "Make it larger"},
        BadValue{"LaneNotThere", [](Experiment& e) { e.variants[0].lanes = std::vector<int>{2}; }, "variants[0].lanes[0]", "there are 2"},
        BadValue{"LaneTwice", [](Experiment& e) { e.variants[1].lanes = std::vector<int>{1, 1}; }, "variants[1].lanes[1]", "twice"},
        BadValue{"NoLanesListed", [](Experiment& e) { e.variants[1].lanes = std::vector<int>{}; }, "variants[1].lanes", "empty"},
        BadValue{"CutsOfSingle", [](Experiment& e) { e.variants[0].cuts = Names{"layer3.0"}; }, "variants[0].cuts", "Leave cuts"},
        BadValue{"NoCuts", [](Experiment& e) { e.variants[1].cuts.reset(); }, "variants[1].cuts", "needs cuts"},
        BadValue{"UnknownBlock", [](Experiment& e) { e.variants[1].cuts = Names{"layer3.00"}; }, "variants[1].cuts", "layer3.0"},
        BadValue{"CutsOutOfOrder", [](Experiment& e) { e.lanes.push_back({Device::cpu(0), "", 1}); e.variants[1].cuts = Names{"layer3.0", "layer2.0"}; }, "variants[1].cuts", "layer2.0"},
        BadValue{"CutTwice", [](Experiment& e) { e.lanes.push_back({Device::cpu(0), "", 1}); e.variants[1].cuts = Names{"layer3.0", "layer3.0"}; }, "variants[1].cuts", "layer3.0"},
        BadValue{"MoreStagesThanLanes", [](Experiment& e) { e.variants[1].cuts = Names{"layer2.0", "layer3.0"}; }, "variants[1].cuts", "lanes"},
        BadValue{"CutsAndPlacement", [](Experiment& e) { e.variants[1].placement = std::map<std::string, int>{{"stem", 0}}; }, "variants[1].placement", "Keep one"},
        BadValue{"PlacementUnknown", [](Experiment& e) { e.variants[1].cuts.reset(); e.variants[1].placement = std::map<std::string, int>{{"layer9.0", 0}}; }, "variants[1].placement.layer9.0", "not a block"},
        BadValue{"PlacementLane", [](Experiment& e) { e.variants[1].cuts.reset(); e.variants[1].placement = std::map<std::string, int>{{"stem", 5}}; }, "variants[1].placement.stem", "lane 5"},
        BadValue{"PlacementHoles", [](Experiment& e) { e.variants[1].cuts.reset(); e.variants[1].placement = std::map<std::string, int>{{"stem", 0}}; }, "variants[1].placement", "lane for every block"},
        BadValue{"NoRepeats", [](Experiment& e) { e.repeats = 0; }, "repeats", "from 1"},
        BadValue{"NegativeWarmup", [](Experiment& e) { e.warmup = -1; }, "warmup", "from 0"}),
    [](const auto& bad) { return std::string(bad.param.name); });

TEST(VariantPlan, AllProblemsAreToldAtOnce) {
  Experiment e = threeVariants();
  e.data.steps = 0;
  e.training.lr = -1;
  e.variants[2].split_size = 0;
  e.repeats = 0;
  std::vector<std::string> places;
  for (const ExperimentProblem& problem : test::problemsIn(e)) places.push_back(problem.where);
  EXPECT_EQ(places, (std::vector<std::string>{"data.steps", "training.lr", "variants[2].split_size", "repeats"}));
}

TEST(VariantPlan, TheSmallWorldOfTheTestsIsLegal) { EXPECT_TRUE(test::problemsIn(test::smallExperiment()).empty()); }

}  // namespace
}  // namespace lanelab
