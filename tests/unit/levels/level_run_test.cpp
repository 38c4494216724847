// SPDX-License-Identifier: GPL-3.0-only
// The experiment of a finished level can run, and does the order that was built.
#include "engine/levels/level_run.h"

#include <gtest/gtest.h>

#include "engine/experiment/resolution.h"
#include "tests/unit/levels/built_order.h"

namespace lanelab {
namespace {

std::vector<DeviceInfo> devicesWith(int gpus) {
  std::vector<DeviceInfo> devices;
  devices.reserve(static_cast<std::size_t>(gpus) + 2);
  for (int gpu = 0; gpu < gpus; ++gpu) devices.push_back({Device::cuda(gpu), "GPU"});
  for (int core = 0; core < 2; ++core) devices.push_back({Device::cpu(core), "core"});
  return devices;
}

LevelBoard solved(const Level& level, const std::vector<KnownOrder>& known) {
  const auto reachesPar = [&](const KnownOrder& order) {
    return order.kind == level.target && order.warm_up == level.warm_up;
  };
  return test::built(level, std::ranges::find_if(known, reachesPar)->schedule);
}

TEST(LevelRun, TrainsTheOrderOfEachLevelBesideAKnownScheduleOfTheSameStages) {
  for (const Level& level : levels()) {
    const auto known = knownOrders(level);
    const LevelBoard board = solved(level, known);
    ASSERT_TRUE(board.isComplete()) << level.key;
    const Experiment experiment = levelRun(board, known, devicesWith(0));
    const auto resolution = resolve(experiment);
    ASSERT_TRUE(resolution->problems().empty()) << level.key << ": " << resolution->problems().front().message;
    ASSERT_EQ(experiment.variants.size(), 2u);
    EXPECT_EQ(experiment.variants[1].name, kOwnOrder);
    EXPECT_EQ(experiment.variants[0].name, comparedWith(board, known).title);
    const Result<VariantPlan>&beside = resolution->variants()[0].plan(), &own = resolution->variants()[1].plan();
    EXPECT_EQ(own->schedule.lanes, board.schedule().lanes) << level.key;
    EXPECT_EQ(own->schedule_kind, ScheduleKind::Custom);
    EXPECT_EQ(beside->schedule_kind, level.beside) << level.key;
    ASSERT_EQ(own->stages.size(), beside->stages.size()) << level.key;
    for (std::size_t s = 0; s < own->stages.size(); ++s) {
      EXPECT_EQ(own->stages[s].lane, board.laneOfStage()[s]) << level.key;
      EXPECT_EQ(own->stages[s].first, beside->stages[s].first) << level.key;
      EXPECT_EQ(own->stages[s].lane, beside->stages[s].lane) << level.key;
    }
  }
}

TEST(LevelRun, LanesAreGpusIfThereIsOneForEach) {
  const Level& level = test::levelOf("gpipe");
  const auto known = knownOrders(level);
  const LevelBoard board = solved(level, known);
  struct {
    int gpus;
    Device first;
    const char* sentence;
  } const rows[] = {{0, Device::cpu(0), "Its 2 lanes are CPU cores, since this machine has fewer GPUs than that."},
                    {1, Device::cpu(0), "Its 2 lanes are CPU cores, since this machine has fewer GPUs than that."},
                    {2, Device::cuda(0), "Its 2 lanes are GPUs."}};
  for (const auto& row : rows) {
    EXPECT_EQ(levelRun(board, known, devicesWith(row.gpus)).lanes[0].device, row.first) << row.gpus;
    EXPECT_EQ(lanesOfRun(level, devicesWith(row.gpus)).message, row.sentence);
  }
}

}  // namespace
}  // namespace lanelab
