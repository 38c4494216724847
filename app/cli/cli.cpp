// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/cli.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>

#include <poll.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include "app/cli/help.h"
#include "base/terminal_text.h"
#include "base/termination.h"
#include "base/text.h"
#include "engine/library/library_packages.h"
#include "profiler/io/import/import_packages.h"

namespace lanelab {
namespace {

std::string programName(const CLI::App& app) {
  std::string name = app.get_name();
  for (const CLI::App* command : app.get_subcommands()) name += " " + programName(*command);
  return name;
}

std::vector<std::string> commandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

/// The command that was read last, of those within each other.
const CLI::App& chosenCommand(const CLI::App& app) {
  return app.get_subcommands().empty() ? app : chosenCommand(*app.get_subcommands().back());
}

// CLI11 would call an unknown command an unexpected argument.
std::string usageMessage(const CLI::App& app, const std::vector<std::string>& arguments, const CLI::ParseError& error) {
  if (arguments.empty()) return "No command is given. Choose one that --help lists.";
  const std::string& first = arguments.front();
  if (app.get_subcommands().empty() && first.rfind('-', 0) != 0)
    return "Unknown command \"" + first + "\": " + nearestHint(first, commandNames(app));
  const CLI::App& command = chosenCommand(app);
  if (&command != &app && !commandNames(command).empty() &&
      error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    const auto chosen = std::find(arguments.begin(), arguments.end(), command.get_name());
    if (chosen != arguments.end() && chosen + 1 != arguments.end() && !chosen[1].starts_with('-'))
      return "Unknown command \"" + chosen[1] + "\": " + nearestHint(chosen[1], commandNames(command));
  }
  std::string message = error.what();
  while (!message.empty() && (message.back() == '.' || message.back() == '\n')) message.pop_back();
  return message + ". See " + programName(app) + " --help.";
}

/// Whether standard output is a pipe whose reader has ended. Asked of the pipe: errno of the write that failed is gone.
bool readerHasLeft() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

/// Whether all that was printed has arrived. A reader that ends early, as head does, has what it asked for.
Status printed() {
  std::cout.flush();
  if (std::cout || readerHasLeft()) return {};
  return Error::failed("The result could not be written to standard output. Check that the disk is not full.");
}

int runChosen(const CLI::App& app, const CliContext& context) {
  Status status;
  try {
    status = context.work();
  } catch (const std::bad_alloc&) {
    status = Error::failed("Out of memory: choose a smaller batch, input or model, or close other programs.");
  } catch (const NotStarted& end) {
    status = end.error;
  } catch (const std::filesystem::filesystem_error& error) {
    status = Error::failed("{} cannot be used ({}). Check the name and the permissions.", error.path1().string(),
                           error.code().message());
  } catch (const std::exception& error) {
    status = Error::failed("Unexpected: {}", error.what());
  }
  const Status arrived = printed();
  if (status.ok()) status = arrived;
  if (!status.ok()) std::cerr << programName(app) << ": " << status.error().message << std::endl;
  dropFarewell();  // one sentence says how it ended, even if the teardown takes long after a signal
  return status.ok() ? EXIT_SUCCESS : exitCodeOf(status.error());
}

}  // namespace

void chosen(const Command& command, CliContext& context, std::function<Status()> work) {
  command.whenChosen([&context, work = std::move(work)] { context.work = work; });
}

bool hasCommand(std::span<const AddCommand> commands, const std::string& name) {
  CLI::App app;
  CliContext context;
  Command root(app);
  for (const auto add : commands) add(root, context);
  const std::vector<std::string> names = commandNames(app);
  return std::ranges::find(names, name) != names.end();
}

int runCli(std::span<const AddCommand> commands, std::vector<std::string> arguments) {
  reportFailedWrites();
  const TerminalStream output(std::cout), messages(std::cerr);
  CLI::App app("LaneLab: place a network on lanes, train it, and see where time went", "lanelab-cli");
  app.set_help_flag("-h, --help", "Print this help");
  app.set_version_flag("--version", LANELAB_VERSION, "Print the version");
  app.formatter_fn([](const CLI::App* shown, const std::string& name, CLI::AppFormatMode mode) {
    return mode == CLI::AppFormatMode::All ? manualPage(*shown, name) : helpText(*shown, name);
  });
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error&) { return std::string(); });

  std::stop_source source;
  CliContext context{source.get_token(), arguments, {}, {}};
  Command root(app);
  for (const auto add : commands) add(root, context);
  app.set_help_all_flag("--help-all", "Print the help of all commands as Markdown");  // last: of the program alone

  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them from the back
    if (const Status given = handDownOptions(app); !given.ok()) {
      std::cerr << programName(app) << ": " << given.error().message << std::endl;
      return kExitBadInput;
    }
  } catch (const CLI::Success& done) {
    const int exit_code = app.exit(done);  // --help and --version
    const Status arrived = printed();
    if (!arrived.ok()) std::cerr << programName(app) << ": " << arrived.error().message << std::endl;
    return arrived.ok() ? exit_code : EXIT_FAILURE;
  } catch (const CLI::ParseError& error) {
    std::cerr << programName(app) << ": " << usageMessage(app, arguments, error) << std::endl;
    return kExitBadInput;
  }
  const std::string at_line_begin = stderrIsTerminal() ? "\r\033[K" : "";  // progress may be on the line
  endOnSignals(source, at_line_begin + programName(app) + ": The command was cancelled.\n");
  const int exit_code = runChosen(app, context);
  if (context.leave) context.leave(exit_code);
  return exit_code;
}

bool stderrIsTerminal() { return isatty(STDERR_FILENO) == 1; }

Packages commandPackages() { return joined(joined(importPackages(), libraryPackages()), {{"CLI11", CLI11_VERSION}}); }

}  // namespace lanelab
