// SPDX-License-Identifier: GPL-3.0-only
// Whether the times of a run can be trusted: one verdict, with all that speaks against them, each with its number. The
// same words in run.json, on the command line, in the report and in the window. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "base/message.h"
#include "engine/record/run_record.h"

namespace lanelab {

struct RunTrust {
  std::vector<TrustReason> reasons;  ///< in the order of the kinds; empty: nothing speaks against the times
  Message sentence;                  ///< the verdict with all reasons; "" before anything was measured
};

RunTrust runTrust(const RunRecord& record);

/// How many of a machine's cores other programs may use without touching a run: a third of one, as the window and
/// the system itself take.
inline constexpr double kLittleLoad = 0.33;

/// "other programs used 1.40 of 2 cores" if that leaves less than the experiment's threads need; else "".
Message loadText(const MachineLoad& load, const Experiment& experiment);

}  // namespace lanelab
