// SPDX-License-Identifier: GPL-3.0-only
// Time against memory: which points there are, and which of them nothing beats.
#include "engine/advise/memory_curve.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "engine/advise/curve_measurements.h"
#include "engine/schedule/generate.h"
#include "tests/unit/advise/measured_world.h"

namespace lanelab {
namespace {

struct Curve {
  std::shared_ptr<const Resolution> resolution;
  std::vector<CurvePoint> points;

  const CurvePoint& of(ScheduleKind kind, Recompute recompute) const {
    const auto found = std::ranges::find_if(points, [&](const CurvePoint& point) {
      return point.variant.schedule == kind && point.recompute == recompute;
    });
    EXPECT_NE(found, points.end()) << toWord(kind);
    return found == points.end() ? points.front() : *found;
  }
};

Curve curveOf(const VariantConfig& variant, std::optional<double> limit_mib = {}) {
  Experiment experiment = test::resnetOn(2);
  experiment.variants = {variant};
  for (LaneConfig& lane : experiment.lanes) lane.memory_limit_mib = limit_mib;
  Curve curve{test::resolved(experiment), {}};
  const StepPredictor times(estimatedBlockTimes(experiment, curve.resolution->model()));
  const auto points = memoryCurve(*curve.resolution, curve.resolution->variants().front(), times);
  EXPECT_TRUE(points.ok()) << (points.ok() ? "" : points.error().message);
  if (points.ok()) curve.points = *points;
  return curve;
}

TEST(MemoryCurve, HasEveryScheduleWithEachKindOfRecompute) {
  const Curve curve = curveOf(test::pipelineCutAt({"layer3.0"}));
  std::set<std::pair<ScheduleKind, Recompute>> found;
  for (const CurvePoint& point : curve.points) found.insert({point.variant.schedule, point.recompute});
  EXPECT_EQ(found.size(), 3 * knownSchedules().size());
  EXPECT_EQ(curve.of(ScheduleKind::VMin, Recompute::None).variant.cuts->size(), 3u) << "four stages on two lanes";
}

TEST(MemoryCurve, GpipeTakesMostAndRecomputeBuysMemoryWithTime) {
  const Curve curve = curveOf(test::pipelineCutAt({"layer3.0"}));
  for (const ScheduleKind kind : {ScheduleKind::OneFOneB, ScheduleKind::VHalf, ScheduleKind::VMin})
    EXPECT_LT(curve.of(kind, Recompute::None).peak_bytes, curve.of(ScheduleKind::Gpipe, Recompute::None).peak_bytes)
        << toWord(kind);
  EXPECT_LE(curve.of(ScheduleKind::VMin, Recompute::None).peak_bytes,
            curve.of(ScheduleKind::VHalf, Recompute::None).peak_bytes);
  const CurvePoint &plain = curve.of(ScheduleKind::Gpipe, Recompute::None),
                   &again = curve.of(ScheduleKind::Gpipe, Recompute::Stage);
  const CurvePoint& between = curve.of(ScheduleKind::Gpipe, Recompute::Activations);
  EXPECT_LT(again.peak_bytes, between.peak_bytes);
  EXPECT_LT(between.peak_bytes, plain.peak_bytes);
  EXPECT_GT(again.step_seconds, between.step_seconds);
  EXPECT_GT(between.step_seconds, plain.step_seconds);
}

TEST(MemoryCurve, TheFrontIsWhatNothingBeats) {
  const Curve curve = curveOf(test::pipelineCutAt({"layer3.0"}));
  for (const CurvePoint& point : curve.points) {
    const bool beaten = std::ranges::any_of(curve.points, [&](const CurvePoint& other) {
      const bool no_worse = other.peak_bytes <= point.peak_bytes && other.step_seconds <= point.step_seconds;
      return no_worse && (other.peak_bytes < point.peak_bytes || other.step_seconds < point.step_seconds);
    });
    EXPECT_EQ(point.on_front, !beaten) << toWord(point.variant.schedule) << toWord(point.recompute);
  }
}

TEST(MemoryCurve, KnowsWhichPointTheVariantIs) {
  const Curve curve = curveOf(test::pipelineCutAt({"layer3.0"}));
  for (const CurvePoint& point : curve.points)
    EXPECT_EQ(point.present, point.variant.schedule == ScheduleKind::OneFOneB && point.recompute == Recompute::None)
        << toWord(point.variant.schedule) << toWord(point.recompute);
}

TEST(MemoryCurve, PointsAboveTheLimitOfALaneDoNotFit) {
  const VariantConfig variant = test::pipelineCutAt({"layer3.0"});
  const Curve free = curveOf(variant);
  for (const CurvePoint& point : free.points) EXPECT_TRUE(point.fits);
  const std::int64_t limit = free.points[free.points.size() / 2].peak_bytes;
  const Curve limited = curveOf(variant, static_cast<double>(limit) / (1 << 20));
  ASSERT_EQ(limited.points.size(), free.points.size());
  int fitting = 0;
  for (const CurvePoint& point : limited.points) {
    EXPECT_EQ(point.fits, point.peak_bytes <= limit);
    fitting += point.fits;
  }
  EXPECT_LT(fitting, static_cast<int>(limited.points.size()));
}

/// A run of the variant, five repeats whose median step is 0.3 s, with peaks of 5 and 7 MiB.
RunRecord runOf(const Experiment& experiment) {
  RunRecord record;
  record.id = "a-run";
  record.experiment = experiment;
  VariantRecord variant;
  variant.name = experiment.variants.front().name;
  for (int i = 0; i < 5; ++i) variant.repeats.push_back({0.6, {0.9, 0.3, 0.3}, {}});
  variant.lanes.resize(2);
  variant.lanes[0].peak_bytes = 5 << 20;
  variant.lanes[1].peak_bytes = 7 << 20;
  record.variants = {variant};
  return record;
}

TEST(CurveMeasurements, ARunIsFoundByWhatItDidNotByItsName) {
  const Curve curve = curveOf(test::pipelineCutAt({"layer3.0"}));
  const Experiment open = curve.resolution->experiment();
  struct Row {
    const char* name;
    std::function<void(Experiment&)> change;
    bool found;
  };
  const Row rows[] = {
      {"as it is", [](Experiment&) {}, true},
      {"another name, seed and limit",
       [](Experiment& e) {
         e.variants[0].name = "Mine";
         e.training.seed = 7;
         e.lanes[0].memory_limit_mib = 1;
       },
       true},
      {"recompute said by all",
       [](Experiment& e) {
         e.variants[0].recompute = std::vector<int>{0, 1};
       },
       true},
      {"another cut", [](Experiment& e) { e.variants[0].cuts = std::vector<std::string>{"layer2.0"}; }, false},
      {"another split size", [](Experiment& e) { e.variants[0].split_size = 8; }, false},
      {"another window", [](Experiment& e) { e.variants[0].step_barrier = !e.training.step_barrier; }, false},
      {"one stage recomputed", [](Experiment& e) { e.variants[0].recompute = std::vector<int>{0}; }, false},
      {"another batch", [](Experiment& e) { e.data.batch = 64; }, false},
      {"another layout", [](Experiment& e) { e.training.layout = Layout::Contiguous; }, false},
      {"more threads", [](Experiment& e) { e.lanes[1].threads = 2; }, false}};
  for (const Row& row : rows) {
    Experiment ran = open;
    row.change(ran);
    EXPECT_EQ(measuredPoints(curve.points, runOf(ran)).size(), row.found ? 1u : 0u) << row.name;
  }
}

TEST(CurveMeasurements, TellMedianStepAndHighestPeak) {
  Curve curve = curveOf(test::pipelineCutAt({"layer3.0"}));
  RunRecord record = runOf(curve.resolution->experiment());
  const std::vector<MeasuredPoint> found = measuredPoints(curve.points, record);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(curve.points[found[0].point].present);
  EXPECT_EQ(found[0].step_seconds, 0.3);
  EXPECT_EQ(found[0].repeats, 5);
  EXPECT_EQ(found[0].peak_bytes, 7 << 20);
  EXPECT_EQ(found[0].largest_lane, LaneId(1));
  curve.points[found[0].point].range = ForecastRange{0.25, 0.5};
  const std::string csv = curveCsv(curve.points, found);
  EXPECT_EQ(std::ranges::count(csv, '\n'), static_cast<std::ptrdiff_t>(curve.points.size()) + 1);
  EXPECT_NE(csv.find(",a-run,Pipeline,0.3,5,7340032,0.25,0.5\r\n"), std::string::npos) << csv;
  record.variants[0].lanes.clear();
  EXPECT_TRUE(measuredPoints(curve.points, record).empty()) << "its peak is not known";
}

TEST(MemoryCurve, OfASingleDeviceIsRefused) {
  Experiment experiment = test::resnetOn(1);
  VariantConfig single;
  single.name = "Single";
  experiment.variants = {single};
  const auto resolution = test::resolved(experiment);
  const StepPredictor times(estimatedBlockTimes(experiment, resolution->model()));
  const auto points = memoryCurve(*resolution, resolution->variants().front(), times);
  ASSERT_FALSE(points.ok());
  EXPECT_NE(points.error().message.find("not a pipeline"), std::string::npos);
}

}  // namespace
}  // namespace lanelab
