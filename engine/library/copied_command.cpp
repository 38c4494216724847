// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/copied_command.h"

#include "base/shell_text.h"
#include "engine/experiment/experiment_json.h"

namespace lanelab {
namespace {

constexpr const char* kProgram = "lanelab-cli";
constexpr std::size_t kMostAssignments = 12;  ///< a longer line is harder to read than the experiment

/// A text is written as it is, unless it would be read as another value of JSON.
std::string assignedText(const Json& value) {
  if (!value.is_string()) return jsonText(value);
  const std::string text = value.get<std::string>();
  return parseJsonText(text, "").ok() ? jsonText(value) : text;
}

bool canGoInto(const Json& stored, const Json& edited) {
  if (stored.is_object() && edited.is_object()) return true;
  return stored.is_array() && edited.is_array() && stored.size() == edited.size() && !stored.empty() &&
         stored.front().is_object();
}

/// False if a value would have to be removed, which --set cannot do.
bool addAssignments(const Json& stored, const Json& edited, const std::string& key, std::vector<std::string>& to) {
  if (stored == edited) return true;
  if (!canGoInto(stored, edited)) {
    to.push_back(key + "=" + assignedText(edited));
    return true;
  }
  if (edited.is_array()) {
    for (std::size_t i = 0; i < edited.size(); ++i)
      if (!addAssignments(stored[i], edited[i], indexPath(key, i), to)) return false;
    return true;
  }
  for (const auto& [name, value] : stored.items())
    if (!edited.contains(name)) return false;
  for (const auto& [name, value] : edited.items())
    if (!addAssignments(stored.value(name, Json()), value, joinPath(key, name), to)) return false;
  return true;
}

bool make(const Experiment& stored, const std::vector<std::string>& assignments, const Experiment& edited) {
  std::string json = toJson(stored);
  for (const std::string& assignment : assignments) {
    Result<std::string> changed = setJsonValue(json, assignment);
    if (!changed.ok()) return false;
    json = std::move(*changed);
  }
  const Result<Experiment> result = parseExperiment(json, "the experiment");
  return result.ok() && *result == edited;
}

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

}  // namespace

std::optional<std::vector<std::string>> assignmentsBetween(const Experiment& stored, const Experiment& edited) {
  std::vector<std::string> assignments;
  if (stored == edited) return assignments;
  if (!addAssignments(experimentToJson(stored), experimentToJson(edited), {}, assignments)) return std::nullopt;
  if (assignments.size() > kMostAssignments || !make(stored, assignments, edited)) return std::nullopt;
  return assignments;
}

std::string experimentCommand(const std::string& command, const EditedExperiment& experiment,
                              const std::vector<std::string>& options) {
  const auto assignments = experiment.file.empty() || !experiment.stored
                               ? std::nullopt
                               : assignmentsBetween(*experiment.stored, experiment.experiment);
  std::vector<std::string> words = {kProgram, command};
  if (!assignments) {
    words.emplace_back("-");
    append(words, options);
    return shellLine(words) + " <<'EOF'\n" + toJson(experiment.experiment) + "EOF";
  }
  words.push_back(experiment.file);
  for (const std::string& assignment : *assignments) append(words, {"--set", assignment});
  append(words, options);
  return shellLine(words);
}

std::string repeatCommand(const std::string& run_folder) {
  return shellLine(std::vector<std::string>{kProgram, "run", run_folder});
}

std::string reportCommand(const std::string& run_folder, const std::string& out) {
  return shellLine(
      std::vector<std::string>{kProgram, "export", run_folder, "--what", "report", "--format", "html", "--out", out});
}

std::string gapsCommand(const std::string& place, const std::string& variant) {
  std::vector<std::string> words = {kProgram, "gaps", place};
  if (!variant.empty()) append(words, {"--variant", variant});
  return shellLine(words);
}

std::string compareCommand(const std::vector<std::string>& folders) {
  std::vector<std::string> words = {kProgram, "compare"};
  append(words, folders);
  return shellLine(words);
}

}  // namespace lanelab
