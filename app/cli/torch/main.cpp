// SPDX-License-Identifier: GPL-3.0-only
// lanelab-cli-torch: all commands. Started by lanelab-cli.

#include "app/cli/cli.h"
#include "app/start/start_with_torch.h"
#include "base/termination.h"

namespace {

// In the order in which --help shows them. A command that lives in its own file is added here by one line; and in
// app/cli/main.cpp by another where it can do without torch.
constexpr lanelab::AddCommand kCommands[] = {
    lanelab::addRun,     lanelab::addCheck,    lanelab::addCompare,   lanelab::addExport,    lanelab::addGaps,
    lanelab::addStats,   lanelab::addWhatIf,   lanelab::addImport,    lanelab::addAttach,    lanelab::addRuns,
    lanelab::addProfile, lanelab::addPlan,     lanelab::addSimulate,  lanelab::addCurve,     lanelab::addSweep,
    lanelab::addSummary, lanelab::addNewModel, lanelab::addDeviceMap, lanelab::addSchedule,  lanelab::addSchema,
    lanelab::addWeights, lanelab::addInfer,    lanelab::addDoctor,    lanelab::addCompletion};

}  // namespace

int main(int count, char** values) {
  lanelab::restoreLibraryPath();
  setenv("HWLOC_HIDE_ERRORS", "2",
         0);  // in a container without sysfs hwloc would write to stderr, though nothing is amiss
  lanelab::endProgram(lanelab::runCli(kCommands, {values + 1, values + count}));
}
