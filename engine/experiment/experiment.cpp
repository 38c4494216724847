// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/experiment.h"

#include <filesystem>

#include "base/parse_number.h"
#include "base/shipped_path.h"
#include "base/text.h"
#include "engine/experiment/experiment_json.h"
#include "engine/experiment/experiment_source.h"

namespace lanelab {
namespace {

std::string placedAt(const std::string& path, const std::filesystem::path& folder) {
  if (path.empty() || isShipped(path) || std::filesystem::path(path).is_absolute()) return path;
  return (folder / path).lexically_normal().string();
}

std::optional<std::size_t> indexOf(const Json& list, const std::string& part) {
  if (const auto index = parseNumber<std::size_t>(part)) return *index < list.size() ? index : std::nullopt;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].is_object() && list[i].contains("name") && list[i]["name"].is_string() &&
        slug(list[i]["name"].get<std::string>()) == slug(part))
      return i;
  }
  return std::nullopt;
}

/// The child that `part` names, made when an object has no such key. Null: an error was put into `problem`.
Json* childOf(Json& parent, const std::string& part, std::string& problem) {
  if (parent.is_null()) parent = Json::object();
  if (parent.is_object()) return &parent[part];
  if (!parent.is_array()) {
    problem = "\"" + part + "\" is below a plain value";
    return nullptr;
  }
  const auto index = indexOf(parent, part);
  if (!index) {
    problem =
        "\"" + part + "\" is none of the " + std::to_string(parent.size()) + " elements (counted from 0, or by name)";
    return nullptr;
  }
  return &parent[*index];
}

Json valueOf(const std::string& text) {
  Result<Json> value = parseJsonText(text, "");
  return value.ok() ? std::move(*value) : Json(text);
}

/// What a user types at a prompt counts from where they stand, not from where the file lies.
std::string withPathFromHere(const std::string& assignment) {
  for (const std::string key : {"data.path=", "model.file=", "model.weights="}) {
    if (!assignment.starts_with(key)) continue;
    const Json value = valueOf(assignment.substr(key.size()));
    if (value.is_string() && isShipped(value.get<std::string>())) return assignment;
    std::error_code error;
    const std::filesystem::path path =
        value.is_string() ? std::filesystem::absolute(value.get<std::string>(), error) : std::filesystem::path();
    if (!path.empty() && !error) return key + jsonText(path.string());
  }
  return assignment;
}

/// An experiment has one of the two: who sets one of them means no longer the other.
void dropReplaced(Json& root, const std::vector<std::string_view>& parts) {
  if (parts.size() != 2 || parts.front() != "model") return;
  if (parts.back() == "file") root["model"].erase("arch");
  if (parts.back() != "arch") return;
  root["model"].erase("file");
  root["model"].erase("blocks");
}

Error withName(const std::string& name, const Error& error) { return {error.kind, sentence("{}: {}", name, error)}; }

}  // namespace

std::string ModelConfig::title() const {
  return file ? std::filesystem::path(withoutShipped(*file)).stem().string() : arch;
}

int optimizerStates(const TrainingConfig& training) {
  return training.optimizer == OptimizerKind::Adam ? 2 : training.momentum != 0 ? 1 : 0;
}

Result<Experiment> parseExperiment(std::string_view json, const std::string& place) {
  return readJson(json, place,
                  [](FieldErrors& errors, const Json& value) { return experimentFromJson(errors, value, ""); });
}

Result<Experiment> readExperiment(const std::string& path, const std::vector<std::string>& assignments) {
  Result<std::string> text = readExperimentText(path);
  if (!text.ok()) return text.error();
  for (const std::string& assignment : assignments) {
    Result<std::string> changed = setJsonValue(*text, withPathFromHere(assignment));
    if (!changed.ok()) return withName(path, changed.error());
    text = std::move(changed);
  }
  Result<Experiment> experiment = parseExperiment(*text, path);
  if (!experiment.ok()) return experiment;
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::absolute(path, ignored).parent_path();  // the current for "-"
  experiment->data.path = placedAt(experiment->data.path, folder);
  if (experiment->model.file) experiment->model.file = placedAt(*experiment->model.file, folder);
  if (experiment->model.weights) experiment->model.weights = placedAt(*experiment->model.weights, folder);
  return experiment;
}

std::string toJson(const Experiment& experiment) { return prettyJson(experimentToJson(experiment)); }

Result<std::string> setJsonValue(const std::string& json, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  // "variants[2].split_size" as "variants", "2", "split_size".
  const std::vector<std::string_view> parts = partsBetween(std::string_view(assignment).substr(0, equals), ".[]");
  if (equals == std::string::npos || parts.empty()) {
    return Error::badInput("--set {}: write KEY=VALUE, such as training.lr=0.1 or variants[2].split_size=12.",
                           assignment);
  }
  Result<Json> root = parseJsonText(json, "the experiment");
  if (!root.ok()) return root.error();
  Json* at = &*root;
  std::string problem;
  for (const std::string_view part : parts) {
    at = childOf(*at, std::string(part), problem);
    if (at == nullptr) return Error::badInput("--set {}: {}.", assignment, problem);
  }
  *at = valueOf(assignment.substr(equals + 1));
  dropReplaced(*root, parts);
  return prettyJson(*root);
}

}  // namespace lanelab
