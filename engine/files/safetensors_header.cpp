// SPDX-License-Identifier: GPL-3.0-only
#include "engine/files/safetensors_header.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/files/clipped_name.h"

namespace lanelab {

namespace {

using Json = nlohmann::json;

constexpr int kDeepest = 4;
constexpr std::size_t kMostDimensions = 64;

/// Elements of a shape, or nothing when the numbers are negative or overflow.
bool countElements(const std::vector<std::int64_t>& shape, std::uint64_t& count) {
  count = 1;
  for (const std::int64_t n : shape) {
    if (n < 0) return false;
    if (n != 0 && count > std::numeric_limits<std::uint64_t>::max() / 16 / static_cast<std::uint64_t>(n)) return false;
    count *= static_cast<std::uint64_t>(n);
  }
  return true;
}

/// Reads the entries while the library reads the text: a value tree would take many times the memory of the text.
class EntryReader : public nlohmann::json_sax<Json> {
 public:
  SafetensorsHeader header;
  std::string problem;  ///< empty if all was well

  bool null() override { return other(); }
  bool boolean(bool) override { return other(); }
  bool number_integer(number_integer_t) override { return number(false, 0); }
  bool number_unsigned(number_unsigned_t value) override { return number(true, value); }
  bool number_float(number_float_t, const string_t&) override { return other(); }
  bool binary(binary_t&) override { return false; }

  bool string(string_t& value) override {
    if (!atField("dtype")) return other();
    m_entry->dtype = std::move(value);
    return true;
  }

  bool key(string_t& name) override {
    if (m_depth == 1) return beginEntry(name);
    if (m_depth == 2 && m_entry) return beginField(name);
    return true;
  }

  bool start_object(std::size_t) override {
    if (m_depth >= 2 && !other()) return false;
    return open();
  }
  bool start_array(std::size_t) override {
    const bool wanted = atField("shape") || atField("data_offsets");
    if (m_depth >= 1 && !wanted && !other()) return false;
    m_in_list = wanted;
    return open();
  }
  bool end_array() override {
    --m_depth;
    m_in_list = false;
    return true;
  }
  bool end_object() override {
    --m_depth;
    return m_depth != 1 || !m_entry || endEntry();
  }

  bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
    problem = "its header is not JSON";
    return false;
  }

 private:
  bool fail(const std::string& text) {
    problem = text;
    return false;
  }
  bool refuse(const std::string& what) { return fail("tensor \"" + clippedName(m_name) + "\" " + what); }

  bool open() {
    return ++m_depth <= kDeepest || fail("its header is nested deeper than " + std::to_string(kDeepest) + " levels");
  }

  /// Directly in an entry, behind this key?
  bool atField(const char* name) const { return m_depth == 2 && m_entry && m_field == name; }

  bool beginEntry(string_t& name) {
    m_name = std::move(name);
    m_field.clear();
    m_seen.clear();
    m_offsets.clear();
    m_entry = nullptr;
    if (m_name == "__metadata__") return true;
    const auto [place, added] = header.try_emplace(m_name);
    m_entry = &place->second;
    return added || refuse("is there twice");
  }

  bool beginField(string_t& name) {
    m_field = std::move(name);
    if (m_field != "dtype" && m_field != "shape" && m_field != "data_offsets") return true;
    if (!m_seen.insert(m_field).second) return refuse("gives its " + m_field + " twice");
    return true;
  }

  bool number(bool whole, std::uint64_t value) {
    if (!m_in_list) return other();
    if (m_field == "data_offsets") {
      if (!whole || m_offsets.size() == 2) return refuse("has no legal data_offsets");
      m_offsets.push_back(value);
      return true;
    }
    if (!whole || value > std::uint64_t{1} << 62 || m_entry->shape.size() == kMostDimensions)
      return refuse("has no legal shape");
    m_entry->shape.push_back(static_cast<std::int64_t>(value));
    return true;
  }

  /// A value of a kind that does not belong where it is; unknown fields and the metadata may hold what they like.
  bool other() {
    if (!m_entry) return true;
    if (m_depth == 1) return refuse("has no dtype, shape and data_offsets");
    if (m_field == "dtype") return refuse("has a dtype that is not text");
    if (m_field == "shape" || m_field == "data_offsets") return refuse("has no legal " + m_field);
    return true;
  }

  bool endEntry() {
    if (m_seen.size() != 3) return refuse("has no dtype, shape and data_offsets");
    const std::uint64_t size = elementBytes(m_entry->dtype);
    std::uint64_t count = 0;
    if (size == 0) return refuse("has the unknown type " + m_entry->dtype.substr(0, 20));
    if (!countElements(m_entry->shape, count)) return refuse("has no legal shape");
    if (m_offsets.size() != 2 || m_offsets[0] > m_offsets[1]) return refuse("has no legal data_offsets");
    m_entry->begin = m_offsets[0];
    m_entry->end = m_offsets[1];
    m_entry->shape.shrink_to_fit();
    return m_entry->end - m_entry->begin == count * size || refuse("has a shape that does not fill its bytes");
  }

  int m_depth = 0;
  bool m_in_list = false;
  std::string m_name, m_field;
  std::set<std::string> m_seen;  ///< the fields that the entry has
  std::vector<std::uint64_t> m_offsets;
  SafetensorsEntry* m_entry = nullptr;  ///< null in the metadata
};

/// Empty when the entries cover the bytes exactly once.
std::string checkCover(const SafetensorsHeader& header, std::uint64_t data_bytes) {
  std::vector<const SafetensorsEntry*> order;
  for (const auto& [name, entry] : header) order.push_back(&entry);
  std::ranges::sort(
      order, [](const auto* a, const auto* b) { return std::pair(a->begin, a->end) < std::pair(b->begin, b->end); });
  std::uint64_t at = 0;
  for (const SafetensorsEntry* entry : order) {
    if (entry->begin != at) return "its tensors overlap or leave holes";
    at = entry->end;
  }
  if (at > data_bytes)
    return "it is cut off: its tensors need " + std::to_string(at) + " bytes and " + std::to_string(data_bytes) +
           " are there";
  return at == data_bytes ? "" : "it has bytes behind its last tensor";
}

}  // namespace

std::uint64_t elementBytes(std::string_view dtype) {
  if (dtype == "F64" || dtype == "I64" || dtype == "U64") return 8;
  if (dtype == "F32" || dtype == "I32" || dtype == "U32") return 4;
  if (dtype == "F16" || dtype == "BF16" || dtype == "I16" || dtype == "U16") return 2;
  if (dtype == "I8" || dtype == "U8" || dtype == "BOOL") return 1;
  return 0;
}

Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view text, std::uint64_t data_bytes) {
  if (text.empty() || text.front() != '{') return Error::badInput("its header does not begin with {");
  EntryReader reader;
  const bool read = Json::sax_parse(text.begin(), text.end(), &reader);
  if (!reader.problem.empty()) return Error::badInput(verbatim(reader.problem));
  if (!read) return Error::badInput("its header is not JSON");
  if (const std::string problem = checkCover(reader.header, data_bytes); !problem.empty())
    return Error::badInput(verbatim(problem));
  return std::move(reader.header);
}

}  // namespace lanelab
