// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/archive/program_json.h"

#include <limits>
#include <optional>
#include <utility>

#include "base/text.h"
#include "engine/files/clipped_name.h"

namespace lanelab {
namespace {

/// Throws that the value is not of the wanted kind.
template <class T>
T expected(simdjson::simdjson_result<T> result, const char* kind) {
  T value{};
  if (std::move(result).get(value)) throw UnreadProgram{std::string("a value is not ") + kind};
  return value;
}

}  // namespace

ProgramJson::ProgramJson(const ZipArchive& archive, const std::string& name) {
  const std::string shown = clippedName(name);
  const ZipRecord* const record = archive.find(name);
  if (!record) throw UnreadProgram{"it has no record " + shown};
  if (record->bytes > kLargestProgramJson)
    throw UnreadProgram{"its record " + shown + " is larger than " +
                        formatBytes(static_cast<std::int64_t>(kLargestProgramJson))};
  simdjson::padded_string text(record->bytes);
  const Status read = archive.read(*record, text.data());
  if (!read.ok()) throw UnreadProgram{"its record " + shown + " cannot be read: " + read.error().message};
  simdjson::error_code error = m_parser.allocate(record->bytes, kDeepestProgramJson);
  if (!error) error = m_parser.parse(text).get(m_root);
  if (error == simdjson::DEPTH_ERROR)
    throw UnreadProgram{"its record " + shown + " is nested deeper than " + std::to_string(kDeepestProgramJson) +
                        " levels"};
  if (error == simdjson::MEMALLOC)
    throw UnreadProgram{"its record " + shown + " needs more memory than there is", "Free memory and try again."};
  if (error) throw UnreadProgram{"its record " + shown + " is not valid JSON"};
}

std::optional<JsonElement> optionalField(JsonElement object, std::string_view key) {
  JsonElement value;
  if (objectOf(object).at_key(key).get(value) || value.is_null()) return std::nullopt;
  return value;
}

JsonElement fieldOf(JsonElement object, std::string_view key) {
  const auto value = optionalField(object, key);
  if (!value) throw UnreadProgram{"the field \"" + std::string(key) + "\" is missing"};
  return *value;
}

simdjson::dom::array listOf(JsonElement element) { return expected(element.get_array(), "a list"); }
simdjson::dom::object objectOf(JsonElement element) { return expected(element.get_object(), "an object"); }
std::string_view textOf(JsonElement element) { return expected(element.get_string(), "a text"); }
std::int64_t integerOf(JsonElement element) { return expected(element.get_int64(), "an integer of 64 bits"); }
bool flagOf(JsonElement element) { return expected(element.get_bool(), "true or false"); }

double numberOf(JsonElement element) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::string_view text;
  if (element.get_string().get(text)) return expected(element.get_double(), "a number");
  if (text == "Infinity") return kInfinity;
  if (text == "-Infinity") return -kInfinity;
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  throw UnreadProgram{"a value is not a number"};
}

std::int64_t integerWithin(JsonElement element, std::int64_t low, std::int64_t high) {
  const std::int64_t value = integerOf(element);
  if (value < low || value > high) throw UnreadProgram{std::to_string(value) + " is not a legal value"};
  return value;
}

std::pair<std::string_view, JsonElement> choiceOf(JsonElement element) {
  const simdjson::dom::object object = objectOf(element);
  if (object.begin() == object.end()) throw UnreadProgram{"a value is empty"};
  const simdjson::dom::key_value_pair first = *object.begin();
  return {first.key, first.value};
}

}  // namespace lanelab
