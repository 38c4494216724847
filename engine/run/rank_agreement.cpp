// SPDX-License-Identifier: GPL-3.0-only
#include "engine/run/rank_agreement.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/fingerprint.h"
#include "base/json_text.h"
#include "base/utf8.h"
#include "engine/experiment/experiment_json.h"
#include "engine/record/environment.h"

namespace lanelab {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20U;  ///< what c10d's store holds under one key is limited
constexpr std::size_t kMostShown = 80;

struct Difference {
  std::string path;
  std::string first, other;  ///< values as JSON
};

/// Large values become their digest, so that only the key can be named.
Json shortened(const Json& all) {
  Json small = Json::object();
  for (const auto& [key, value] : all.items()) {
    const std::string text = jsonText(value);
    small[key] = text.size() > kMostBytes / 64 ? Json("digest " + hexDigits(fingerprintOf(text))) : value;
  }
  return small;
}

std::string shown(const std::string& text) {
  return text.size() <= kMostShown ? text : std::string(firstBytes(text, kMostShown)) + "...";
}

Difference differenceAt(const std::string& path, const Json* first, const Json* other) {
  const auto text = [](const Json* value) { return value ? shown(jsonText(*value)) : std::string("not set"); };
  return {path, text(first), text(other)};
}

std::optional<Difference> firstDifference(const Json& first, const Json& other, const std::string& path);

std::optional<Difference> differenceOfObjects(const Json& first, const Json& other, const std::string& path) {
  for (const auto& [key, value] : first.items()) {
    const auto there = other.find(key);
    if (there == other.end()) return differenceAt(joinPath(path, key), &value, nullptr);
    if (auto found = firstDifference(value, *there, joinPath(path, key))) return found;
  }
  for (const auto& [key, value] : other.items()) {
    if (!first.contains(key)) return differenceAt(joinPath(path, key), nullptr, &value);
  }
  return std::nullopt;
}

std::optional<Difference> differenceOfLists(const Json& first, const Json& other, const std::string& path) {
  for (std::size_t i = 0; i < std::max(first.size(), other.size()); ++i) {
    const Json* const mine = i < first.size() ? &first[i] : nullptr;
    const Json* const theirs = i < other.size() ? &other[i] : nullptr;
    if (!mine || !theirs) return differenceAt(indexPath(path, i), mine, theirs);
    if (auto found = firstDifference(*mine, *theirs, indexPath(path, i))) return found;
  }
  return std::nullopt;
}

bool holdsObjects(const Json& list) { return !list.empty() && list.front().is_object(); }

std::optional<Difference> firstDifference(const Json& first, const Json& other, const std::string& path) {
  if (first == other) return std::nullopt;
  if (first.is_object() && other.is_object()) return differenceOfObjects(first, other, path);
  const bool readable = jsonText(first).size() <= kMostShown && jsonText(other).size() <= kMostShown;
  const bool lists = first.is_array() && other.is_array();
  return lists && (!readable || holdsObjects(first)) ? differenceOfLists(first, other, path)
                                                     : differenceAt(path, &first, &other);
}

std::string fileName(const std::string& path) { return std::filesystem::path(path).filename().string(); }

}  // namespace

std::string rankAgreement(const Experiment& experiment, const AgreedOptions& options) {
  Experiment shared = experiment;
  shared.data.path = fileName(shared.data.path);
  if (shared.model.file) shared.model.file = fileName(*shared.model.file);
  if (shared.model.weights) shared.model.weights = fileName(*shared.model.weights);
  Json all = Json::object();
  all["version"] = lanelabVersion();
  for (const auto& [name, value] : options) all[name] = value;
  all.update(experimentToJson(shared));
  std::string text = jsonText(all);
  return text.size() <= kMostBytes ? text : jsonText(shortened(all));
}

std::string disagreement(const std::string& of_rank_0, const std::string& of_other, int other) {
  if (of_rank_0 == of_other) return {};
  const std::string rank = "rank " + std::to_string(other), subject = "Rank " + std::to_string(other);
  const Json first = Json::parse(of_rank_0, nullptr, false), second = Json::parse(of_other, nullptr, false);
  const auto difference = first.is_object() && second.is_object() ? firstDifference(first, second, {}) : std::nullopt;
  if (!difference || difference->path == "version") {
    const std::string versions =
        difference ? " (" + difference->first + " on rank 0 and " + difference->other + " on " + rank + ")" : "";
    return subject + " runs another version of LaneLab than rank 0" + versions +
           ". Start all ranks with the same version.";
  }
  return subject + (difference->path.rfind("--", 0) == 0 ? " has another option" : " has another experiment") +
         " than rank 0: " + difference->path + " is " + difference->first + " on rank 0 and " + difference->other +
         " on " + rank + ". Start all ranks with the same file and options.";
}

}  // namespace lanelab
