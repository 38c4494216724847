// SPDX-License-Identifier: GPL-3.0-only
// runs folders, rebuild, import: which folders are listed, their index, and archives of runs.
#include <filesystem>
#include <iostream>

#include "app/cli/progress_lines.h"
#include "app/cli/runs/runs.h"
#include "app/cli/runs_option.h"
#include "base/text.h"
#include "engine/library/run_archive.h"

namespace lanelab {
namespace {

struct FolderArguments {
  std::string runs;
  std::string add;
  std::string remove;
};

struct ArchiveArguments {
  std::string runs;
  std::vector<std::string> archives;
};

Status changeFolders(const FolderArguments& options) {
  if (!options.add.empty())
    if (const Status added = addRunFolder(options.add); !added.ok()) return added;
  if (!options.remove.empty())
    if (const Status removed = removeRunFolder(options.remove); !removed.ok()) return removed;
  for (const std::string& folder : chosenFolders(options.runs).all()) {
    std::error_code error;
    std::cout << folder << (std::filesystem::is_directory(folder, error) ? "" : "  (absent)") << "\n";
  }
  return {};
}

Status rebuild(const FolderArguments& options, const std::stop_token& stop) {
  RunIndex index(chosenFolders(options.runs).all());
  index.rebuild(stop);
  if (stop.stop_requested()) return Error::cancelled("The index was not rebuilt: the command was cancelled.");
  std::cout << "Indexed " << counted(static_cast<std::int64_t>(index.entries().size()), "run") << ".\n";
  return {};
}

Status importArchives(const ArchiveArguments& options, const std::stop_token& stop) {
  const std::string folder = chosenFolders(options.runs).own;
  for (const std::string& archive : options.archives) {
    const Result<std::string> run = [&] {
      ProgressLines lines(ProgressLines::Length::MostlyShort);
      return importRunArchive(archive, folder, {lines.report(), stop});
    }();
    if (!run.ok()) return run.error();
    std::cout << *run << "\n";
  }
  return {};
}

void addImportOfRuns(const Command& runs, CliContext& context) {
  const Command command = runs.subcommand("import", "Extract runs from archives that export --what archive wrote");
  const auto options = std::make_shared<ArchiveArguments>();
  command.option("FILE", options->archives, "One or more archives").required();
  addRunsOption(command, options->runs);
  command.help({.examples = {"runs import demo.zip", "runs import demo.zip --runs shared"}});
  chosen(command, context, [options, &context] { return importArchives(*options, context.stop); });
}

}  // namespace

void addRunFolderList(const Command& runs, CliContext& context) {
  const Command folders = runs.subcommand("folders", "Print the folders whose runs are listed, add or remove one");
  const auto listed = std::make_shared<FolderArguments>();
  const Option add = folders.option("--add DIR", listed->add, "List the runs of this folder, too");
  const Option remove =
      folders.option("--remove DIR", listed->remove, "Do not list the runs of this folder; its files remain");
  addRunsOption(folders, listed->runs).excludes(add).excludes(remove);  // both change the user's list
  folders.help({.examples = {"runs folders", "runs folders --add ./runs"}});
  chosen(folders, context, [listed] { return changeFolders(*listed); });

  addImportOfRuns(runs, context);
  const Command command = runs.subcommand("rebuild", "Read all runs again and make their index from scratch");
  const auto options = std::make_shared<FolderArguments>();
  addRunsOption(command, options->runs);
  command.help({.examples = {"runs rebuild", "runs rebuild --runs ./runs"}});
  chosen(command, context, [options, &context] { return rebuild(*options, context.stop); });
}

}  // namespace lanelab
