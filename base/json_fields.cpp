// SPDX-License-Identifier: GPL-3.0-only
#include "base/json_fields.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/json_table.h"
#include "base/text.h"

namespace lanelab {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

template <class T>
std::optional<T> within(auto number) {
  return std::in_range<T>(number) ? std::optional(static_cast<T>(number)) : std::nullopt;
}

/// A whole number that T holds; 20.0 counts as 20, as in JSON Schema.
template <class T>
std::optional<T> wholeNumber(const Json& value) {
  if (value.is_number_unsigned()) return within<T>(value.get<std::uint64_t>());
  if (value.is_number_integer()) return within<T>(value.get<std::int64_t>());
  const double number = value.is_number_float() ? value.get<double>() : kTwoTo63;
  if (std::trunc(number) != number || std::abs(number) >= kTwoTo63) return std::nullopt;
  return within<T>(static_cast<std::int64_t>(number));
}

bool isWhole(const Json& value) {
  return value.is_number() && (!value.is_number_float() || std::trunc(value.get<double>()) == value.get<double>());
}

}  // namespace

void FieldErrors::addUnknown(const std::string& path, const std::string& sentence) {
  const std::string line = path + ": " + sentence;
  if (m_error && m_lists) m_error->message += "\n  " + line;
  if (m_error) return;
  add(line);
  m_lists = true;
}

std::string describeJson(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null: return "null";
    case Json::value_t::object: return "an object {...}";
    case Json::value_t::array: return "a list [...]";
    case Json::value_t::string: {
      std::string text = value.get<std::string>();
      if (text.size() > 40) text = text.substr(0, 40) + "...";
      return "the text " + jsonText(text);
    }
    default: return jsonText(value);
  }
}

ObjectReader::ObjectReader(FieldErrors& errors, const Json& value, std::string path)
    : m_errors(errors), m_object(value.is_object() ? &value : nullptr), m_path(std::move(path)) {
  if (m_object == nullptr) refuse(m_path.empty() ? "the file" : m_path, "an object {...}", value);
}

bool ObjectReader::refuse(const std::string& path, const std::string& wanted, const Json& value) {
  m_errors.add(path + " must be " + wanted + ", not " + describeJson(value) + ".");
  return false;
}

const Json* ObjectReader::find(const char* key) const {
  if (m_object == nullptr) return nullptr;
  const auto it = m_object->find(key);
  return it == m_object->end() ? nullptr : &*it;
}

const Json* ObjectReader::need(const char* key, Need need) {
  const Json* value = find(key);
  if (value == nullptr && need == Need::Yes) m_errors.add(pathOf(key) + " is missing. Add it.");
  return value;
}

template <class T>
bool ObjectReader::take(const std::string& path, const Json& value, T& out) {
  if constexpr (std::is_same_v<T, std::string>) {
    if (!value.is_string()) return refuse(path, "a text in double quotes", value);
    out = value.get<std::string>();
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!value.is_boolean()) return refuse(path, "true or false", value);
    out = value.get<bool>();
  } else if constexpr (std::is_same_v<T, double>) {
    if (!value.is_number() || !std::isfinite(value.get<double>())) return refuse(path, "a finite number", value);
    out = value.get<double>();
  } else {
    using Limits = std::numeric_limits<T>;
    const std::optional<T> number = wholeNumber<T>(value);
    if (!number && !isWhole(value)) return refuse(path, "a whole number", value);
    if (!number)
      return refuse(path, "from " + std::to_string(Limits::min()) + " to " + std::to_string(Limits::max()), value);
    out = *number;
  }
  return true;
}

template bool ObjectReader::take(const std::string&, const Json&, std::string&);
template bool ObjectReader::take(const std::string&, const Json&, bool&);
template bool ObjectReader::take(const std::string&, const Json&, int&);
template bool ObjectReader::take(const std::string&, const Json&, std::int64_t&);
template bool ObjectReader::take(const std::string&, const Json&, std::uint64_t&);
template bool ObjectReader::take(const std::string&, const Json&, double&);

void ObjectReader::readOrNull(const char* key, double& out) {
  const Json* value = find(key);
  if (value != nullptr && !value->is_null()) take(pathOf(key), *value, out);
}

const Json* ObjectReader::object(const char* key, Need needed) {
  const Json* value = need(key, needed);
  if (value == nullptr || value->is_object()) return value;
  refuse(pathOf(key), "an object {...}", *value);
  return nullptr;
}

const Json* ObjectReader::list(const char* key, Need needed) {
  const Json* value = need(key, needed);
  if (value == nullptr || value->is_array()) return value;
  refuse(pathOf(key), "a list [...]", *value);
  return nullptr;
}

void ObjectReader::refuseUnknown(const std::vector<std::string>& known) {
  if (m_object == nullptr) return;
  for (const auto& [key, value] : m_object->items()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    const std::string nearest = nearestName(key, known);
    m_errors.add(joinPath(m_path, key) + " is not known here. " +
                 (nearest.empty() ? "Known are: " + joinOr(known) + "." : "Did you mean \"" + nearest + "\"?"));
    return;
  }
}

void FieldReader::schema(int known) {
  int schema = 0;
  read("schema", schema, Need::Yes);
  if (schema != known)
    m_errors.add("schema is " + std::to_string(schema) + ", and this version reads " + std::to_string(known) + ".");
}

}  // namespace lanelab
