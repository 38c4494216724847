// SPDX-License-Identifier: GPL-3.0-only
#include "engine/schedule/schedule.h"

#include <algorithm>

#include "base/parse_number.h"
#include "base/text.h"
#include "engine/placement/micro_batches.h"
#include "engine/schedule/replicas.h"

namespace lanelab {
namespace {

constexpr std::string_view kLetters = "FBIWU";  // in the order of ActionKind

// Plain digits only: parseNumber() alone would take a sign.
std::optional<int> parseIndex(std::string_view digits, int limit) {
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  const auto value = parseNumber<int>(digits);
  return value && *value < limit ? value : std::nullopt;
}

Error badCell(std::size_t row, std::size_t cell, std::string_view text) {
  return Error::badInput(
      "Row {}, cell {}: \"{}\" is not a compute action. Write stage, F, B, I or W, and micro-batch, such as 0F1.", row,
      cell, std::string(text.substr(0, 40)));
}

Result<std::vector<Action>> parseRow(std::string_view line, std::size_t row) {
  std::vector<Action> actions;
  for (std::size_t cell = 1; !line.empty(); ++cell) {
    const auto comma = line.find(',');
    const std::string_view text = trimmed(line.substr(0, comma), " \t\r\"");
    line = comma == std::string_view::npos ? std::string_view() : line.substr(comma + 1);
    if (text.empty()) continue;
    const auto action = parseAction(text);
    if (!action || action->kind == ActionKind::Update) return badCell(row, cell, text);
    actions.push_back(*action);
  }
  return actions;
}

}  // namespace

char letterOf(ActionKind kind) { return kLetters[static_cast<std::size_t>(kind)]; }

std::string toString(const Action& action) {
  std::string text = std::to_string(action.stage.value) + letterOf(action.kind);
  return action.kind == ActionKind::Update ? text : text + std::to_string(action.micro_batch.value);
}

std::optional<Action> parseAction(std::string_view text) {
  const auto letter = text.find_first_not_of("0123456789");
  if (letter == std::string_view::npos) return std::nullopt;
  const auto stage = parseIndex(text.substr(0, letter), kMostStages);
  const auto kind_index = kLetters.find(text[letter]);
  const std::string_view rest = text.substr(letter + 1);
  if (!stage || kind_index == std::string_view::npos) return std::nullopt;
  const auto kind = static_cast<ActionKind>(kind_index);
  if (kind == ActionKind::Update)
    return rest.empty() ? std::optional(Action{StageId(*stage), kind, MicroBatchId(0)}) : std::nullopt;
  const auto micro_batch = parseIndex(rest, kMostMicroBatches);
  if (!micro_batch) return std::nullopt;
  return Action{StageId(*stage), kind, MicroBatchId(*micro_batch)};
}

ActionRows rowsWithUpdates(const Schedule& schedule) {
  ActionRows rows;
  for (const auto& actions : schedule.lanes) {
    std::vector<Action>& row = rows.emplace_back();
    std::vector<Action> updates;
    std::vector<int> backwards_left(static_cast<std::size_t>(schedule.stages), 0);
    for (const Action& action : actions) backwards_left[action.stage.index()] += endsBackward(action.kind) ? 1 : 0;
    for (const Action& action : actions) {
      row.push_back(action);
      const bool is_updated = !schedule.first_updates || replicaOf(schedule, action.micro_batch) == 0;
      if (!endsBackward(action.kind) || --backwards_left[action.stage.index()] > 0 || !is_updated) continue;
      (schedule.updates_last ? updates : row).push_back({action.stage, ActionKind::Update, MicroBatchId(0)});
    }
    row.insert(row.end(), updates.begin(), updates.end());
  }
  return rows;
}

bool splitsBackward(const Schedule& schedule) {
  const auto isInput = [](const Action& action) { return action.kind == ActionKind::BackwardInput; };
  return std::ranges::any_of(schedule.lanes, [&](const auto& row) { return std::ranges::any_of(row, isInput); });
}

std::vector<Action> withSplitBackwards(const std::vector<Action>& row) {
  std::vector<Action> split;
  for (const Action& action : row) {
    if (action.kind != ActionKind::Backward) {
      split.push_back(action);
      continue;
    }
    split.push_back({action.stage, ActionKind::BackwardInput, action.micro_batch});
    split.push_back({action.stage, ActionKind::BackwardWeight, action.micro_batch});
  }
  return split;
}

std::vector<int> mostInFlight(const Schedule& schedule) {
  std::vector<int> held(static_cast<std::size_t>(schedule.stages), 0), most = held;
  for (const auto& row : schedule.lanes) {
    for (const Action& action : row) {
      const std::size_t stage = action.stage.index();
      held[stage] += action.kind == ActionKind::Forward ? 1 : endsBackward(action.kind) ? -1 : 0;
      most[stage] = std::max(most[stage], held[stage]);
    }
  }
  return most;
}

std::string toCsv(const Schedule& schedule) {
  std::string text;
  for (const auto& row : schedule.lanes) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += ',';
      text += toString(row[i]);
    }
    text += '\n';
  }
  return text;
}

std::vector<LaneId> lanesOfRows(const Schedule& schedule) {
  std::vector<std::optional<LaneId>> found(static_cast<std::size_t>(schedule.stages));
  for (std::size_t lane = 0; lane < schedule.lanes.size(); ++lane) {
    for (const Action& action : schedule.lanes[lane]) {
      if (!found[action.stage.index()]) found[action.stage.index()] = LaneId(lane);
    }
  }
  std::vector<LaneId> lane_of_stage;
  for (const auto& lane : found) lane_of_stage.push_back(lane.value_or(LaneId(0)));
  return lane_of_stage;
}

Result<Schedule> parseScheduleCsv(std::string_view text) {
  Schedule schedule;
  for (std::size_t row = 1; !text.empty(); ++row) {
    const auto line_end = text.find('\n');
    Result<std::vector<Action>> actions = parseRow(text.substr(0, line_end), row);
    if (!actions.ok()) return actions.error();
    for (const Action& action : *actions) {
      schedule.stages = std::max(schedule.stages, action.stage.value + 1);
      schedule.micro_batches = std::max(schedule.micro_batches, action.micro_batch.value + 1);
    }
    schedule.lanes.push_back(std::move(actions).value());
    text = line_end == std::string_view::npos ? std::string_view() : text.substr(line_end + 1);
  }
  if (schedule.stages == 0)
    return Error::badInput("The schedule holds no action: write one row a lane, such as 0F0,0F1,0B0,0B1.");
  return schedule;
}

}  // namespace lanelab
