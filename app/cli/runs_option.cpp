// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/runs_option.h"

#include <filesystem>

#include "engine/library/run_folders.h"
#include "engine/library/run_index.h"
#include "engine/library/run_query.h"
#include "engine/record/run_store.h"

namespace lanelab {

void addRunsOption(const Command& command, std::string& runs) {
  command.option("--runs", runs, "Folder of the runs (default: lanelab/runs in $XDG_DATA_HOME, or in ~/.local/share)")
      .typeName("DIR");
}

std::string newRunFolder(const std::string& out, const std::string& runs, const std::string& experiment_name) {
  return out.empty() ? defaultRunPath(runFolders(runs).own, experiment_name) : out;
}

std::string folderOfRun(const std::string& word) {
  std::error_code error;
  if (word.empty() || word.find('/') != std::string::npos || std::filesystem::exists(word, error)) return word;
  const std::vector<std::string> roots = runFolders({}).all();
  for (const std::string& root : roots) {
    const std::string folder = (std::filesystem::path(root) / word).string();
    if (holdsRun(folder)) return folder;
  }
  RunIndex index(roots);
  index.refresh();
  const Result<RunEntry> named = findRun(index.entries(), word);
  return named.ok() ? named->folder : word;
}

}  // namespace lanelab
