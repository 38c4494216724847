// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/process_group.h"

#include <gtest/gtest.h>

namespace lanelab {
namespace {

TEST(ProcessGroups, AreOfTheKindThatTheirDescriptionSays) {
  const std::pair<const char*, GroupKind> kinds[] = {{"mesh_pp", GroupKind::Pipeline},
                                                     {"mesh_dp_shard", GroupKind::Data},
                                                     {"mesh_dp_replicate", GroupKind::Data},
                                                     {"mesh_fsdp", GroupKind::Data},
                                                     {"mesh_dp_shard_cp", GroupKind::Data},
                                                     {"mesh_efsdp", GroupKind::Data},
                                                     {"mesh_loss_mesh", GroupKind::Data},
                                                     {"mesh_tp", GroupKind::Tensor},
                                                     {"tp:device", GroupKind::Tensor},
                                                     {"mesh_ep", GroupKind::Expert},
                                                     {"mesh_cp", GroupKind::Context},
                                                     {"default_pg", GroupKind::World},
                                                     {"PIPELINE_MODEL_PARALLEL_GROUP", GroupKind::Pipeline},
                                                     {"DATA_PARALLEL_GROUP_WITH_CP", GroupKind::Data},
                                                     {"EXPERT_DATA_PARALLEL_GROUP", GroupKind::Data},
                                                     {"TENSOR_MODEL_PARALLEL_GROUP", GroupKind::Tensor},
                                                     {"EXPERT_MODEL_PARALLEL_GROUP", GroupKind::Expert},
                                                     {"CONTEXT_PARALLEL_GROUP", GroupKind::Context},
                                                     {"TENSOR_AND_DATA_PARALLEL_GROUP", GroupKind::Unknown},
                                                     {"MODEL_PARALLEL_GROUP", GroupKind::Unknown},
                                                     {"mesh_dp_tp", GroupKind::Unknown},
                                                     {"mesh_appendix", GroupKind::Unknown},
                                                     {"", GroupKind::Unknown}};
  for (const auto& [description, kind] : kinds) EXPECT_EQ(groupKindOf(description), kind) << description;
}

TEST(ProcessGroups, HaveTheRanksOfTheirText) {
  EXPECT_EQ(ranksOfText("[0, 2, 14]"), (std::vector{0, 2, 14}));
  for (const char* none : {"", "[]", "0, 1", "[0, 1, ..., 7]", "[0, -1]", "[a]"})
    EXPECT_EQ(ranksOfText(none), std::vector<int>()) << none;
}

ProcessGroup named(const char* name, std::vector<int> ranks, GroupKind kind = GroupKind::Unknown) {
  ProcessGroup group;
  group.name = name;
  group.ranks = std::move(ranks);
  group.kind = kind;
  return group;
}

TEST(ProcessGroups, GetKindsThatAreUnambiguous) {
  ProcessGroup sends = named("6", {0, 1});
  sends.moves = ProcessGroup::Moves::Sends;
  ProcessGroup both = named("7", {0, 1});
  both.moves = ProcessGroup::Moves::Receives;
  std::vector<ProcessGroup> groups = {named("1", {}),            // listed as data
                                      named("2", {2, 0}),        // the ranks of the tensor group
                                      named("3", {0, 1, 2, 3}),  // all
                                      sends,
                                      both,
                                      named("7", {0, 1}),  // as 7 also has collectives, it may be anything
                                      named("8", {0, 3}),  // the ranks of two kinds
                                      named("4", {0, 2}, GroupKind::Tensor),
                                      named("9", {0, 3}, GroupKind::Data),
                                      named("10", {0, 3}, GroupKind::Expert)};
  deriveKinds(groups, {named("1", {5, 6}, GroupKind::Data)}, 4);
  const std::pair<const char*, GroupKind> kinds[] = {
      {"1", GroupKind::Data},    {"2", GroupKind::Tensor},  {"3", GroupKind::World},   {"6", GroupKind::Pipeline},
      {"7", GroupKind::Unknown}, {"7", GroupKind::Unknown}, {"8", GroupKind::Unknown}, {"4", GroupKind::Tensor}};
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    EXPECT_EQ(groups[i].name, kinds[i].first);
    EXPECT_EQ(groups[i].kind, kinds[i].second) << groups[i].name;
  }
  EXPECT_EQ(groups[0].ranks, (std::vector{5, 6}));
  EXPECT_EQ(groups[0].title(), "data");
  EXPECT_EQ(groups[4].title(), "group 7");
  groups[4].description = "mesh_odd";
  EXPECT_EQ(groups[4].title(), "mesh_odd");
}

}  // namespace
}  // namespace lanelab
