// SPDX-License-Identifier: GPL-3.0-only
// Reads typed fields of a JSON object and says exactly where one is wrong. Meaning (ranges of values, names that exist)
// is not looked at here.
//
// The first problem wins and is kept in the FieldErrors that all readers of one file share; after it, reading goes on
// harmlessly with defaults.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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
    if (!m_error) m_error = Error::badInput(m_place + ": " + sentence);
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

  void read(const char* key, std::string& out, Need need = Need::No);
  void read(const char* key, bool& out, Need need = Need::No);
  void read(const char* key, int& out, Need need = Need::No);
  void read(const char* key, std::int64_t& out, Need need = Need::No);
  void read(const char* key, std::uint64_t& out, Need need = Need::No);
  void read(const char* key, double& out, Need need = Need::No);  ///< must be finite
  void read(const char* key, std::vector<std::int64_t>& out, Need need = Need::No);
  void read(const char* key, std::vector<int>& out, Need need = Need::No);
  void read(const char* key, std::vector<double>& out, Need need = Need::No);  ///< null elements are NaN
  void read(const char* key, std::vector<std::string>& out, Need need = Need::No);

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

  /// Reports keys that are not `known`, naming the nearest.
  void refuseUnknown(const std::vector<std::string>& known);

  std::string pathOf(const char* key) const { return joinPath(m_path, key); }

 private:
  const Json* find(const char* key) const;
  const Json* need(const char* key, Need need);
  template <class T, class Take>
  void readList(const char* key, std::vector<T>& out, Need need, Take take);

  FieldErrors& m_errors;
  const Json* m_object;  ///< null when the value is no object
  std::string m_path;
};

}  // namespace lanelab
