// SPDX-License-Identifier: GPL-3.0-only
// For schedules_test.py: reads lines "NAME STAGES LANES MICRO_BATCHES", prints each schedule as CSV and an empty line.
#include <iostream>
#include <string>

#include "engine/schedule/generate.h"

int main() {
  std::string name;
  int stages = 0, lanes = 0, micro_batches = 0;
  while (std::cin >> name >> stages >> lanes >> micro_batches) {
    std::vector<lanelab::LaneId> all;
    for (int lane = 0; lane < lanes; ++lane) all.emplace_back(lane);
    const auto kind = lanelab::fromWord<lanelab::ScheduleKind>(name).value_or(lanelab::ScheduleKind::Custom);
    const auto schedule = lanelab::generateSchedule(kind, lanelab::lanesOfStages(kind, stages, all), lanes,
                                                    micro_batches, lanelab::WindowKind::Step);
    if (!schedule.ok()) {
      std::cerr << schedule.error().message << std::endl;
      return 1;
    }
    std::cout << lanelab::toCsv(*schedule) << '\n';
  }
}
