// SPDX-License-Identifier: GPL-3.0-only
// lanelab-cli: everything the window does, without Qt. The commands below need torch at most for what this machine
// measured or has; for them, and for all others, it becomes lanelab-cli-torch.
#include <exception>
#include <iostream>

#include "app/cli/cli.h"
#include "app/cli/torch_program.h"
#include "base/terminal_text.h"

namespace {

constexpr lanelab::AddCommand kCommands[] = {
    lanelab::addCompare,  lanelab::addExport,  lanelab::addGaps,      lanelab::addImport,   lanelab::addPlan,
    lanelab::addSimulate, lanelab::addSummary, lanelab::addDeviceMap, lanelab::addSchedule, lanelab::addSchema};

}  // namespace

int main(int count, char** values) {
  lanelab::rememberArguments(values);
  const std::vector<std::string> arguments(values + 1, values + count);
  try {
    if (arguments.empty() || !lanelab::hasCommand(kCommands, arguments.front())) lanelab::becomeTorchProgram();
  } catch (const std::exception& error) {
    std::cerr << "lanelab-cli: " << lanelab::forTerminal(error.what()) << std::endl;
    return 1;
  }
  return lanelab::runCli(kCommands, arguments);
}
