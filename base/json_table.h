// SPDX-License-Identifier: GPL-3.0-only
// Structs as JSON objects. One function in namespace lanelab lists the members of a struct under their keys; writing
// and reading both go through it:
//
//   void fieldsOf(auto& field, StructOf<Timing> auto& timing) {
//     field("median_s", timing.median, Need::Yes);
//     field("n", timing.n);
//   }
//
// Members may be such structs themselves, or lists of them. Pure; errors go to the reader's FieldErrors.
#pragma once

#include <concepts>
#include <type_traits>

#include "base/json_fields.h"
#include "base/words.h"

namespace lanelab {

using Need = ObjectReader::Need;

/// `T` is `Struct`, to be read, or `const Struct`, to be written.
template <class T, class Struct>
concept StructOf = std::same_as<std::remove_const_t<T>, Struct>;

class FieldWriter {
 public:
  template <class T>
  void operator()(const char* key, const T& value, Need = Need::No);
  /// Writes nothing unless `is_set`; of an optional or a list: unless it holds something.
  template <class T>
  void ifSet(const char* key, const T& value, bool is_set) {
    if (is_set) (*this)(key, value);
  }
  template <class T>
  void ifSet(const char* key, const std::optional<T>& value) {
    ifSet(key, value, value.has_value());
  }
  template <class T>
  void ifSet(const char* key, const std::vector<T>& values) {
    ifSet(key, values, !values.empty());
  }
  /// Null unless `known`; a reader makes `otherwise` of null.
  void orNull(const char* key, double value, bool known, double = 0) { m_json[key] = known ? Json(value) : Json(); }

  /// What follows from other fields and is not read.
  template <class T>
  void derived(const char* key, const T& value) {
    (*this)(key, value);
  }
  void schema(int number) { (*this)("schema", number); }
  void check(bool, const char*, const char*) {}

  Json take() { return std::move(m_json); }

 private:
  Json m_json = Json::object();
};

template <class T>
concept Tabled = requires(FieldWriter& field, const T& value) {
  fieldsOf(field, value);
};

template <class T>
Json jsonOf(const T& value) {
  if constexpr (Tabled<T>) {
    FieldWriter field;
    fieldsOf(field, value);
    return field.take();
  } else if constexpr (Worded<T>) {
    return toWord(value);
  } else {
    return Json(value);
  }
}
template <class T>
Json jsonOf(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(jsonOf(value));
  return list;
}
/// None is null.
template <class T>
Json jsonOf(const std::optional<T>& value) {
  return value ? jsonOf(*value) : Json();
}

template <class T>
void FieldWriter::operator()(const char* key, const T& value, Need) {
  m_json[key] = jsonOf(value);
}

class FieldReader : public ObjectReader {
 public:
  using ObjectReader::ObjectReader;

  FieldErrors& errors() { return m_errors; }

  /// Refuses a file of another schema.
  void schema(int known);
  /// `sentence` goes behind the path of `key`, unless `fine`.
  void check(bool fine, const char* key, const char* sentence) {
    if (!fine) m_errors.add(pathOf(key) + sentence);
  }

  template <class T>
  void operator()(const char* key, T& out, Need need = Need::No) {
    if constexpr (Tabled<T>) {
      if (const Json* value = object(key, need)) readFields(*value, pathOf(key), out);
    } else {
      read(key, out, need);
    }
  }
  template <class T>
  void operator()(const char* key, std::optional<T>& out) {
    if constexpr (!Tabled<T>) {
      read(key, out);
    } else if (const Json* value = object(key)) {
      readFields(*value, pathOf(key), out.emplace());
    }
  }
  template <Tabled T>
  void operator()(const char* key, std::vector<T>& out, Need need = Need::No) {
    const Json* values = list(key, need);
    if (values == nullptr) return;
    for (const Json& value : *values) {
      const std::string path = indexPath(pathOf(key), out.size());
      readFields(value, path, out.emplace_back());
    }
  }
  template <class T>
  void ifSet(const char* key, T& out, bool = false) {
    (*this)(key, out);
  }
  template <class T>
  void derived(const char*, const T&) {}
  void orNull(const char* key, double& out, bool, double otherwise = 0) {
    out = otherwise;
    readOrNull(key, out);
  }

 private:
  template <Tabled T>
  void readFields(const Json& value, const std::string& path, T& out) {
    FieldReader field(m_errors, value, path);
    fieldsOf(field, out);
  }
};

}  // namespace lanelab
