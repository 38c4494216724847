// SPDX-License-Identifier: GPL-3.0-only
// The frame of lanelab-cli: one file a command, each with one function add<Command>() that the programs' main.cpp list.
//
// A command describes its options on a subcommand of its own and hands chosen() what is to be done. Nothing is done
// while the command line is still read, so bad usage never leaves anything behind. Results go to stdout (with --json
// exactly one object), progress and messages to stderr. The Status that a command returns decides the exit code:
// success 0, Failed 1, BadInput 2, Cancelled 130; runCli() prints its sentence.
//
//   void addGreet(const Command& app, CliContext& context) {
//     struct Options { std::string name; };
//     const Command command = app.subcommand("greet", "Says hello");
//     const auto options = std::make_shared<Options>();
//     command.option("NAME", options->name, "Whom to greet").required();
//     chosen(command, context, [options, &context] { return greet(*options, context.stop); });
//   }
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "base/packages.h"
#include "base/result.h"

namespace lanelab {

struct CliContext {
  std::stop_token stop;  ///< requested by the first SIGINT or SIGTERM; what still runs 0.12 s later is ended
  std::vector<std::string> arguments;  ///< as given, without the program's name (for a record of how to repeat it)
  std::function<Status()> work;        ///< of the command that was chosen
  std::function<void(int exit_code)> leave;  ///< in place of a return from main, for one of several processes
};

/// Thrown by a command that needs lanelab-cli-torch, if that cannot be started; the command ends with the Error.
struct NotStarted {
  Error error;
};

using AddCommand = void (*)(const Command& app, CliContext& context);

/// Reads the command line and does what it says. What is returned is the program's exit code.
int runCli(std::span<const AddCommand> commands, std::vector<std::string> arguments);

/// Whether one of `commands` has this name.
bool hasCommand(std::span<const AddCommand> commands, const std::string& name);

/// Lets `work` run after the whole command line was read, if this command was chosen.
void chosen(const Command& command, CliContext& context, std::function<Status()> work);

/// Whether stderr is a terminal, so that a progress bar makes sense.
bool stderrIsTerminal();

/// Versions of the libraries that the command line uses beside the engine, for the record of a run.
Packages commandPackages();

void addAttach(const Command& app, CliContext& context);
void addCheck(const Command& app, CliContext& context);
void addCompare(const Command& app, CliContext& context);
void addCompletion(const Command& app, CliContext& context);
void addCurve(const Command& app, CliContext& context);
void addDeviceMap(const Command& app, CliContext& context);
void addDoctor(const Command& app, CliContext& context);
void addExport(const Command& app, CliContext& context);
void addGaps(const Command& app, CliContext& context);
void addImport(const Command& app, CliContext& context);
void addInfer(const Command& app, CliContext& context);
void addNewModel(const Command& app, CliContext& context);
void addPlan(const Command& app, CliContext& context);
void addProfile(const Command& app, CliContext& context);
void addRun(const Command& app, CliContext& context);
void addRuns(const Command& app, CliContext& context);
void addSchedule(const Command& app, CliContext& context);
void addSchema(const Command& app, CliContext& context);
void addSimulate(const Command& app, CliContext& context);
void addStats(const Command& app, CliContext& context);
void addSummary(const Command& app, CliContext& context);
void addSweep(const Command& app, CliContext& context);
void addWeights(const Command& app, CliContext& context);
void addWhatIf(const Command& app, CliContext& context);

}  // namespace lanelab
