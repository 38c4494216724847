// SPDX-License-Identifier: GPL-3.0-only
#include "engine/lanes/lane_program.h"

#include "engine/schedule/check.h"

namespace lanelab {
namespace {

enum class Direction { Forward, Backward };

// The boundary after `stage`.
int mailbox(const Schedule& schedule, int stage, Direction direction, MicroBatchId k) {
  if (stage < 0 || stage + 1 >= schedule.stages) return -1;
  return (stage * schedule.micro_batches + k.value) * 2 + (direction == Direction::Forward ? 0 : 1);
}

Instruction instructionOf(const Schedule& schedule, const Action& action) {
  const int stage = action.stage.value;
  if (action.kind == ActionKind::BackwardWeight || action.kind == ActionKind::Update) return {action};
  if (action.kind == ActionKind::Forward) {
    return {action, mailbox(schedule, stage - 1, Direction::Forward, action.micro_batch),
            mailbox(schedule, stage, Direction::Forward, action.micro_batch)};
  }
  return {action, mailbox(schedule, stage, Direction::Backward, action.micro_batch),
          mailbox(schedule, stage - 1, Direction::Backward, action.micro_batch)};
}

// Who fills a mailbox is known only when all rows are: a gradient may come from B or from I.
void nameProducers(std::vector<LaneProgram>& programs, std::size_t mailboxes) {
  std::vector<Action> writers(mailboxes);
  for (const LaneProgram& program : programs) {
    for (const Instruction& instruction : program) {
      if (instruction.output >= 0) writers[static_cast<std::size_t>(instruction.output)] = instruction.action;
    }
  }
  for (LaneProgram& program : programs) {
    for (Instruction& instruction : program) {
      if (instruction.input >= 0) instruction.producer = writers[static_cast<std::size_t>(instruction.input)];
    }
  }
}

}  // namespace

std::size_t mailboxCount(const Schedule& schedule) {
  return schedule.stages < 2
             ? 0
             : static_cast<std::size_t>(schedule.stages - 1) * static_cast<std::size_t>(schedule.micro_batches) * 2;
}

std::vector<LaneProgram> lanePrograms(const Schedule& schedule) {
  std::vector<LaneProgram> programs;
  for (const auto& row : rowsWithUpdates(schedule)) {
    LaneProgram& program = programs.emplace_back();
    for (const Action& action : row) program.push_back(instructionOf(schedule, action));
  }
  nameProducers(programs, mailboxCount(schedule));
  return programs;
}

Status checkExecutable(const Schedule& schedule, const StageLanes& stage_lanes, std::size_t lanes) {
  if (stage_lanes.empty() || stage_lanes.front().empty())
    return Error::badInput("There is no stage to execute: place the blocks on lanes.");
  if (schedule.lanes.size() != lanes) {
    return Error::badInput("The schedule has {} rows for {} lanes: give each lane its row.", schedule.lanes.size(),
                           lanes);
  }
  if (const auto problems = checkSchedule(schedule, stage_lanes); !problems.empty())
    return Error::badInput(problems.front());
  return {};
}

}  // namespace lanelab
