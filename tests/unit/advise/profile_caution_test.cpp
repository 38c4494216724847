// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/profile_caution.h"

#include <gtest/gtest.h>

#include "engine/advise/profile_store.h"

namespace lanelab {
namespace {

/// One block at sizes 1, 2 ..., measured with these shares of a core.
BlockProfile profileWith(const std::vector<double>& core_shares) {
  BlockProfile profile;
  profile.block_names = {"stem"};
  profile.updates.resize(1);
  for (const double share : core_shares) {
    BlockProfile::Size& size = profile.sizes.emplace_back();
    size.samples = static_cast<int>(profile.sizes.size());
    size.blocks.resize(1);
    size.core_share = share;
  }
  return profile;
}

TEST(BusyProfileText, IsOfTheSizeThatHadLeast) {
  const BlockProfile calm = profileWith({0.99, 1}), busy = profileWith({0.9, 0.34, 0.6}), unknown = profileWith({0, 0});
  EXPECT_EQ(busyProfileText({&calm}).message, "");
  EXPECT_EQ(busyProfileText({&unknown, &calm}).message, "") << "a GPU's core time is not known";
  EXPECT_EQ(busyProfileText({}).message, "");
  EXPECT_EQ(busyProfileText({&calm, &busy, &unknown}).message,
            "Block times are of a busy machine: while they were measured, a lane had a core for only 34.0 % of its "
            "compute time. Predictions from them may be far off; measure again on an idle machine.");
}

TEST(BusyProfileText, IsKnownOfStoredProfiles) {
  const BlockProfile busy = profileWith({0, 0.5});
  const Result<BlockProfile> back = parseBlockProfile(toJson(busy), "profile.json");
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(*back, busy);
  EXPECT_EQ(busyProfileText({&*back}).message, busyProfileText({&busy}).message);
  const Result<BlockProfile> damaged = parseBlockProfile(toJson(profileWith({2})), "profile.json");
  ASSERT_FALSE(damaged.ok());
  EXPECT_NE(damaged.error().message.find("core_share must be from 0 to 1"), std::string::npos);
}

}  // namespace
}  // namespace lanelab
