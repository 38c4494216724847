// SPDX-License-Identifier: GPL-3.0-only
// Time against memory: which points there are, and which of them nothing beats.
#include "engine/advise/memory_curve.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/advise/placement_prediction.h"
#include "engine/schedule/generate.h"
#include "tests/unit/suggestions/measured_world.h"

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

Curve curveOf(const VariantConfig& variant) {
  Experiment experiment = test::resnetOn(2);
  experiment.variants = {variant};
  Curve curve{resolve(experiment), {}};
  const BlockTimes times = estimatedBlockTimes(experiment, curve.resolution->model());
  const auto points = memoryCurve(*curve.resolution, curve.resolution->variants().front(),
                                  [&](const ResolvedVariant& resolved) -> Result<double> {
                                    const auto predicted = predictPlacement(resolved, times);
                                    if (!predicted) return Error::badInput("nothing is predicted");
                                    return predicted->step_seconds;
                                  });
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
  EXPECT_NE(curveTable(curve.points, WindowKind::Step).find("V-Min"), std::string::npos);
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

TEST(MemoryCurve, OfASingleDeviceIsRefused) {
  Experiment experiment = test::resnetOn(1);
  VariantConfig single;
  single.name = "Single";
  experiment.variants = {single};
  const auto resolution = resolve(experiment);
  const auto points = memoryCurve(*resolution, resolution->variants().front(), {});
  ASSERT_FALSE(points.ok());
  EXPECT_NE(points.error().message.find("not a pipeline"), std::string::npos);
}

}  // namespace
}  // namespace lanelab
