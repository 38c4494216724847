// SPDX-License-Identifier: GPL-3.0-only
// runs delete, restore, trash: deleted runs can be restored for 30 days.
#include <iostream>

#include "app/cli/runs/runs.h"
#include "app/cli/runs_option.h"
#include "base/shell_text.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/library/run_trash.h"

namespace lanelab {
namespace {

struct TrashArguments {
  std::string runs;
  std::vector<std::string> words;
  bool empty = false;
};

/// What was deleted long ago. A run that cannot be removed is tried again next time.
void emptyOfOldRuns(const RunFolders& folders) {
  for (const std::string& root : folders.all()) {
    [[maybe_unused]] const Result<int> removed = emptyTrash(root);
  }
}

Status deleteRuns(const TrashArguments& options, const std::stop_token& stop) {
  const Result<std::vector<RunEntry>> found = findRuns(options.words, options.runs, stop);
  if (!found.ok()) return found.error();
  emptyOfOldRuns(chosenFolders(options.runs));
  for (const RunEntry& run : *found) {
    const Result<TrashedRun> trashed = trashRun(run.folder);
    if (!trashed.ok()) return trashed.error();
    std::cout << "Deleted " << trashed->original << ". To restore it: lanelab-cli runs restore " << run.id
              << (options.runs.empty() ? "" : " --runs " + shellWord(options.runs)) << "\n";
  }
  return {};
}

std::vector<TrashedRun> allTrashed(const RunFolders& folders) {
  std::vector<TrashedRun> all;
  for (const std::string& root : folders.all()) {
    const std::vector<TrashedRun> runs = trashedRuns(root);
    all.insert(all.end(), runs.begin(), runs.end());
  }
  return all;
}

std::string idOf(const TrashedRun& run) { return run.original.substr(run.original.rfind('/') + 1); }

/// The one that was deleted last, of those with this id.
Result<TrashedRun> findTrashed(const std::vector<TrashedRun>& runs, const std::string& id) {
  for (const TrashedRun& run : runs)
    if (idOf(run) == id || run.original == id || run.folder == id) return run;
  return Error::badInput("There is no deleted run \"{}\". lanelab-cli runs trash lists them.", id);
}

Status restoreRuns(const TrashArguments& options) {
  const std::vector<TrashedRun> trashed = allTrashed(chosenFolders(options.runs));
  for (const std::string& word : options.words) {
    const Result<TrashedRun> run = findTrashed(trashed, word);
    if (!run.ok()) return run.error();
    const Result<std::string> restored = restoreRun(*run);
    if (!restored.ok()) return restored.error();
    std::cout << *restored << "\n";
  }
  return {};
}

Status emptyAll(const RunFolders& folders) {
  int removed = 0;
  for (const std::string& root : folders.all()) {
    const Result<int> count = emptyTrash(root, 0);
    if (!count.ok()) return count.error();
    removed += *count;
  }
  std::cout << "Removed " << counted(removed, "run") << " for good.\n";
  return {};
}

Status showTrash(const TrashArguments& options) {
  const RunFolders folders = chosenFolders(options.runs);
  if (options.empty) return emptyAll(folders);
  emptyOfOldRuns(folders);
  const std::vector<TrashedRun> runs = allTrashed(folders);
  if (runs.empty()) {
    std::cerr << "The trash is empty.\n";
    return {};
  }
  std::vector<TextRow> rows = {{"ID", "Deleted (UTC)", "From"}};
  for (const TrashedRun& run : runs) rows.push_back({idOf(run), run.deleted, run.original});
  const std::size_t columns = rows.front().size();
  std::cout << textTable(std::move(rows), columns);
  return {};
}

}  // namespace

void addRunTrash(const Command& runs, CliContext& context) {
  const Command remove =
      runs.subcommand("delete", "Move runs to the trash, from which they can be restored for 30 days");
  const auto deleted = std::make_shared<TrashArguments>();
  remove.option("RUN", deleted->words, "Run folders, ids or their begins, or names").required();
  addRunsOption(remove, deleted->runs);
  remove.help({.examples = {"runs delete demo-20261122-214712", "runs delete night-1 night-2"}});
  chosen(remove, context, [deleted, &context] { return deleteRuns(*deleted, context.stop); });

  const Command restore = runs.subcommand("restore", "Restore deleted runs");
  const auto restored = std::make_shared<TrashArguments>();
  restore.option("ID", restored->words, "Ids of deleted runs, as runs trash lists them").required();
  addRunsOption(restore, restored->runs);
  restore.help({.examples = {"runs restore demo-20261122-214712", "runs restore night-1 night-2"}});
  chosen(restore, context, [restored] { return restoreRuns(*restored); });

  const Command trash = runs.subcommand("trash", "List deleted runs, or remove them for good");
  const auto shown = std::make_shared<TrashArguments>();
  trash.flag("--empty", shown->empty, "Remove all deleted runs for good");
  addRunsOption(trash, shown->runs);
  trash.help({.examples = {"runs trash", "runs trash --empty"}});
  chosen(trash, context, [shown] { return showTrash(*shown); });
}

}  // namespace lanelab
