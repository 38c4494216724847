// SPDX-License-Identifier: GPL-3.0-only
// Suggestions against planted imbalance and against all single moves, tried one by one.
#include "engine/advise/suggestions.h"

#include "engine/experiment/edits/placement_edits.h"
#include "engine/memory/variant_memory.h"
#include "engine/report/run_notes.h"
#include "engine/schedule/generate.h"
#include "tests/unit/advise/measured_world.h"

namespace lanelab {
namespace {

using test::pipelineCutAt;

/// A run of one variant whose blocks take `costs`.
struct World {
  World(const VariantConfig& variant, int lanes, unsigned seed = 1) : experiment(test::resnetOn(lanes)) {
    experiment.variants = {variant};
    model = test::modelIn(experiment);
    costs = test::randomCosts(model, seed);
  }
  void allAlike() {
    for (BlockCost& block : costs.whole.blocks) block = {block.name, 0.001, 0.002, 0, 0};
  }
  VariantPlan plan() const { return test::planned(experiment, experiment.variants.front()); }
  Result<MeasuredVariant> measured(const LaneProfiles* kept = nullptr) const {
    const VariantPlan own = plan();
    return measuredVariant(test::resolved(experiment), own.name, *test::traceOf(experiment, model, own, costs), kept);
  }
  Suggestions suggestions(const LaneProfiles* kept = nullptr) const {
    const Result<MeasuredVariant> there = measured(kept);
    EXPECT_TRUE(there.ok()) << (there.ok() ? "" : there.error().message);
    return there.ok() ? findSuggestions(*there) : Suggestions{};
  }
  double stepOf(const VariantPlan& plan) const { return simulate(plan.schedule, plan.stages, costs).step_seconds; }

