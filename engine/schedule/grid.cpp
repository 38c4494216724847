// SPDX-License-Identifier: GPL-3.0-only
// The printed grid: a schedule executed in unit times.
#include <algorithm>

#include "engine/schedule/lane_simulation.h"

namespace lanelab {
namespace {

struct Cell {
  std::int64_t column = 0;
  const Action* action = nullptr;
};

// A stuck schedule shows what it did before.
std::vector<std::vector<Cell>> placeCells(const Schedule& schedule) {
  ActionTimes ends(schedule.stages, schedule.micro_batches);
  std::vector<std::vector<Cell>> rows(schedule.lanes.size());
  std::vector<std::int64_t> free_at(schedule.lanes.size(), 0);
  runInOrder(
      schedule, ends, free_at, [](const Action&) { return 1; },
      [&](std::size_t lane, const Action& action, std::int64_t start) {
        rows[lane].push_back({start, &action});
      });
  return rows;
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

}  // namespace

std::string toGrid(const Schedule& schedule) {
  const auto rows = placeCells(schedule);
  std::int64_t columns = 0;
  std::size_t width = 1;
  for (const auto& row : rows) {
    for (const Cell& cell : row) {
      columns = std::max(columns, cell.column + 1);
      width = std::max(width, toString(*cell.action).size());
    }
  }
  const std::size_t title_width = std::string("lane ").size() + std::to_string(rows.size()).size();
  std::string text;
  for (std::size_t lane = 0; lane < rows.size(); ++lane) {
    std::string line = padded("lane " + std::to_string(lane), title_width);
    std::size_t next = 0;
    for (std::int64_t column = 0; column < columns; ++column) {
      const bool busy = next < rows[lane].size() && rows[lane][next].column == column;
      line += "  " + padded(busy ? toString(*rows[lane][next].action) : ".", width);
      if (busy) ++next;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace lanelab
