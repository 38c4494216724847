// SPDX-License-Identifier: GPL-3.0-only
#include "engine/levels/level_board.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace lanelab {
namespace {

std::vector<ActionKind> kindsOf(const Level& level) {
  if (level.splits_backward) return {ActionKind::Forward, ActionKind::BackwardInput, ActionKind::BackwardWeight};
  return {ActionKind::Forward, ActionKind::Backward};
}

ActionRows allActions(const Level& level, const std::vector<LaneId>& lane_of_stage) {
  ActionRows rows(static_cast<std::size_t>(level.lanes));
  for (int s = 0; s < level.stages(); ++s)
    for (const ActionKind kind : kindsOf(level))
      for (int k = 0; k < level.micro_batches; ++k)
        rows[lane_of_stage[static_cast<std::size_t>(s)].index()].push_back({StageId(s), kind, MicroBatchId(k)});
  return rows;
}

/// By how many activations a lane stores more after it.
int storedBy(ActionKind kind) { return kind == ActionKind::Forward ? 1 : endsBackward(kind) ? -1 : 0; }

}  // namespace

LevelBoard::LevelBoard(const Level& level)
    : m_level(level),
      m_lane_of_stage(lanesOfStages(level)),
      m_actions(allActions(level, m_lane_of_stage)),
      m_ends(level.stages(), level.micro_batches) {}

/// What others wait for is I or B, whichever the level has.
Action LevelBoard::asWritten(const Action& wanted) const {
  const bool whole = !m_level.splits_backward && wanted.kind == ActionKind::BackwardInput;
  return {wanted.stage, whole ? ActionKind::Backward : wanted.kind, wanted.micro_batch};
}

std::optional<Message> LevelBoard::whyNot(const Action& action, LaneId lane) const {
  const LaneId home = laneOf(action);
  if (isPlaced(action)) return sentence("{} is placed already.", toString(action));
  if (home != lane)
    return sentence("{} cannot be on lane {}: stage {} is on lane {}.", toString(action), lane.value,
                    action.stage.value, home.value);
  if (const auto missing = missingFor(action, m_level.stages(), m_ends))
    return sentence("{} on lane {} waits for {} of lane {}, which is not placed yet.", toString(action), lane.value,
                    toString(asWritten(*missing)), laneOf(*missing).value);
  const int stored = storedOn(lane) + storedBy(action.kind);
  if (m_level.memory_limit && stored > *m_level.memory_limit)
    return sentence(
        "With {} lane {} would store {} activations, and its limit is {}: place what ends a backward first.",
        toString(action), lane.value, stored, *m_level.memory_limit);
  return std::nullopt;
}

PlacedAction LevelBoard::preview(const Action& action) const {
  const LaneId lane = laneOf(action);
  const std::int64_t ready = readyTime(action, m_level.stages(), m_ends);
  assert(ready >= 0);
  const std::int64_t start = std::max(ready, freeAt(lane));
  return {lane, action, start, start + durationOf(action.kind)};
}

void LevelBoard::put(const Action& action) {
  m_placed.push_back(preview(action));
  m_ends.of(action) = m_placed.back().end;
}

bool LevelBoard::place(const Action& action) {
  if (whyNot(action)) return false;
  put(action);
  m_undone.clear();
  return true;
}

bool LevelBoard::undo() {
  if (!canUndo()) return false;
  m_undone.push_back(m_placed.back().action);
  m_ends.of(m_placed.back().action) = -1;
  m_placed.pop_back();
  return true;
}

bool LevelBoard::redo() {
  if (!canRedo()) return false;
  put(m_undone.back());
  m_undone.pop_back();
  return true;
}

void LevelBoard::clear() {
  while (undo()) {
  }
}

Schedule LevelBoard::schedule() const {
  Schedule schedule{m_level.stages(), m_level.micro_batches, ActionRows(static_cast<std::size_t>(m_level.lanes))};
  for (const PlacedAction& placed : m_placed) schedule.lanes[placed.lane.index()].push_back(placed.action);
  return schedule;
}

std::int64_t LevelBoard::freeAt(LaneId lane) const {
  const auto last = std::find_if(m_placed.rbegin(), m_placed.rend(), [&](const auto& p) { return p.lane == lane; });
  return last == m_placed.rend() ? 0 : last->end;
}

std::int64_t LevelBoard::step() const {
  std::int64_t last = 0;
  for (const PlacedAction& placed : m_placed) last = std::max(last, placed.end);
  return last;
}

/// Not before its lane is free and what it waits for could have ended.
std::int64_t LevelBoard::earliestStart(const Action& action) const {
  const auto missing = missingFor(action, m_level.stages(), m_ends);
  const std::int64_t ready = missing ? earliestStart(asWritten(*missing)) + durationOf(asWritten(*missing).kind)
                                     : readyTime(action, m_level.stages(), m_ends);
  return std::max(ready, freeAt(laneOf(action)));
}

std::int64_t LevelBoard::leastEndOf(LaneId lane) const {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max(), work = 0, weights = 0, after = 0;
  const auto in_front = static_cast<std::int64_t>(std::ranges::find(m_lane_of_stage, lane) - m_lane_of_stage.begin());
  for (const Action& action : actionsOf(lane)) {
    if (isPlaced(action)) continue;
    begin = std::min(begin, earliestStart(action));
    const bool is_weight = action.kind == ActionKind::BackwardWeight;
    (is_weight ? weights : work) += durationOf(action.kind);
    if (!is_weight && action.kind != ActionKind::Forward) after = in_front * durationOf(action.kind);
  }
  return work + weights > 0 ? begin + work + std::max(weights, after) : freeAt(lane);
}

std::int64_t LevelBoard::leastStep() const {
  std::int64_t least = 0;
  for (int lane = 0; lane < m_level.lanes; ++lane) {
    least = std::max(least, leastEndOf(LaneId(lane)));
    for (const Action& action : actionsOf(LaneId(lane))) {
      if (isPlaced(action)) continue;
      const bool has_followers = action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardInput;
      const int chain = 1 + (has_followers ? action.stage.value : 0);
      least = std::max(least, earliestStart(action) + chain * durationOf(action.kind));
    }
  }
  return least;
}

double LevelBoard::idleShare() const {
  std::int64_t busy = 0;
  for (const PlacedAction& placed : m_placed) busy += placed.end - placed.start;
  const std::int64_t all = step() * m_level.lanes;
  return all > 0 ? 1 - static_cast<double>(busy) / static_cast<double>(all) : 0;
}

int LevelBoard::storedOn(LaneId lane) const {
  int stored = 0;
  for (const PlacedAction& placed : m_placed)
    if (placed.lane == lane) stored += storedBy(placed.action.kind);
  return stored;
}

int LevelBoard::mostStoredOn(LaneId lane) const {
  int stored = 0, most = 0;
  for (const PlacedAction& placed : m_placed) {
    if (placed.lane != lane) continue;
    stored += storedBy(placed.action.kind);
    most = std::max(most, stored);
  }
  return most;
}

bool LevelBoard::isComplete() const {
  std::size_t all = 0;
  for (const auto& row : m_actions) all += row.size();
  return m_placed.size() == all;
}

std::int64_t parOf(const Level& level) { return LevelBoard(level).leastStep(); }

}  // namespace lanelab