  Experiment experiment;
  ModelSpec model;
  StepCosts costs;
};

const Suggestion* bestMove(const Suggestions& suggestions) {
  const auto found = std::find_if(suggestions.best.begin(), suggestions.best.end(), [](const Suggestion& suggestion) {
    return suggestion.kind == Suggestion::Kind::Move;
  });
  return found == suggestions.best.end() ? nullptr : &*found;
}

TEST(Suggestions, TheSimulationOfTheMeasuredStepIsTheMeasuredStep) {
  const World world(pipelineCutAt({"layer2.2", "layer3.3"}), 3);
  const Result<MeasuredVariant> measured = world.measured();
  ASSERT_TRUE(measured.ok());
  EXPECT_NEAR(measured->predicted_step / measured->measured_step, 1, 1e-5);
}

TEST(Suggestions, TheBlockThatWasPutOnTheWrongLaneGoesBack) {
  World world(pipelineCutAt({"layer3.2"}), 2);
  world.allAlike();  // 18 blocks: 9 and 9 are even, and layer3.1 is the tenth
  const Suggestions suggestions = world.suggestions();
  ASSERT_FALSE(suggestions.best.empty());
  EXPECT_EQ(suggestions.best[0].text.message.substr(0, 30), "Move layer3.1 to cpu:1: predic");
  EXPECT_EQ(suggestions.best[0].variant.cuts, std::vector<std::string>{"layer3.1"});
  EXPECT_EQ(suggestions.best[0].variant.name, "Pipeline (suggested)");
  EXPECT_EQ(suggestions.best[0].variant.suggested_from->of, "Pipeline");
  EXPECT_EQ(suggestions.sentence.message, suggestions.best[0].text.message);
}

TEST(Suggestions, AnEvenPlacementIsLeftAlone) {
  World world(pipelineCutAt({"layer3.1"}), 2);
  world.allAlike();
  const Suggestions suggestions = world.suggestions();
  EXPECT_TRUE(suggestions.best.empty()) << suggestions.best[0].text.message;
  EXPECT_EQ(suggestions.sentence.message,
            "None of the moves of blocks, schedules and steps without a barrier that were tried would be more than 2 % "
            "faster. Not tried, as their "
            "times are not known: other micro-batch sizes and schedules that split the backward.");
  EXPECT_TRUE(suggestions.sizes_not_tried);
  EXPECT_GT(suggestions.tried, 6u);
}

/// Every cut of the variant moved by one to three blocks, the others staying: the shortest step that the true costs
/// give.
double bestOfAllMoves(const World& world) {
  const VariantPlan present = world.plan();
  double best = world.stepOf(present);
  for (std::size_t boundary = 0; boundary + 1 < present.stages.size(); ++boundary) {
    for (int by = -3; by <= 3; ++by) {
      std::vector<Stage> stages = present.stages;
      const int cut = stages[boundary].end.value + by;
      if (cut <= stages[boundary].first.value || cut >= stages[boundary + 1].end.value) continue;
      stages[boundary].end = stages[boundary + 1].first = BlockId(cut);
      best = std::min(best, simulate(present.schedule, stages, world.costs).step_seconds);
    }
  }
  return best;
}

TEST(Suggestions, OfAVariantOfOneStageNothingIsPredicted) {
  VariantConfig single;
  single.name = "Single";
  const Suggestions suggestions = World(single, 1).suggestions();
  EXPECT_EQ(suggestions.sentence.message, "There is nothing to try: Single has one stage.");
  EXPECT_TRUE(suggestions.notes.empty()) << suggestions.notes[0].message;
}

/// Lanes of different threads: no block's time is known on the other one.
World unlikeLanes(Strategy strategy, BatchNormMode batch_norm) {
  VariantConfig variant = pipelineCutAt({"layer3.0"});
  variant.strategy = strategy;
  variant.batch_norm = batch_norm;
  if (strategy == Strategy::ModelParallel) {
    variant.schedule = {};
    variant.split_size.reset();
  }
  World world(variant, 2);
  world.experiment.training.step_barrier = false;
  world.experiment.lanes[1].threads = 2;
  return world;
}

TEST(Suggestions, OfSeveralStagesItIsSaidWhyNothingWasTried) {
  const World parallel = unlikeLanes(Strategy::ModelParallel, BatchNormMode::MicroBatch);
  EXPECT_EQ(
      parallel.suggestions().sentence.message,
      "Nothing was tried: no block of Pipeline can move to another lane, and the times of other micro-batch sizes "
      "are not known.");
  const World together = unlikeLanes(Strategy::Pipeline, BatchNormMode::Synchronised);
  EXPECT_EQ(together.suggestions().sentence.message,
            "There is nothing to try: no block of Pipeline can move to another lane, and other micro-batch sizes and "
            "schedules are not tried with synchronised batch norm.");
  VariantConfig replicas;
  replicas.name = "Replicas";
  replicas.strategy = Strategy::Ddp;
  EXPECT_EQ(World(replicas, 2).suggestions().sentence.message,
            "There is nothing to try: each replica of Replicas has one stage.");
}

TEST(Suggestions, TheBestMoveIsTheBestOfAllMoves) {
  const std::vector<std::vector<std::string>> cuts = {
      {"layer1.1"}, {"layer3.2"}, {"layer1.2", "layer4.0"}, {"layer2.1", "layer3.0", "layer3.4"}};
  int moved = 0;
  for (unsigned seed = 0; seed < 24; ++seed) {
    const auto& own = cuts[seed % cuts.size()];
    const World world(pipelineCutAt(own, seed % 2 == 0 ? ScheduleKind::OneFOneB : ScheduleKind::Gpipe),
                      static_cast<int>(own.size()) + 1, seed);
    const double present = world.stepOf(world.plan());
    const double best = bestOfAllMoves(world);
    const Suggestions suggestions = world.suggestions();
    const Suggestion* const found = bestMove(suggestions);
    if (present / best < 1.0199) {
      EXPECT_EQ(found, nullptr) << seed;
      continue;
    }
    ASSERT_NE(found, nullptr) << seed << ": " << present / best;
    EXPECT_NEAR(found->ratio, present / best, 1e-4) << seed;
    const VariantPlan suggested = test::planned(world.experiment, found->variant);
    EXPECT_NEAR(world.stepOf(suggested), best, 1e-4 * best) << seed << ": what it says is what it changes";
    ++moved;
  }
  EXPECT_GT(moved, 12);
}

TEST(Suggestions, APlacementBlockByBlockIsChangedBlockByBlock) {
  World world(pipelineCutAt({"layer3.2"}), 2);
  world.allAlike();
  VariantConfig& variant = world.experiment.variants.front();
  const VariantPlan plan = world.plan();
  variant.cuts.reset();
  variant.placement.emplace();
  for (std::size_t i = 0; i < world.model.blocks.size(); ++i)
    (*variant.placement)[world.model.blocks[i].name] = plan.placement.lane_of_block[i].value;
  const Suggestions suggestions = world.suggestions();
  ASSERT_FALSE(suggestions.best.empty());
  EXPECT_EQ(suggestions.best[0].variant.placement->at("layer3.1"), 1);
  EXPECT_EQ(suggestions.best[0].variant.placement->at("layer3.0"), 0);
}

TEST(Suggestions, BlocksStayWhereTheOtherLaneIsOfAnotherKind) {
  World world(pipelineCutAt({"layer1.0", "layer3.0"}), 3);
  world.experiment.lanes[2].threads = 4;
  const auto resolution = test::resolved(world.experiment);
  for (const BlockMove& move : blockMoves(resolution->variants().front()))
    EXPECT_EQ(move.words.message.find("lane 2"), std::string::npos) << move.words.message;
}

LaneProfiles keptOf(const World& world, const std::vector<int>& samples, bool parts) {
  LaneProfiles kept;
  kept.profiles.push_back(world.measured()->times);
  BlockProfile& profile = kept.profiles[0];
  const BlockProfile::Size base = profile.sizes[0];
  profile.sizes.clear();
  for (const int size : samples) {
    profile.sizes.push_back(base);
    profile.sizes.back().samples = size;
    for (BlockTiming& block : profile.sizes.back().blocks) {
      const double factor =
          static_cast<double>(size) / base.samples;  // in proportion: smaller micro-batches cost nothing more
      block.forward.median *= factor;
      block.backward.median *= factor;
      if (parts) block.backward_input = block.backward_weight = {block.backward.median / 2, 0, 0, 3};
    }
  }
  kept.of_lane.assign(world.experiment.lanes.size(), 0);
  return kept;
}

TEST(Suggestions, SplitSizesAndSplitBackwardsAreTriedWhereTheirTimesAreKnown) {
  World world(pipelineCutAt({"layer3.1"}, ScheduleKind::OneFOneB, 8), 2);
  world.allAlike();
  const Suggestions poor = world.suggestions();
  ASSERT_EQ(poor.notes.size(), 3u);
  EXPECT_EQ(poor.notes[0].message,
            "Predicted with the block times of this run; the range is of nine measurements in ten.");
  EXPECT_NE(poor.notes[1].message.find("Other micro-batch sizes were not tried"), std::string::npos);
  EXPECT_NE(poor.notes[2].message.find("split the backward"), std::string::npos);
  EXPECT_TRUE(poor.sizes_not_tried);
  const LaneProfiles kept = keptOf(world, {4, 8, 16}, true);
  const Suggestions rich = world.suggestions(&kept);
  ASSERT_EQ(rich.notes.size(), 1u);
  EXPECT_NE(rich.notes[0].message.find("and their proportions in the profile stored on this machine"),
            std::string::npos);
  EXPECT_FALSE(rich.sizes_not_tried);
  for (const Suggestion& suggestion : rich.best) {
    EXPECT_LT(suggestion.range.low, suggestion.ratio);
    EXPECT_GT(suggestion.range.high, suggestion.ratio);
    EXPECT_NE(
        suggestion.text.message.find(isClearChange(suggestion.range) ? " % faster (90 % range " : ": no clear gain ("),
        std::string::npos)
        << suggestion.text.message;
  }
  ASSERT_EQ(rich.best.size(), 2u);
  EXPECT_EQ(rich.best[0].kind, Suggestion::Kind::SplitSize);
  EXPECT_EQ(rich.best[0].variant.split_size, 2) << "half of the smallest measured size, and no further";
  EXPECT_EQ(rich.best[0].text.message.substr(0, 47), "Use micro-batch size 2 (16 micro-batches): pred");
  EXPECT_EQ(rich.best[1].kind, Suggestion::Kind::Schedule);
  EXPECT_TRUE(rich.best[1].variant.schedule == ScheduleKind::ZbH1 ||
              rich.best[1].variant.schedule == ScheduleKind::List)
      << toWord(rich.best[1].variant.schedule);
}

/// As if measured, with block times that know the parts of a backward.
MeasuredVariant measuredWithParts(const World& world, ScheduleKind schedule, bool step_barrier) {
  Experiment experiment = world.experiment;
  experiment.training.step_barrier = step_barrier;
  experiment.variants[0].schedule = schedule;
  MeasuredVariant measured{test::resolved(experiment), nullptr, keptOf(world, {4, 8, 16}, true).profiles[0], 0, 0};
  measured.variant = &measured.resolution->variants().front();
  measured.measured_step = measured.predicted_step = measured.predictor().seconds(measured.plan());
  return measured;
}

TEST(Suggestions, AVariantAboveALimitGetsAChangeThatFitsAndNoneThatDoesNot) {
  World world(pipelineCutAt({"layer3.1"}, ScheduleKind::Gpipe, 4), 2);
  world.allAlike();
  const auto peakOf = [&](const VariantConfig& variant) {
    std::int64_t most = 0;
    for (const LaneForecast& lane : forecastMemory(test::resolved(world.experiment)->with(variant)->variants().front()))
      most = std::max(most, lane.at_peak.total());
    return most;
  };
  const std::int64_t as_it_is = peakOf(world.experiment.variants[0]);
  const auto limited = [&](std::int64_t bytes) {
    for (LaneConfig& lane : world.experiment.lanes) lane.memory_limit_mib = static_cast<double>(bytes) / (1 << 20);
    return findSuggestions(measuredWithParts(world, ScheduleKind::Gpipe, true));
  };
  for (const Suggestion& suggestion : limited(as_it_is).best) {
    EXPECT_NE(suggestion.kind, Suggestion::Kind::Memory) << "it fits as it is";
    EXPECT_LE(peakOf(suggestion.variant), as_it_is) << suggestion.text.message;
  }
  VariantConfig recomputed = world.experiment.variants[0];
  recomputed.recompute = Recompute::Stage;
  const std::int64_t less = peakOf(recomputed);
  ASSERT_LT(less, as_it_is);
  const Suggestions tight = limited(less);
  ASSERT_FALSE(tight.best.empty());
  EXPECT_EQ(tight.best[0].kind, Suggestion::Kind::Memory);
  EXPECT_NE(tight.best[0].text.message.find(" instead of "), std::string::npos) << tight.best[0].text.message;
  EXPECT_EQ(tight.sentence.message, tight.best[0].text.message);
  for (const Suggestion& suggestion : tight.best)
    EXPECT_LE(peakOf(suggestion.variant), less) << suggestion.text.message;
  std::int64_t least = less;
  for (const ScheduleKind kind : knownSchedules()) {
    VariantConfig changed = world.experiment.variants[0];
    setSchedule(world.experiment, test::resolved(world.experiment)->model(), kind, changed);
    changed.recompute = Recompute::Stage;
    if (test::resolved(world.experiment)->with(changed)->variants().front().plan().ok())
      least = std::min(least, peakOf(changed));
  }
  ASSERT_LT(least, less) << "some schedule with several stages a lane takes less";
  const Suggestions tightest = limited(least);
  ASSERT_FALSE(tightest.best.empty());
  EXPECT_EQ(peakOf(tightest.best[0].variant), least) << tightest.best[0].text.message;
  const Suggestions hopeless = limited(1 << 20);
  EXPECT_TRUE(hopeless.best.empty());
  ASSERT_FALSE(hopeless.notes.empty());
  EXPECT_NE(hopeless.notes.back().message.find("no change that was tried fits"), std::string::npos)
      << hopeless.notes.back().message;
}

TEST(Suggestions, TheStepBarrierIsLeftOutWhereThePeriodIsShorterAndOnlyTheFileAsksForIt) {
  World world(pipelineCutAt({"layer3.1"}, ScheduleKind::OneFOneB, 8), 2);
  world.allAlike();
  const auto found = [&](ScheduleKind schedule, bool step_barrier) {
    const Suggestions suggestions = findSuggestions(measuredWithParts(world, schedule, step_barrier));
    const auto one = std::ranges::find(suggestions.best, Suggestion::Kind::StepBarrier, &Suggestion::kind);
    return one == suggestions.best.end() ? std::optional<Suggestion>() : std::optional(*one);
  };
  for (const ScheduleKind schedule : {ScheduleKind::ZbH1, ScheduleKind::List}) {
    const std::optional<Suggestion> suggestion = found(schedule, true);
    ASSERT_TRUE(suggestion) << toWord(schedule);
    EXPECT_EQ(suggestion->variant.step_barrier, false);
    EXPECT_EQ(suggestion->text.message.substr(0, 39), "Run without the step barrier: predicted");
    EXPECT_GT(suggestion->ratio, 1.01);
    const Experiment suggested = withSuggestion(world.experiment, *suggestion);
    EXPECT_EQ(test::resolved(suggested)->variants()[1].stepBarrier(), StepBarrier::None);
    EXPECT_EQ(test::resolved(suggested)->variants()[0].stepBarrier(), StepBarrier::Asked);
    EXPECT_EQ(*parseExperiment(toJson(suggested), "suggested"), suggested);
    EXPECT_FALSE(found(schedule, false)) << "there is none";
  }
  EXPECT_FALSE(found(ScheduleKind::OneFOneB, true)) << "its period is its step";
}

TEST(Suggestions, WithoutAStepBarrierAVariantIsComparedByItsPeriod) {
  World world(pipelineCutAt({"layer3.1"}, ScheduleKind::OneFOneB, 8), 2);
  world.allAlike();
  const MeasuredVariant with = measuredWithParts(world, ScheduleKind::ZbH1, true);
  const MeasuredVariant without = measuredWithParts(world, ScheduleKind::ZbH1, false);
  EXPECT_LT(without.predicted_step, with.predicted_step);
  for (const Suggestion& suggestion : findSuggestions(without).best)
    EXPECT_NEAR(suggestion.ratio, without.predicted_step / suggestion.step_seconds, 1e-12) << suggestion.text.message;
}

TEST(Suggestions, WhatDoesNotFitIsPassedOver) {
  World world(pipelineCutAt({"layer3.2"}), 2);
  world.allAlike();
  const Result<MeasuredVariant> measured = world.measured();
  ASSERT_TRUE(measured.ok());
  const auto machine = [](std::int64_t bytes) {
    return std::vector<DeviceInfo>{{Device::cpu(0), "core", bytes}, {Device::cpu(1), "core", bytes}};
  };
  EXPECT_FALSE(findSuggestions(*measured, machine(std::int64_t{1} << 40)).best.empty());
  EXPECT_TRUE(findSuggestions(*measured, machine(1 << 20)).best.empty());
}

TEST(Suggestions, TimesThatDoNotExplainTheStepPredictNothing) {
  World world(pipelineCutAt({"layer3.2"}), 2);
  Trace trace = *test::traceOf(world.experiment, world.model, world.plan(), world.costs);
  for (Track& track : trace.tracks) {
    if (track.kind != Track::Kind::Step) continue;
    Span step = track.spans[0];
    step.end *= 4;
    track.spans.clear();
    track.spans.push_back(step);
  }
  const Result<MeasuredVariant> measured =
      measuredVariant(test::resolved(world.experiment), "Pipeline", trace, nullptr);
  ASSERT_FALSE(measured.ok());
  EXPECT_NE(measured.error().message.find("were measured"), std::string::npos);
}

/// Each change costs a simulation, so that their number is what the user waits for.
TEST(Suggestions, OfEightLanesTensOfChangesAreTried) {
  World world(pipelineCutAt({"layer1.0", "layer1.2", "layer2.1", "layer2.3", "layer3.1", "layer3.3", "layer4.0"}), 8);
  const LaneProfiles kept = keptOf(world, {1, 2, 4, 8, 16, 32}, true);
  const Result<MeasuredVariant> measured = world.measured(&kept);
  ASSERT_TRUE(measured.ok());
  const Suggestions suggestions = findSuggestions(*measured, {{Device::cpu(0), "core", std::int64_t{1} << 40}});
  EXPECT_GT(suggestions.tried, 20u);
  EXPECT_LT(suggestions.tried, 100u);
}

TEST(Suggestions, AnExperimentTakesTheSuggestedVariantBehindThePresentOneAndIsReadAgain) {
  World world(pipelineCutAt({"layer3.2"}), 2);
  world.allAlike();
  VariantConfig other = world.experiment.variants[0];
  other.name = "Other";
  world.experiment.variants.push_back(other);
  const Suggestions suggestions = world.suggestions();
  ASSERT_FALSE(suggestions.best.empty());
  const Experiment suggested = withSuggestion(world.experiment, suggestions.best[0]);
  ASSERT_EQ(suggested.variants.size(), 3u);
  EXPECT_EQ(suggested.variants[1].name, "Pipeline (suggested)");
  const Result<Experiment> read = parseExperiment(toJson(suggested), "suggested");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, suggested);
  EXPECT_TRUE(test::problemsIn(*read).empty());
}

TEST(SuggestionNotes, ToldPredictedBesideMeasured) {
  World world(pipelineCutAt({"layer3.2"}), 2);
  world.allAlike();
  Suggestion suggestion = world.suggestions().best.at(0);
  suggestion.variant.suggested_from->predicted_ratio = 1.112;
  RunRecord record;
  record.experiment = withSuggestion(world.experiment, suggestion);
  const auto repeats = [](double seconds) {
    std::vector<RepeatRecord> all;
    for (int i = 0; i < 5; ++i) all.push_back({seconds * (1 + 0.001 * i), {seconds}, {0.0}, {}});
    return all;
  };
  for (const auto& [name, seconds] : {std::pair("Pipeline", 1.09), std::pair("Pipeline (suggested)", 1.0)}) {
    VariantRecord variant;
    variant.name = name;
    variant.repeats = repeats(seconds);
    record.variants.push_back(variant);
  }
  const auto outcomes = [&] { return noteSentences(runNotes(record), {RunNote::Kind::Suggestion}); };
  EXPECT_EQ(outcomes(),
            std::vector<std::string>{
                "Pipeline (suggested) (Move layer3.1 to cpu:1): predicted 11 % faster than Pipeline, measured 9 % "
                "faster (95 % CI 8.7 to 9.3 %; 5 repeats each)."});
  record.experiment.variants[1].suggested_from->unclear = true;
  EXPECT_TRUE(
      outcomes()[0].starts_with("Pipeline (suggested) (Move layer3.1 to cpu:1): no clear gain over Pipeline predicted "
                                "(11 %), measured 9 % faster"))
      << outcomes()[0];
  record.variants[1].repeats.resize(2);
  EXPECT_NE(outcomes()[0].find("measured: too few repeats (2 and 5 repeats; an interval needs 5)"), std::string::npos);
  record.variants.pop_back();
  EXPECT_TRUE(outcomes().empty());
}

}  // namespace
}  // namespace lanelab
