// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/collect/launch_owner.h"

#include <gtest/gtest.h>

#include <set>

namespace lanelab {
namespace {

TEST(LaunchOwner, EveryOwnerThatFitsComesBackFromItsId) {
  const LaunchOwner owners[] = {{0, 0, 0, 0, Phase::Forward},       {1, 7, 1, 5, Phase::Backward},
                                {2, 3, 4, 9, Phase::BackwardInput}, {2, 3, 4, 9, Phase::BackwardWeight},
                                {3, 12, 3, -1, Phase::Update},      {4, 2, -1, -1, Phase::None},
                                {0, -1, -1, -1, Phase::None},       {254, (1 << 24) - 2, 254, 8190, Phase::Update}};
  std::set<std::uint64_t> ids;
  for (const LaunchOwner& owner : owners) {
    for (const std::uint8_t run : {0, 1, 255}) {
      const std::uint64_t id = externalIdOf(owner, run);
      EXPECT_NE(id, 0u);
      EXPECT_TRUE(ids.insert(id).second) << "two owners share an id";
      const auto back = ownerOf(id);
      ASSERT_TRUE(back.has_value());
      EXPECT_EQ(back->owner, owner);
      EXPECT_EQ(back->run, run);
    }
  }
}

TEST(LaunchOwner, WhatDoesNotFitHasNoId) {
  const LaunchOwner owners[] = {
      {-1, 0, 0, 0, Phase::Forward},  {255, 0, 0, 0, Phase::Forward},  {0, (1 << 24) - 1, 0, 0, Phase::Forward},
      {0, 0, 255, 0, Phase::Forward}, {0, 0, 0, 8191, Phase::Forward}, {0, 0, 0, -2, Phase::Forward}};
  for (const LaunchOwner& owner : owners)
    EXPECT_EQ(externalIdOf(owner, 9), 0u) << owner.lane << " " << owner.step << " " << owner.stage;
}

TEST(LaunchOwner, NumbersOfOthersAreNoOwners) {
  EXPECT_FALSE(ownerOf(0).has_value());
  EXPECT_FALSE(ownerOf(std::uint64_t{7} << 56U).has_value()) << "a run alone";
  EXPECT_FALSE(ownerOf(1U | std::uint64_t{6} << 29U).has_value()) << "a phase that there is not";
}

}  // namespace
}  // namespace lanelab
