// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/runs_option.h"

#include <filesystem>
#include <system_error>
#include <vector>

#include "engine/library/run_folders.h"
#include "engine/library/run_labels.h"
#include "engine/record/run_store.h"

namespace lanelab {

namespace {

/// Read from their labels: an index would be written by a command that only looks.
std::vector<std::string> foldersNamed(const std::string& name, const std::vector<std::string>& roots) {
  std::vector<std::string> folders;
  std::error_code error;
  for (const std::string& root : roots) {
    for (const auto& entry : std::filesystem::directory_iterator(root, error)) {
      const Result<RunLabels> labels = readLabels(entry.path().string());
      if (labels.ok() && labels->name == name) folders.push_back(entry.path().string());
    }
  }
  return folders;
}

}  // namespace

Option addRunsOption(const Command& command, std::string& runs) {
  return command.option("--runs DIR", runs,
                        "Folder of the runs (default: lanelab/runs in $XDG_DATA_HOME, or in ~/.local/share)");
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
  const std::vector<std::string> named = foldersNamed(word, roots);
  return named.size() == 1 ? named.front() : word;
}

}  // namespace lanelab
