// SPDX-License-Identifier: GPL-3.0-only
// A schedule made ready for the lanes: what each does in a step, in order, and through which mailboxes its input and
// output go.
#pragma once

#include <vector>

#include "base/result.h"
#include "engine/schedule/replicas.h"
#include "engine/schedule/schedule.h"

namespace lanelab {

/// Mailboxes are numbered; -1 at the model's ends, for weight parts and for updates. A mailbox may join two stages of
/// one lane.
struct Instruction {
  Action action;
  int input = -1;
  int output = -1;
  Action producer = {};  ///< what fills the input, where there is one
};
using LaneProgram = std::vector<Instruction>;

/// Number of mailboxes of a schedule: one for each boundary, direction and micro-batch.
std::size_t mailboxCount(const Schedule& schedule);

/// One program a row of the schedule, with its updates.
std::vector<LaneProgram> lanePrograms(const Schedule& schedule);

/// Whether the loop can execute it: legal for these stages, one row a lane. BadInput says what is not.
Status checkExecutable(const Schedule& schedule, const StageLanes& stage_lanes, std::size_t lanes);

}  // namespace lanelab
