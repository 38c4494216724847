// SPDX-License-Identifier: GPL-3.0-only
// Typed reads of the JSON in .pt2 archives; only the readers of this room include it. Unknown fields are ignored, as
// the format asks. What is wrong is thrown as UnreadProgram, which readExportedProgram() turns into an Error.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/files/zip_archive.h"

namespace lanelab {

inline constexpr std::uint64_t kLargestProgramJson = std::uint64_t{256} << 20;
inline constexpr std::size_t kDeepestProgramJson = 64;

/// What is wrong and where, and what to do about it, each as a sentence without the file's name.
struct UnreadProgram {
  std::string what;
  std::string fix = "Save it again with torch.export.save().";
};

using JsonElement = simdjson::dom::element;

/// A JSON text and its values, which are valid as long as this.
class ProgramJson {
 public:
  /// Throws: no such record, too large, not JSON, nested too deeply.
  ProgramJson(const ZipArchive& archive, const std::string& record);
  JsonElement root() const { return m_root; }

 private:
  simdjson::dom::parser m_parser;
  JsonElement m_root;
};

/// The field of an object; throws if there is none, or it is null.
JsonElement fieldOf(JsonElement object, std::string_view key);
/// Nothing if there is none, or it is null.
std::optional<JsonElement> optionalField(JsonElement object, std::string_view key);
simdjson::dom::array listOf(JsonElement element);
simdjson::dom::object objectOf(JsonElement element);
std::string_view textOf(JsonElement element);
std::int64_t integerOf(JsonElement element);
/// Also "Infinity", "-Infinity" and "NaN", which torch.export writes as text.
double numberOf(JsonElement element);
bool flagOf(JsonElement element);
/// The one field of a union, such as {"as_int": 3}.
std::pair<std::string_view, JsonElement> choiceOf(JsonElement element);
/// An integer of the given range.
std::int64_t integerWithin(JsonElement element, std::int64_t low, std::int64_t high);

/// What `read` returns; faults in it are said to be in `place()`.
auto within(const auto& place, const auto& read) {
  try {
    return read();
  } catch (UnreadProgram& unread) {
    unread.what = place() + ": " + unread.what;
    throw;
  }
}

template <class T, class Read>
std::vector<T> listWith(JsonElement element, const Read& read) {
  const simdjson::dom::array list = listOf(element);
  std::vector<T> values;
  values.reserve(list.size());
  for (const JsonElement item : list) values.push_back(read(item));
  return values;
}

/// What `read` makes of an archive; errors (BadInput) begin with `place`.
template <class T>
Result<T> readArchive(Result<ReadableBytes> source, const std::string& place, T (*read)(const ZipArchive&)) {
  if (!source.ok()) return Error::badInput("{}: {}. Check the path.", place, source.error().message);
  const Result<ZipArchive> archive = ZipArchive::open(std::move(source).value());
  if (!archive.ok())
    return Error::badInput("{}: {}. Choose a .pt2 file of torch.export.save().", place, archive.error().message);
  try {
    return read(*archive);
  } catch (const UnreadProgram& unread) {
    return Error::badInput("{}: {}. {}", place, unread.what, unread.fix);
  }
}

}  // namespace lanelab
