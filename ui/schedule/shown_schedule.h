// SPDX-License-Identifier: GPL-3.0-only
// The active variant's schedule as the editor shows it: made by name or edited, also where its order is broken.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "engine/schedule/schedule.h"
#include "ui/experiment/experiment_document.h"

namespace lanelab {

struct ShownSchedule {
  Schedule schedule;  ///< one row a lane of the experiment
  std::vector<QString> lane_names;
  bool editable = false;  ///< a pipeline's
  bool edited = false;    ///< by the variant's own actions
};

/// Nothing if there is none to show: bad values elsewhere, or actions that name stages or micro-batches which the
/// variant does not have.
std::optional<ShownSchedule> shownSchedule(const ExperimentDocument& document);

/// What the variant's schedule would be without its actions; nothing where it has none of its own.
std::optional<Schedule> ownSchedule(const ExperimentDocument& document);

}  // namespace lanelab
