// SPDX-License-Identifier: GPL-3.0-only
// export of a variant's plan, from an experiment or the run of one, as files for other frameworks.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanelab {

struct PlanExport {
  std::string source;   ///< file of an experiment, or run folder
  std::string what;     ///< one of planExports()
  std::string variant;  ///< may be empty if there is one
  std::string out;      ///< folder, absent or empty
  std::stop_token stop = {};
};

/// The words of --what that name a plan.
std::vector<std::string> planExports();

/// Notes are printed to stderr.
Status exportPlan(const PlanExport& plan);

}  // namespace lanelab
