// SPDX-License-Identifier: GPL-3.0-only
// Command lines of lanelab-cli that do what the window does: for "Copy as Command", and for run.json of a run that the
// window started. Each is what a POSIX shell takes as it is. Pure, apart from looking at the experiment's file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/experiment/experiment.h"

namespace lanelab {

/// An experiment as it is edited, and the file that it was read from.
struct EditedExperiment {
  Experiment experiment;
  std::string file = {};                  ///< empty: it was never saved
  std::optional<Experiment> stored = {};  ///< what the file holds; none if that is not known
};

/// What follows the experiment in a command line.
struct RunChoices {
  std::string out = {};   ///< empty: the command's own choice
  std::string runs = {};  ///< empty: the user's folder
  bool save_weights = false;
  bool resume = false;
  bool force = false;
};

/// "lanelab-cli run FILE --set key=value ...": the file with the edits since it was saved. An experiment without a
/// file, or with edits that --set cannot make, follows in the command itself: "lanelab-cli run - <<'EOF' ...".
std::string runCommand(const EditedExperiment& experiment, const RunChoices& choices = {});
/// Runs the experiment of a stored run again.
std::string repeatCommand(const std::string& run_folder);
/// Of the first pipeline variant. No sizes: the usual ones.
std::string sweepCommand(const EditedExperiment& experiment, const std::vector<int>& split_sizes);
std::string planCommand(const EditedExperiment& experiment, int stages, const std::vector<std::string>& options = {});
/// Any other command that reads an experiment, such as simulate, check or profile.
std::string experimentCommand(const std::string& command, const EditedExperiment& experiment,
                              const std::vector<std::string>& options = {});

/// `format` may be empty for what has only one.
std::string exportCommand(const std::string& folder, const std::string& what, const std::string& format,
                          const std::string& out, const std::string& variant = {});
/// `place` is a run folder or a trace.
std::string gapsCommand(const std::string& place, const std::string& variant = {});
std::string compareCommand(const std::vector<std::string>& folders, const std::string& baseline = {});

/// --set assignments that make `edited` of `stored`; none if no such assignments do.
std::optional<std::vector<std::string>> assignmentsBetween(const Experiment& stored, const Experiment& edited);

}  // namespace lanelab
