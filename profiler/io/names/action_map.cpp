// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/names/action_map.h"

#include <algorithm>

#include "base/json_fields.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "profiler/io/names/built_in_names.h"

namespace lanelab {

namespace {

using Need = ObjectReader::Need;

constexpr std::uint64_t kMostBytes = 1U << 20U;
constexpr std::size_t kMostNames = 1000;

/// `"word"`, for sentences.
std::string quoted(const std::string& word) { return jsonText(Json(word)); }

class ActionMapReader {
 public:
  explicit ActionMapReader(FieldErrors& errors) : m_errors(errors) {}

  ActionMap read(const Json& json) {
    ObjectReader file(m_errors, json, "");
    file.refuseUnknown({"$schema", "names", "arguments"});
    std::string ignored;
    file.read("$schema", ignored);
    if (const Json* const names = file.list("names", Need::Yes)) readNames(*names);
    if (const Json* const arguments = file.object("arguments")) readArguments(*arguments);
    return std::move(m_map);
  }

 private:
  void readNames(const Json& names) {
    if (names.empty()) m_errors.add("names is empty. Add a name, such as {\"name\": \"fwd*\", \"does\": \"forward\"}.");
    if (names.size() > kMostNames) m_errors.add("names has more than " + std::to_string(kMostNames) + " entries.");
    for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) readName(names[i], indexPath("names", i));
  }

  void readName(const Json& json, const std::string& path) {
    ObjectReader entry(m_errors, json, path);
    entry.refuseUnknown({"name", "does", "group"});
    std::string name, group;
    entry.read("name", name, Need::Yes);
    entry.read("group", group);
    std::vector<WorkPart> does;
    if (const Json* const words = entry.find("does"))
      does = workOf(*words, entry.pathOf("does"));
    else
      m_errors.add(entry.pathOf("does") + " is missing. Add it: " + joinOr(workWords()) + ".");
    const Result<NamePattern> pattern = NamePattern::parse(name);
    if (!pattern.ok()) m_errors.add(entry.pathOf("name") + " " + pattern.error().message);
    const GroupKind kind = group.empty() ? GroupKind::Unknown : groupOf(group, entry.pathOf("group"));
    if (m_errors.first()) return;
    m_map.names.push_back(name);
    m_map.rules.add({*pattern, std::move(does), kind, false});
  }

  /// A word, or a list of those of a call that sends and receives.
  std::vector<WorkPart> workOf(const Json& json, const std::string& path) {
    const std::vector<Json> words = json.is_array() ? json.get<std::vector<Json>>() : std::vector<Json>{json};
    std::vector<WorkPart> parts;
    for (const Json& word : words) {
      const std::vector<std::string> known = workWords();
      const std::string text = word.is_string() ? word.get<std::string>() : std::string();
      if (std::ranges::find(known, text) == known.end()) {
        m_errors.add(path + " is " + describeJson(word) + ", which is not known: " + nearestHint(text, known));
        return {};
      }
      parts.push_back(*workOfWord(text));
    }
    const bool moves = std::ranges::all_of(parts, &WorkPart::moves);
    if (parts.empty() || (parts.size() > 1 && !moves))
      m_errors.add(path + " must be a word, or a list of what one call sends and receives.");
    return parts;
  }

  GroupKind groupOf(const std::string& word, const std::string& path) {
    if (const auto kind = fromWord<GroupKind>(word)) return *kind;
    m_errors.add(path + " is " + quoted(word) + ", which is not known: " + nearestHint(word, words<GroupKind>()));
    return GroupKind::Unknown;
  }

  void readArguments(const Json& json) {
    ObjectReader arguments(m_errors, json, "arguments");
    arguments.refuseUnknown(words<NameNumber>());
    for (const Word<NameNumber>& number : wordTable(NameNumber{})) {
      const std::string word(number.text);
      std::string& argument = m_map.arguments[static_cast<std::size_t>(number.value)];
      arguments.read(word.c_str(), argument);
      if (arguments.has(word.c_str()) && argument.empty())
        m_errors.add(arguments.pathOf(word.c_str()) + " is empty. Name an argument, or leave the key out.");
    }
  }

  FieldErrors& m_errors;
  ActionMap m_map;
};

Json numberSchema(const char* description) {
  return {{"type", "string"}, {"minLength", 1}, {"description", description}};
}

}  // namespace

bool ActionMap::readsArguments() const {
  return std::ranges::any_of(arguments, [](const std::string& argument) { return !argument.empty(); });
}

Result<SharedActionMap> parseActionMap(std::string_view text, const std::string& place) {
  Result<ActionMap> map =
      readJson(text, place, [](FieldErrors& errors, const Json& json) { return ActionMapReader(errors).read(json); });
  if (!map.ok()) return map.error();
  map->place = place;
  return SharedActionMap(std::make_shared<const ActionMap>(std::move(*map)));
}

Result<SharedActionMap> readActionMap(const std::string& path) {
  const Result<std::string> text = readWholeFile(path, kMostBytes);
  if (!text.ok()) return text.error();
  return parseActionMap(*text, path);
}

std::string actionMapSchema() {
  const Json does{{"enum", workWords()}};
  const Json name{
      {"type", "object"},
      {"additionalProperties", false},
      {"required", Json::array({"name", "does"})},
      {"properties",
       {{"name",
         {{"type", "string"},
          {"minLength", 1},
          {"description",
           "The name, or several: * stands for any characters, {step}, {stage}, {micro_batch} and {replica} for a "
           "whole number. A backslash makes the next character plain. Of several entries the first one that is for a "
           "name holds, before the built-in names."}}},
        {"does",
         {{"anyOf", Json::array({does, Json{{"type", "array"}, {"minItems", 1}, {"items", does}}})},
          {"description",
           "What a span of the name does; of one call that sends and receives a list. A send or receive is named "
           "after the pass whose result it carries. backward-input and backward-weight are the halves of a backward "
           "that is split, step is a span around a step."}}},
        {"group",
         {{"enum", words<GroupKind>()},
          {"description", "The process group of a collective, send or receive, if the file does not say it."}}}}}};
  const Json arguments{
      {"type", "object"},
      {"additionalProperties", false},
      {"description",
       "Arguments of spans of these names (args in Chrome's format) that hold numbers. The name itself goes before."},
      {"properties",
       {{"step", numberSchema("The step.")},
        {"stage", numberSchema("The stage of the pipeline, from 0, of the rank that recorded the span.")},
        {"micro_batch", numberSchema("The micro-batch, from 0 in each step.")},
        {"replica", numberSchema("The data-parallel replica, from 0.")}}}};
  const Json schema{
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"$id", "actions.schema.json"},
      {"title", "LaneLab actions"},
      {"description", "What the names of spans mean, for traces of other programs. Comments are allowed."},
      {"type", "object"},
      {"additionalProperties", false},
      {"required", Json::array({"names"})},
      {"properties",
       {{"$schema", {{"type", "string"}, {"description", "The schema, for editors."}}},
        {"names", {{"type", "array"}, {"minItems", 1}, {"maxItems", kMostNames}, {"items", name}}},
        {"arguments", arguments}}}};
  return prettyJson(schema) + "\n";
}

std::optional<NamedWork> namedWorkOf(std::string_view name, const ActionMap* map) {
  if (map != nullptr) {
    if (std::optional<NameRules::Found> found = map->rules.find(name)) {
      found->work.mapped = static_cast<int>(found->rule);
      return std::move(found->work);
    }
  }
  if (std::optional<NameRules::Found> found = builtInRules().find(name)) return std::move(found->work);
  return std::nullopt;
}

}  // namespace lanelab
