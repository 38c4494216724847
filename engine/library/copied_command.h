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

/// Of a command that reads an experiment, such as run, sweep or plan: "lanelab-cli run FILE --set key=value ...", the
/// file with the edits since it was saved. An experiment without a file, or with edits that --set cannot make, follows
/// in the command itself: "lanelab-cli run - <<'EOF' ...". `options` follow the experiment.
std::string experimentCommand(const std::string& command, const EditedExperiment& experiment,
                              const std::vector<std::string>& options = {});
/// Runs the experiment of a stored run again.
std::string repeatCommand(const std::string& run_folder);
/// Writes the report of a run to the file `out`.
std::string reportCommand(const std::string& run_folder, const std::string& out);
/// `place` is a run folder or a trace.
std::string gapsCommand(const std::string& place, const std::string& variant = {});
std::string compareCommand(const std::vector<std::string>& folders);

/// --set assignments that make `edited` of `stored`; none if no such assignments do.
std::optional<std::vector<std::string>> assignmentsBetween(const Experiment& stored, const Experiment& edited);

}  // namespace lanelab
