// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/experiment_schema.h"

#include <cmath>
#include <map>
#include <type_traits>

#include "engine/experiment/experiment_json.h"

namespace lanelab {
namespace {

/// A limit as JSON has it: whole where it is whole.
Json number(double limit) { return std::trunc(limit) == limit ? Json(static_cast<std::int64_t>(limit)) : Json(limit); }

template <Described S>
Json objectSchema();

/// The type of a value and its limits, by its C++ type and its row.
template <class S>
struct TypeSchema {
  const FieldRules<S>& rules;

  template <class T>
  Json of(const T*) const {
    if constexpr (Worded<T>) {
      return {{"enum", words<T>()}};
    } else if constexpr (Described<T>) {
      return objectSchema<T>();
    } else if constexpr (std::is_same_v<T, bool>) {
      return {{"type", "boolean"}};
    } else {
      return limited(std::is_integral_v<T> ? "integer" : "number");
    }
  }

  Json of(const std::uint64_t*) const {
    return {{"type", "integer"}, {"minimum", 0}, {"maximum", std::numeric_limits<std::uint64_t>::max()}};
  }
  Json of(const Recompute*) const { return {{"enum", {false, true, "activations"}}}; }
  Json of(const Device*) const { return of(static_cast<const std::string*>(nullptr)); }

  Json of(const std::string*) const {
    if (rules.words) return {{"enum", rules.words()}};
    Json json{{"type", "string"}};
    if (rules.fewest_characters > 0) json["minLength"] = rules.fewest_characters;
    if (rules.most_characters > 0) json["maxLength"] = rules.most_characters;
    if (rules.pattern) json["pattern"] = rules.pattern;
    return json;
  }

  template <class T>
  Json of(const std::vector<T>*) const {
    Json json{{"type", "array"}, {"items", of(static_cast<const T*>(nullptr))}};
    if (rules.fewest_items > 0) json["minItems"] = rules.fewest_items;
    if (rules.most_items > 0) json["maxItems"] = rules.most_items;
    if (rules.unique_items) json["uniqueItems"] = true;
    return json;
  }

  Json of(const std::map<std::string, int>*) const {
    return {{"type", "object"}, {"additionalProperties", limited("integer")}};
  }

  /// Null is as good as leaving it out; objects are left out only.
  template <class T>
  Json of(const std::optional<T>*) const {
    Json json = of(static_cast<const T*>(nullptr));
    if (json.contains("enum")) json["enum"].push_back(nullptr);
    const std::string type = json.value("type", "object");
    if (type != "object") json["type"] = Json::array({type, "null"});
    return json;
  }

  Json of(const std::optional<ExportedBlockChoice>*) const {
    return {{"anyOf",
             {{{"type", "integer"}, {"minimum", 1}},
              {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}},
              {{"type", "null"}}}}};
  }

  Json of(const std::optional<VariantRecompute>*) const {
    return {{"anyOf",
             {of(static_cast<const Recompute*>(nullptr)),
              of(static_cast<const std::vector<int>*>(nullptr)),
              {{"type", "null"}}}}};
  }

  Json limited(const char* type) const {
    Json json{{"type", type}};
    if (std::isfinite(rules.low)) json[rules.above_low ? "exclusiveMinimum" : "minimum"] = number(rules.low);
    if (std::isfinite(rules.high)) json["maximum"] = number(rules.high);
    return json;
  }
};

template <class T>
constexpr bool kHasDefault =
    Worded<T> || std::is_arithmetic_v<T> || std::is_same_v<T, std::string> || std::is_same_v<T, Shape>;

template <class S, class T>
Json defaultValue(const Field<S, T>& field) {
  if constexpr (std::is_same_v<T, Recompute>) {
    return jsonOf(S{}.*field.member);
  } else if constexpr (Worded<T>) {
    return toWord(S{}.*field.member);
  } else if constexpr (kHasDefault<T>) {
    return S{}.*field.member;
  } else {
    return {};
  }
}

template <Described S>
Json objectSchema() {
  Json properties = Json::object(), required = Json::array();
  if constexpr (std::is_same_v<S, Experiment>)
    properties["$schema"] = {{"type", "string"},
                             {"description", "Path of this schema; editors read it, LaneLab does not."}};
  forEachField<S>([&]<class T>(const Field<S, T>& field) {
    Json json = TypeSchema<S>{field.rules}.of(static_cast<const T*>(nullptr));
    Json value = defaultValue(field);
    if (!value.is_null() && value != "" && !field.rules.required && !field.rules.own_default)
      json["default"] = std::move(value);
    if (*field.description != '\0') json["description"] = field.description;
    if (field.rules.required) required.push_back(field.key);
    properties[field.key] = json;
    if (!field.rules.former_key) return;
    json["description"] = std::string("An earlier name of ") + field.key + ".";
    properties[field.rules.former_key] = std::move(json);
  });
  Json json{{"type", "object"}, {"additionalProperties", false}};
  if (!required.empty()) json["required"] = std::move(required);
  json["properties"] = std::move(properties);
  return json;
}

/// Of the properties that hold objects or lists of objects: what their objects have.
const Json* propertiesOf(const Json& schema) {
  const Json& object = schema.contains("items") ? schema["items"] : schema;
  return object.contains("properties") ? &object["properties"] : nullptr;
}

}  // namespace

std::string experimentSchema() {
  Json json{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
            {"title", "LaneLab experiment"},
            {"description",
             "Everything a run is made from. The file may hold comments (//, /* */). Unknown keys and keys given twice "
             "are errors."}};
  json.update(objectSchema<Experiment>());
  return prettyJson(json) + "\n";
}

std::string fieldDescription(std::string_view place) {
  static const Json schema = objectSchema<Experiment>();
  const Json* at = &schema;
  while (!place.empty()) {
    const std::string_view part = place.substr(0, place.find('.'));
    const std::string key(part.substr(0, part.find('[')));
    const Json* const properties = propertiesOf(*at);
    if (!properties || !properties->contains(key)) return {};
    at = &(*properties)[key];
    place.remove_prefix(std::min(place.size(), part.size() + 1));
  }
  return at->value("description", std::string());
}

}  // namespace lanelab
