// SPDX-License-Identifier: GPL-3.0-only
// Generated schedules against PyTorch's (data/schedules/from_pytorch.py), as CSV, and against those of the authors of
// v-half and v-min (data/schedules/from_zero_bubble.py).
#include "base/fingerprint.h"
#include "engine/schedule/check.h"
#include "engine/schedule/generate.h"
#include "tests/golden/golden_file.h"

namespace lanelab {
namespace {

using Case = std::tuple<std::string, int, int>;  // schedule, stages = lanes, micro-batches

class GoldenSchedule : public testing::TestWithParam<Case> {
 protected:
  static std::vector<LaneId> oneLaneAStage(int stages) {
    std::vector<LaneId> lanes;
    for (int s = 0; s < stages; ++s) lanes.emplace_back(s);
    return lanes;
  }
  static std::string nameOf(const Case& c) {
    return std::get<0>(c) + "-p" + std::to_string(std::get<1>(c)) + "-m" + std::to_string(std::get<2>(c));
  }

 public:
  static std::string testName(const testing::TestParamInfo<Case>& info) {
    std::string name = nameOf(info.param);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  }
};

TEST_P(GoldenSchedule, IsPytorchs) {
  const auto& [name, stages, micro_batches] = GetParam();
  const Result<Schedule> schedule =
      generateSchedule(*parseScheduleName(name), oneLaneAStage(stages), stages, micro_batches, WindowKind::Step);
  ASSERT_TRUE(schedule.ok()) << schedule.error().message;
  expectGolden("schedules/" + nameOf(GetParam()) + ".csv", toCsv(*schedule));
  EXPECT_TRUE(checkSchedule(*schedule, oneLaneAStage(stages)).empty());
}

INSTANTIATE_TEST_SUITE_P(Pytorch, GoldenSchedule,
                         testing::Combine(testing::Values("gpipe", "1f1b"), testing::Values(2, 4),
                                          testing::Values(4, 8)),
                         GoldenSchedule::testName);

TEST(GoldenSchedule, VHalfAndVMinAreTheirAuthors) {
  std::string table = "schedule,lanes,micro_batches,fingerprint\n";
  for (const char* name : {"v-half", "v-min"}) {
    const ScheduleKind kind = *parseScheduleName(name);
    for (int lanes = 1; lanes <= 8; ++lanes) {
      std::vector<LaneId> all;
      for (int lane = 0; lane < lanes; ++lane) all.emplace_back(lane);
      for (int micro_batches = 1; micro_batches <= 32; ++micro_batches) {
        const Result<Schedule> schedule =
            generateSchedule(kind, lanesOfStages(kind, 2 * lanes, all), lanes, micro_batches, WindowKind::Step);
        ASSERT_TRUE(schedule.ok()) << schedule.error().message;
        table += std::string(name) + "," + std::to_string(lanes) + "," + std::to_string(micro_batches) + "," +
                 hexDigits(fingerprintOf(toCsv(*schedule))) + "\n";
      }
    }
  }
  expectGolden("schedules/v-memory.csv", table);
}

}  // namespace
}  // namespace lanelab
