// SPDX-License-Identifier: GPL-3.0-only
#include "base/stop_point.h"

#include <gtest/gtest.h>

#include <thread>

namespace lanelab {
namespace {

TEST(StopPoint, EndsWorkOfItsThreadAndScopeOnly) {
  stopPoint();
  std::stop_source stop;
  {
    const StopScope scope(stop.get_token());
    stopPoint();
    stop.request_stop();
    EXPECT_THROW(stopPoint(), Stopped);
    std::thread([] { stopPoint(); }).join();
    {
      const StopScope inner{std::stop_token()};
      stopPoint();
    }
    EXPECT_THROW(stopPoint(), Stopped);
    EXPECT_TRUE(currentStopToken().stop_requested());
  }
  stopPoint();
  EXPECT_FALSE(currentStopToken().stop_possible());
}

TEST(StopPoint, MakesAnErrorOfStoppedWork) {
  std::stop_source stop;
  EXPECT_TRUE(withStop(stop.get_token(), [] { return Status(); }).ok());
  const Result<int> result = withStop(stop.get_token(), [&]() -> Result<int> {
    stop.request_stop();
    stopPoint();
    return 7;
  });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, Error::Kind::Cancelled);
}

}  // namespace
}  // namespace lanelab
