// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/annotation_numbers.h"

#include <gtest/gtest.h>

#include "profiler/io/build/rank_place.h"

namespace lanelab {
namespace {

constexpr WorkPart kF{JobWork::Compute, Phase::Forward}, kB{JobWork::Compute, Phase::Backward},
    kU{JobWork::Compute, Phase::Update}, kR{JobWork::Receive, Phase::Forward}, kS{JobWork::Send, Phase::Backward};

/// One after the other, a name each kind; -1: not told.
struct Told {
  WorkPart part;
  int step = -1, stage = -1, micro_batch = -1;
};

std::vector<Annotation> annotated(const std::vector<Told>& all) {
  static const NamedWork work{{kF}, {}, GroupKind::Unknown, false, {}};
  std::vector<Annotation> annotations;
  for (const Told& told : all) {
    Annotation one;
    one.is = &work;
    one.part = told.part;
    one.span.start = static_cast<Nanoseconds>(annotations.size()) * 10;
    one.span.end = one.span.start + 10;
    one.span.name = static_cast<std::uint32_t>(told.part.phase) + 8U * static_cast<std::uint32_t>(told.part.work) +
                    64U * static_cast<std::uint32_t>(told.micro_batch + 1);
    one.span.step = told.step;
    one.span.stage = static_cast<std::int16_t>(told.stage);
    one.span.micro_batch = static_cast<std::int16_t>(told.micro_batch);
    annotations.push_back(one);
  }
  return annotations;
}

/// "step:stage:micro-batch" of each.
std::string textOf(const std::vector<Annotation>& annotations) {
  std::string text;
  for (const Annotation& one : annotations)
    text += (text.empty() ? "" : " ") + std::to_string(one.span.step) + ":" + std::to_string(one.span.stage) + ":" +
            std::to_string(one.span.micro_batch);
  return text;
}

std::string numbered(const std::vector<Told>& all, const std::vector<StepWindow>& marked, int stage) {
  std::vector<Annotation> annotations = annotated(all);
  setSteps(annotations, marked);
  setPasses(annotations, stage);
  return textOf(annotations);
}

TEST(AnnotationNumbers, FollowTheOrderWhereNothingTellsThem) {
  EXPECT_EQ(numbered({{kF}, {kF}, {kB}, {kS}, {kB}, {kU}, {kS}, {kR}, {kF}, {kB}, {kU}}, {}, 3),
            "0:3:0 0:3:1 0:3:0 0:3:-1 0:3:1 0:3:-1 0:3:-1 1:3:-1 1:3:0 1:3:0 1:3:-1");
}

TEST(AnnotationNumbers, CountEachStageByItself) {
  EXPECT_EQ(numbered({{kF, -1, 0}, {kF, -1, 2}, {kF, -1, 0}, {kB, -1, 2}}, {}, 0), "0:0:0 0:2:0 0:0:1 0:2:0");
}

TEST(AnnotationNumbers, OfNamesWithMicroBatchesCountTheirSteps) {
  EXPECT_EQ(numbered({{kF, -1, 0, 5}, {kB, -1, 0, 5}, {kF, -1, 0, 5}, {kB, -1, 0, 5}}, {}, 0),
            "0:0:5 0:0:5 1:0:5 1:0:5");
}

TEST(AnnotationNumbers, OfMovesAreThoseOfThePassesBesideThem) {
  EXPECT_EQ(
      numbered({{kR}, {kF, -1, 0, 0}, {kR}, {kF, -1, 0, 1}, {kB, -1, 0, 0}, {kS}, {kR}, {kF, -1, 0, 0}, {kS}, {kU}}, {},
               0),
      "0:0:-1 0:0:0 0:0:-1 0:0:1 0:0:0 0:0:-1 1:0:-1 1:0:0 0:0:-1 0:0:-1");
}

TEST(AnnotationNumbers, AreThoseOfMarkedSteps) {
  EXPECT_EQ(numbered({{kF}, {kB}, {kF}, {kB}, {kF, 9}}, {{4, {0, 20}}, {5, {20, 35}}}, 1),
            "4:1:0 4:1:0 5:1:0 5:1:0 9:1:0");
  EXPECT_EQ(numbered({{kF}, {kB}}, {{4, {0, 5}}}, 0), "4:0:0 -1:0:0");
}

TEST(AnnotationNumbers, CountOnOverReplicas) {
  std::vector<Annotation> annotations = annotated({{kF, 0, 0, 0}, {kF, 0, 0, 2}, {kB, 0, 0, 1}, {kU, 0, 0, -1}});
  annotations[2].replica = 0;
  numberOverReplicas(annotations, 2);
  EXPECT_EQ(textOf(annotations), "0:0:6 0:0:8 0:0:1 0:0:-1");
}

TEST(AnnotationNumbers, OfAGpuAreThoseOfTheHost) {
  std::vector<Annotation> host = annotated({{kF, 3, 1, 0}, {kF, 3, 1, 1}}), gpu = annotated({{kF}, {kF}, {kF}});
  for (std::vector<Annotation>* const some : {&host, &gpu})
    for (Annotation& one : *some) one.span.name = 1;
  copyNumbers(host, gpu);
  EXPECT_EQ(textOf(gpu), "3:1:0 3:1:1 -1:-1:-1");
}

TEST(AnnotationNumbers, OfNamesWinOverArguments) {
  NamedWork work{{kF}, {}, GroupKind::Unknown, false, {}};
  work.numbers[NameNumber::Stage] = 4;
  work.numbers[NameNumber::MicroBatch] = 70'000;  // beyond what a span holds
  std::vector<Annotation> annotations = annotated({{kF, 8, 1, 6}});
  annotations[0].is = &work;
  readNumbers(annotations[0]);
  EXPECT_EQ(textOf(annotations), "8:4:6");
}

TEST(RankPlaces, AreThoseInTheGroupsOfTheRank) {
  ProcessGroup pipeline{.name = "1", .description = "", .ranks = {1, 5}, .kind = GroupKind::Pipeline};
  ProcessGroup shard{.name = "2", .description = "", .ranks = {4, 5}, .kind = GroupKind::Data};
  ProcessGroup batch{.name = "3", .description = "", .ranks = {4, 6, 7, 5}, .kind = GroupKind::Data};
  ProcessGroup world{.name = "0", .description = "", .ranks = {0, 1, 2, 3, 4, 5, 6, 7}, .kind = GroupKind::World};
  const struct {
    std::vector<ProcessGroup> groups;
    int stage, replica;
  } cases[] = {{{}, 5, 0},
               {{world}, 5, 0},
               {{world, pipeline}, 1, 0},
               {{world, shard}, 0, 1},
               {{world, pipeline, shard, batch}, 1, 3}};
  for (const auto& [groups, stage, replica] : cases) {
    const RankPlace place = placeOfRank(5, groups);
    EXPECT_EQ(place.stage, stage) << groups.size();
    EXPECT_EQ(place.replica, replica) << groups.size();
  }
}

}  // namespace
}  // namespace lanelab
