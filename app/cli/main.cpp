// SPDX-License-Identifier: GPL-3.0-only
// lanelab-cli: everything the window does, without Qt. It starts at once since it has no LibTorch, and becomes
// lanelab-cli-torch, which has all commands and all of torch, for those that are not listed below. Those need torch at
// most for what this machine measured or has: makeTorchExecutor() of this program starts the other one, with
// the same arguments and the same process number. So nothing may have been printed or written before a command asks for
// an executor.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "app/cli/cli.h"
#include "app/start/start_with_torch.h"
#include "base/terminal_text.h"
#include "base/termination.h"
#include "engine/torch/train/torch_executor.h"

namespace lanelab {
namespace {

constexpr AddCommand kCommands[] = {addCompare,   addExport,   addGaps,     addStats,    addWhatIf, addImport,
                                    addAttach,    addRuns,     addPlan,     addSimulate, addCurve,  addSummary,
                                    addDeviceMap, addNewModel, addSchedule, addSchema};

char** main_arguments = nullptr;  ///< for the step to the other program

/// Throws NotStarted if lanelab-cli-torch cannot be started, or LibTorch is not there.
[[noreturn]] void becomeTorchProgram() { throw NotStarted{startWithTorch("lanelab-cli-torch", main_arguments)}; }

/// Of the words after the program's name.
bool needsTorchProgram(const std::vector<std::string>& arguments) {
  return arguments.empty() || (arguments.front() != "--version" && !hasCommand(kCommands, arguments.front()));
}

}  // namespace

// The other program keeps what it is given.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
std::unique_ptr<Executor> makeTorchExecutor(std::function<std::shared_ptr<Peers>()>) { becomeTorchProgram(); }

}  // namespace lanelab

int main(int count, char** values) {
  using namespace lanelab;
  main_arguments = values;
  try {
    const std::vector<std::string> arguments(values + 1, values + count);
    if (needsTorchProgram(arguments)) becomeTorchProgram();
    return runCli(kCommands, arguments);
  } catch (const NotStarted& end) {
    std::fprintf(stderr, "lanelab-cli: %s\n", forTerminal(end.error.message).c_str());
    return exitCodeOf(end.error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lanelab-cli: %s\n", error.what());
    return 1;
  }
}
