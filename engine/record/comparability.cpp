// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/comparability.h"

#include <map>

#include "base/text.h"
#include "engine/experiment/experiment_json.h"

namespace lanelab {
namespace {

std::string settingText(const Json& value) { return value.is_string() ? value.get<std::string>() : jsonText(value); }
std::string numberOrEmpty(const std::optional<int>& value) { return value ? std::to_string(*value) : std::string(); }

/// Settings in the order in which they were first seen.
struct Settings {
  std::vector<std::string> keys;
  std::map<std::string, std::string> texts;

  void add(const std::string& key, std::string text) {
    if (texts.insert_or_assign(key, std::move(text)).second) keys.push_back(key);
  }
  std::string at(const std::string& key) const {
    const auto found = texts.find(key);
    return found == texts.end() ? std::string() : found->second;
  }
};

bool isListOfObjects(const Json& value) { return value.is_array() && !value.empty() && value.front().is_object(); }

void flatten(const Json& value, const std::string& key, Settings& settings);

/// Variants go by their names, which remain when one is added or removed; lanes by their index.
void flattenList(const Json& list, const std::string& key, Settings& settings) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (key == "variants") {
      const std::string name = joinPath(key, list[i].value("name", std::to_string(i)));
      settings.add(name, "present");
      flatten(list[i], name, settings);
    } else {
      flatten(list[i], indexPath(key, i), settings);
    }
  }
}

void flatten(const Json& value, const std::string& key, Settings& settings) {
  if (isListOfObjects(value)) return flattenList(value, key, settings);
  if (!value.is_object()) return settings.add(key, value.is_null() ? std::string() : settingText(value));
  for (const auto& [name, part] : value.items()) flatten(part, joinPath(key, name), settings);
}

Settings settingsOf(const Experiment& experiment) {
  Settings settings;
  flatten(experimentToJson(experiment), {}, settings);
  return settings;
}

/// Whether a variant that only one side has was named already, so that its settings need not be.
bool isPartOf(const std::string& key, const std::vector<SettingDifference>& named) {
  for (const SettingDifference& difference : named) {
    const bool whole_variant = difference.a == "present" || difference.b == "present";
    if (whole_variant && key.starts_with(difference.key + ".")) return true;
  }
  return false;
}

void compareSetting(const char* key, const std::string& a, const std::string& b, Comparability::Kind kind,
                    Comparability& result) {
  if (a == b) return;
  result.differences.push_back({key, a, b});
  result.kind = std::max(result.kind, kind);
}

/// What a reader calls the setting.
Message settingWord(const std::string& key) {
  static const std::map<std::string, Message> kWords = {
      {"model.arch", sentence("model")},        {"model.classes", sentence("classes")},
      {"data.source", sentence("data source")}, {"data.path", sentence("data")},
      {"data.shape", sentence("input size")},   {"data.batch", sentence("batch")},
      {"data.steps", sentence("steps")},        {"data.epochs", sentence("epochs")},
      {"data.rows", sentence("samples")}};
  const auto word = kWords.find(key);
  return word == kWords.end() ? verbatim(key) : word->second;
}

/// "model resnet18 and resnet50".
Message differenceWords(const SettingDifference& difference) {
  const auto shown = [](const std::string& value) { return value.empty() ? sentence("not set") : verbatim(value); };
  return sentence("{} {} and {}", settingWord(difference.key), shown(difference.a), shown(difference.b));
}

}  // namespace

RunWork workOf(const Experiment& experiment) {
  const DataConfig& data = experiment.data;
  return {experiment.model.title(),
          experiment.model.classes,
          toWord(data.source),
          data.path,
          formatShape(data.shape),
          data.batch,
          data.epochs ? 0 : data.steps,
          data.epochs,
          data.rows};
}

Comparability comparability(const RunWork& a, const RunWork& b) {
  using enum Comparability::Kind;
  Comparability result;
  compareSetting("model.arch", a.arch, b.arch, No, result);
  compareSetting("model.classes", std::to_string(a.classes), std::to_string(b.classes), No, result);
  compareSetting("data.source", a.source, b.source, No, result);
  compareSetting("data.path", a.path, b.path, No, result);
  compareSetting("data.shape", a.shape, b.shape, No, result);
  compareSetting("data.batch", std::to_string(a.batch), std::to_string(b.batch), PerSample, result);
  const auto steps = [](const RunWork& work) { return work.epochs ? std::string() : std::to_string(work.steps); };
  compareSetting("data.steps", steps(a), steps(b), PerSample, result);
  compareSetting("data.epochs", numberOrEmpty(a.epochs), numberOrEmpty(b.epochs), PerSample, result);
  compareSetting("data.rows", numberOrEmpty(a.rows), numberOrEmpty(b.rows), PerSample, result);
  return result;
}

Message differenceText(const Comparability& comparability) {
  Message text;
  for (const SettingDifference& difference : comparability.differences)
    text = text.message.empty() ? differenceWords(difference) : sentence("{}, {}", text, differenceWords(difference));
  return text;
}

std::vector<SettingDifference> settingsThatDiffer(const Experiment& a, const Experiment& b) {
  const Settings first = settingsOf(a), second = settingsOf(b);
  std::vector<std::string> keys = first.keys;
  for (const std::string& key : second.keys)
    if (!first.texts.contains(key)) keys.push_back(key);
  std::vector<SettingDifference> differences;
  for (const std::string& key : keys) {
    const std::string in_a = first.at(key), in_b = second.at(key);
    if (in_a != in_b && !isPartOf(key, differences)) differences.push_back({key, in_a, in_b});
  }
  return differences;
}

}  // namespace lanelab
