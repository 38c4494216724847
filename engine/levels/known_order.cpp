// SPDX-License-Identifier: GPL-3.0-only
#include "engine/levels/known_order.h"

#include <algorithm>
#include <cassert>

#include "engine/schedule/generate.h"

namespace lanelab {
namespace {

/// Nothing if the schedule is not for the level's stages, or splits backwards that are whole in the level.
std::optional<KnownOrder> madeOrder(const Level& level, ScheduleKind kind, std::optional<int> warm_up,
                                    std::string_view title) {
  if (splitsBackward(kind) && !level.splits_backward) return std::nullopt;
  if (goesRoundTheLanes(kind) && level.stages_per_lane == 1) return std::nullopt;
  const std::vector<StageTimes> times(static_cast<std::size_t>(level.stages()), level.times);
  Result<Schedule> made = generateSchedule(kind, lanesOfStages(level), level.lanes, level.micro_batches,
                                           WindowKind::Step, times, {.warm_up = warm_up});
  if (!made.ok()) return std::nullopt;
  Schedule schedule = std::move(made).value();
  const std::int64_t step = lastEnd(schedule, times);
  if (level.splits_backward)
    for (auto& row : schedule.lanes) row = withSplitBackwards(row);
  const bool is_split = level.splits_backward && !splitsBackward(kind);
  return KnownOrder{kind, warm_up, title, std::move(schedule), is_split, step};
}

const KnownOrder& orderBy(const std::vector<KnownOrder>& known, const Level& level, ScheduleKind kind,
                          std::optional<int> warm_up) {
  const auto order = madeOrder(level, kind, warm_up, {});
  assert(order);
  const KnownOrder* const found = recognised(order->schedule, known);
  assert(found);
  return *found;
}

}  // namespace

std::vector<KnownOrder> knownOrders(const Level& level) {
  std::vector<KnownOrder> known;
  const auto add = [&](ScheduleKind kind, std::optional<int> warm_up, std::string_view title) {
    auto order = madeOrder(level, kind, warm_up, title);
    if (order && !recognised(order->schedule, known)) known.push_back(std::move(*order));
  };
  for (const ScheduleKind kind : knownSchedules()) {
    add(kind, std::nullopt, titleOf(kind));
    if (kind == ScheduleKind::ZbH1) add(kind, 2 * level.stages() - 1, "ZB-H2");
  }
  return known;
}

const KnownOrder* recognised(const Schedule& schedule, const std::vector<KnownOrder>& known) {
  const auto same = [&](const KnownOrder& order) { return order.schedule.lanes == schedule.lanes; };
  const auto found = std::ranges::find_if(known, same);
  return found == known.end() ? nullptr : &*found;
}

const KnownOrder& comparedWith(const LevelBoard& board, const std::vector<KnownOrder>& known) {
  const Level& level = board.level();
  const KnownOrder& beside = orderBy(known, level, level.beside, std::nullopt);
  return recognised(board.schedule(), known) == &beside ? orderBy(known, level, level.target, level.warm_up) : beside;
}

Message standing(std::int64_t step, std::int64_t par) {
  return step > par ? sentence("{} above par", step - par) : sentence("par reached");
}

Message verdict(const LevelBoard& board, const std::vector<KnownOrder>& known) {
  const Message how_good = standing(board.step(), parOf(board.level()));
  if (const KnownOrder* const built = recognised(board.schedule(), known)) {
    if (built->is_split)
      return sentence("You built {} with split backwards: {} units, {}.", built->title, board.step(), how_good);
    return sentence("You built {}: {} units, {}.", built->title, board.step(), how_good);
  }
  const KnownOrder& other = comparedWith(board, known);
  return sentence("An order of your own: {} units, {}; {} has {}.", board.step(), how_good, other.title, other.step);
}

}  // namespace lanelab
