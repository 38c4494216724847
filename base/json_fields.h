// SPDX-License-Identifier: GPL-3.0-only
// Reads typed fields of a JSON object and says exactly where one is wrong. Meaning (ranges of values, names that exist)
// is not looked at here.
//
// The first problem wins and is kept in the FieldErrors that all readers of one file share; after it, reading continues
// harmlessly with defaults.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/json_text.h"
#include "base/result.h"

namespace lanelab {

/// The first problem of a file, as "FILE: variants[2].split_size must be a whole number, not the text "many".".
class FieldErrors {
 public:
  explicit FieldErrors(std::string place) : m_place(std::move(place)) {}
  /// `sentence` begins with the path of the field.
  void add(const std::string& sentence) {
    if (!m_error) m_error = Error::badInput("{}: {}", m_place, sentence);
  }
  /// A value that the format allows and nobody knows. Several of one file are listed, a line each.
  void addUnknown(const std::string& path, const std::string& sentence);
  const std::optional<Error>& first() const { return m_error; }

 private:
  std::string m_place;
  std::optional<Error> m_error;
  bool m_lists = false;  ///< whether m_error lists unknown values
};

/// "the text "abc"", "a list", "null", "12".
std::string describeJson(const Json& value);

/// Absent fields leave `out` as it is, unless `Need::Yes`. A null is a wrong type, except for optionals.
class ObjectReader {
 public:
  enum class Need { No, Yes };

  ObjectReader(FieldErrors& errors, const Json& value, std::string path);

  /// T: a text, bool, int, 64-bit integer or (finite) double.
  template <class T>
  void read(const char* key, T& out, Need needed = Need::No) {
    if (const Json* value = need(key, needed)) take(pathOf(key), *value, out);
  }
  /// Null elements of a list of double are NaN.
  template <class T>
  void read(const char* key, std::vector<T>& out, Need needed = Need::No) {
    const Json* items = list(key, needed);
    if (items == nullptr) return;
    out.clear();
    for (const Json& item : *items) {
      T value = std::numeric_limits<T>::quiet_NaN();
      const bool left_out = std::is_same_v<T, double> && item.is_null();
      if (!left_out && !take(indexPath(pathOf(key), out.size()), item, value)) return;
      out.push_back(std::move(value));
    }
  }

  /// Absent or null: empty.
  template <class T>
  void read(const char* key, std::optional<T>& out) {
    const Json* value = find(key);
    if (value == nullptr || value->is_null()) return;
    T item{};
    read(key, item);
    out = std::move(item);
  }

  /// Null (a number that was not finite, or is not known) leaves `out`.
  void readOrNull(const char* key, double& out);

  /// The child, or null when it is absent or no object (list); a wrong type is reported.
  const Json* object(const char* key, Need need = Need::No);
  const Json* list(const char* key, Need need = Need::No);
  bool has(const char* key) const { return find(key) != nullptr; }
  /// Null when it is absent.
  const Json* find(const char* key) const;

  /// Reports keys that are not `known`, naming the nearest.
  void refuseUnknown(const std::vector<std::string>& known);

  std::string pathOf(const char* key) const { return joinPath(m_path, key); }

 protected:
  FieldErrors& m_errors;

 private:
  const Json* need(const char* key, Need need);
  /// False: `value` is none, and that was reported.
  template <class T>
  bool take(const std::string& path, const Json& value, T& out);
  bool refuse(const std::string& path, const std::string& wanted, const Json& value);

  const Json* m_object;  ///< null when the value is no object
  std::string m_path;
};

/// What `read(errors, json)` makes of a text; else the first problem (BadInput), which begins with `place`.
auto readJson(std::string_view text, const std::string& place, auto read)
    -> Result<decltype(read(std::declval<FieldErrors&>(), std::declval<const Json&>()))> {
  const Result<Json> json = parseJsonText(text, place);
  if (!json.ok()) return json.error();
  FieldErrors errors(place);
  auto value = read(errors, *json);
  if (errors.first()) return *errors.first();
  return value;
}

}  // namespace lanelab
