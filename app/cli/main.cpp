// SPDX-License-Identifier: GPL-3.0-only
// lanelab-cli: everything the window does, without Qt. It starts at once since it has no LibTorch, and becomes
// lanelab-cli-torch, which has all commands and all of torch, for those that are not listed below. Those need torch at
// most for what this machine measured or has: makeTorchExecutor() of this program starts the other one, with
// the same arguments and the same process number. So nothing may have been printed or written before a command asks for
// an executor.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <iostream>
#include <string>
#include <vector>

#include "app/cli/cli.h"
#include "app/start/start_with_torch.h"
#include "base/terminal_text.h"
#include "base/termination.h"
#include "engine/torch/train/torch_executor.h"

namespace lanelab {
namespace {

constexpr AddCommand kCommands[] = {addCompare,   addExport,   addGaps,     addStats, addImport,
                                    addRuns,      addPlan,     addSimulate, addCurve, addSummary,
                                    addDeviceMap, addNewModel, addSchedule, addSchema};

char** main_arguments = nullptr;  ///< for the step to the other program

/// Throws a std::runtime_error with a sentence where lanelab-cli-torch, which is beside this program, cannot be
/// started.
[[noreturn]] void becomeTorchProgram() {
  std::error_code error;
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "lanelab-cli-torch";
  letSignalsEnd();  // a blocked signal would stay blocked while the other program loads
  ::execv(program.c_str(), main_arguments);
  throw std::runtime_error(forTerminal(program.string()) + " cannot be started: " + std::strerror(errno) +
                           ". It belongs beside lanelab-cli: build both again.");
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
    if (arguments.empty() || !hasCommand(kCommands, arguments.front())) becomeTorchProgram();
    return runCli(kCommands, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lanelab-cli: %s\n", error.what());
    return 1;
    if (needsTorchProgram(arguments)) becomeTorchProgram();
  } catch (const NotStarted& end) {
    std::cerr << "lanelab-cli: " << forTerminal(end.error.message) << std::endl;
    return exitCodeOf(end.error);
  }
}
