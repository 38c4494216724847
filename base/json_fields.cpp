// SPDX-License-Identifier: GPL-3.0-only
#include "base/json_fields.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/json_table.h"
#include "base/text.h"

namespace lanelab {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

/// A whole number within [low, high]; 20.0 counts as 20, as in JSON Schema.
template <class T>
std::optional<T> wholeNumber(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) return std::nullopt;
    return static_cast<T>(number);
  }
  if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    if constexpr (std::is_unsigned_v<T>) {
      if (number < 0) return std::nullopt;
    } else if (number < static_cast<std::int64_t>(std::numeric_limits<T>::min()) ||
               number > static_cast<std::int64_t>(std::numeric_limits<T>::max())) {
      return std::nullopt;
    }
    return static_cast<T>(number);
  }
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (std::trunc(number) != number || std::abs(number) >= kTwoTo63) return std::nullopt;
    return wholeNumber<T>(Json(static_cast<std::int64_t>(number)));
  }
  return std::nullopt;
}

template <class T>
bool takeWhole(FieldErrors& errors, const std::string& path, const Json& value, T& out) {
  const auto number = wholeNumber<T>(value);
  if (number) {
    out = *number;
    return true;
  }
  if (value.is_number() && (!value.is_number_float() || std::trunc(value.get<double>()) == value.get<double>())) {
    errors.add(path + " must be from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
               std::to_string(std::numeric_limits<T>::max()) + ", not " + describeJson(value) + ".");
  } else {
    errors.add(path + " must be a whole number, not " + describeJson(value) + ".");
  }
  return false;
}

bool takeText(FieldErrors& errors, const std::string& path, const Json& value, std::string& out) {
  if (!value.is_string()) {
    errors.add(path + " must be a text in double quotes, not " + describeJson(value) + ".");
    return false;
  }
  out = value.get<std::string>();
  return true;
}

bool takeNumber(FieldErrors& errors, const std::string& path, const Json& value, double& out) {
  if (!value.is_number() || !std::isfinite(value.get<double>())) {
    errors.add(path + " must be a finite number, not " + describeJson(value) + ".");
    return false;
  }
  out = value.get<double>();
  return true;
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
  if (m_object == nullptr)
    m_errors.add((m_path.empty() ? "the file" : m_path) + " must be an object {...}, not " + describeJson(value) + ".");
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

void ObjectReader::read(const char* key, std::string& out, Need needed) {
  if (const Json* value = need(key, needed)) takeText(m_errors, pathOf(key), *value, out);
}

void ObjectReader::read(const char* key, bool& out, Need needed) {
  const Json* value = need(key, needed);
  if (value == nullptr) return;
  if (value->is_boolean()) {
    out = value->get<bool>();
  } else {
    m_errors.add(pathOf(key) + " must be true or false, not " + describeJson(*value) + ".");
  }
}

void ObjectReader::read(const char* key, int& out, Need needed) {
  if (const Json* value = need(key, needed)) takeWhole(m_errors, pathOf(key), *value, out);
}

void ObjectReader::read(const char* key, std::int64_t& out, Need needed) {
  if (const Json* value = need(key, needed)) takeWhole(m_errors, pathOf(key), *value, out);
}

void ObjectReader::read(const char* key, std::uint64_t& out, Need needed) {
  if (const Json* value = need(key, needed)) takeWhole(m_errors, pathOf(key), *value, out);
}

void ObjectReader::read(const char* key, double& out, Need needed) {
  if (const Json* value = need(key, needed)) takeNumber(m_errors, pathOf(key), *value, out);
}

void ObjectReader::readOrNull(const char* key, double& out) {
  const Json* value = find(key);
  if (value != nullptr && !value->is_null()) takeNumber(m_errors, pathOf(key), *value, out);
}

template <class T, class Take>
void ObjectReader::readList(const char* key, std::vector<T>& out, Need needed, Take take) {
  const Json* items = list(key, needed);
  if (items == nullptr) return;
  out.clear();
  for (const Json& item : *items) {
    T value{};
    if (!take(m_errors, indexPath(pathOf(key), out.size()), item, value)) return;
    out.push_back(std::move(value));
  }
}

void ObjectReader::read(const char* key, std::vector<std::int64_t>& out, Need needed) {
  readList(key, out, needed, takeWhole<std::int64_t>);
}

void ObjectReader::read(const char* key, std::vector<int>& out, Need needed) {
  readList(key, out, needed, takeWhole<int>);
}

void ObjectReader::read(const char* key, std::vector<std::string>& out, Need needed) {
  readList(key, out, needed, takeText);
}

void ObjectReader::read(const char* key, std::vector<double>& out, Need needed) {
  readList(key, out, needed, [](FieldErrors& errors, const std::string& path, const Json& item, double& value) {
    if (!item.is_null()) return takeNumber(errors, path, item, value);
    value = std::numeric_limits<double>::quiet_NaN();
    return true;
  });
}

const Json* ObjectReader::object(const char* key, Need needed) {
  const Json* value = need(key, needed);
  if (value == nullptr || value->is_object()) return value;
  m_errors.add(pathOf(key) + " must be an object {...}, not " + describeJson(*value) + ".");
  return nullptr;
}

const Json* ObjectReader::list(const char* key, Need needed) {
  const Json* value = need(key, needed);
  if (value == nullptr || value->is_array()) return value;
  m_errors.add(pathOf(key) + " must be a list [...], not " + describeJson(*value) + ".");
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
