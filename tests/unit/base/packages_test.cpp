// SPDX-License-Identifier: GPL-3.0-only
#include "base/packages.h"

#include <gtest/gtest.h>

namespace lanelab {
namespace {

TEST(Packages, AreListedByNameOnceAndOnlyWithAVersion) {
  EXPECT_EQ(
      packagesText({{"zlib", "1.2.13"}, {"Qt", "6.4.2"}, {"CLI11", ""}, {"zlib", "1.2.13"}, {"oneDNN", "3.10.2"}}),
      "oneDNN 3.10.2, Qt 6.4.2, zlib 1.2.13");
  EXPECT_EQ(packagesText({}), "");
}

TEST(Packages, OfTheBaseAreKnown) {
  for (const Package& package : basePackages()) EXPECT_NE(package.version, "") << package.name;
}

}  // namespace
}  // namespace lanelab
