// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/run_labels.h"

#include <algorithm>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/json_table.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "engine/record/file_lock.h"

namespace lanelab {
namespace {

constexpr int kLabelsSchema = 1;
constexpr std::uint64_t kLargestLabels = 1U << 20U;

std::string labelsPath(const std::string& folder) { return (std::filesystem::path(folder) / "labels.json").string(); }

std::string withoutBlanks(const std::string& text) { return std::string(trimmed(text, " \t\r\n")); }

RunLabels tidied(const RunLabels& labels) {
  RunLabels tidy{withoutBlanks(labels.name), {}, labels.note, labels.star};
  for (const std::string& tag : labels.tags) addTag(tidy, tag);
  return tidy;
}

}  // namespace

void fieldsOf(auto& field, StructOf<RunLabels> auto& labels) {
  field.schema(kLabelsSchema);
  field("name", labels.name);
  field("tags", labels.tags);
  field("note", labels.note);
  field("star", labels.star);
}

Result<RunLabels> readLabels(const std::string& folder) {
  const std::string path = labelsPath(folder);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return RunLabels{};
  const Result<std::string> text = readWholeFile(path, kLargestLabels);
  if (!text.ok()) return text.error();
  return readJson(*text, path, [](FieldErrors& errors, const Json& value) {
    FieldReader field(errors, value, "");
    RunLabels labels;
    fieldsOf(field, labels);
    return tidied(labels);
  });
}

namespace {

Status writeLocked(const std::string& folder, RunLabels labels) {
  labels = tidied(labels);
  std::size_t tag_bytes = 0;
  for (const std::string& tag : labels.tags) tag_bytes += tag.size();
  if (std::max({labels.name.size(), labels.note.size(), tag_bytes}) > kMostLabelBytes)
    return Error::badInput("Name, note and tags of a run may each have at most 64 KiB. Use a shorter text.");
  const std::string path = labelsPath(folder);
  if (labels != RunLabels{}) return writeFileAtomically(path, prettyJson(jsonOf(labels)), Durable::No);
  std::error_code error;
  std::filesystem::remove(path, error);
  if (error) return writeError(error.value(), "{} cannot be removed: {}.", path, reasonNotWritten(error.value()));
  return {};
}

}  // namespace

Status changeLabels(const std::string& folder, const std::function<void(RunLabels&)>& change) {
  const Result<FileLock> lock = lockToChange(labelsPath(folder));
  if (!lock.ok()) return lock.error();
  Result<RunLabels> labels = readLabels(folder);
  if (!labels.ok()) return labels.error();
  change(*labels);
  return writeLocked(folder, std::move(*labels));
}

void addTag(RunLabels& labels, const std::string& tag) {
  const std::string text = withoutBlanks(tag);
  if (!text.empty() && std::ranges::find(labels.tags, text) == labels.tags.end()) labels.tags.push_back(text);
}

void removeTag(RunLabels& labels, const std::string& tag) { std::erase(labels.tags, withoutBlanks(tag)); }

}  // namespace lanelab
