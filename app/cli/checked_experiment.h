// SPDX-License-Identifier: GPL-3.0-only
// Experiments as commands take them: read from a file and worked out, or refused with the first thing that is wrong.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/experiment/resolution.h"

namespace lanelab {

/// With --set assignments applied. Errors (BadInput): "FILE: data.batch: The batch must be ...".
Result<std::shared_ptr<const Resolution>> readChecked(const std::string& file,
                                                      const std::vector<std::string>& assignments);
/// The same of an experiment that `source` names.
Result<std::shared_ptr<const Resolution>> checked(const Experiment& experiment, const std::string& source);

/// Refuses epochs that a run would refuse, for commands that plan one of the experiment that `source` names. Data that
/// are not on this machine, or cannot be counted, are none of a plan's.
Status checkEpochRows(const Resolution& resolution, const std::string& source);

}  // namespace lanelab
