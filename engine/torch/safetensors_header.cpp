#include "engine/torch/safetensors_header.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace lanelab {

namespace {

using Json = nlohmann::json;

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

bool readShape(const Json& json, std::vector<std::int64_t>& shape) {
  if (!json.is_array() || json.size() > 64) return false;
  for (const Json& n : json) {
    if (!n.is_number_integer() || (n.is_number_unsigned() && n.get<std::uint64_t>() > std::uint64_t{1} << 62)) return false;
    shape.push_back(n.get<std::int64_t>());
  }
  return true;
}

bool readOffsets(const Json& json, SafetensorsEntry& entry) {
  if (!json.is_array() || json.size() != 2 || !json[0].is_number_unsigned() || !json[1].is_number_unsigned()) return false;
  entry.begin = json[0].get<std::uint64_t>();
  entry.end = json[1].get<std::uint64_t>();
  return entry.begin <= entry.end;
}

/// Empty when the entry is sound.
std::string readEntry(const Json& json, SafetensorsEntry& entry) {
  if (!json.is_object() || !json.contains("dtype") || !json.contains("shape") || !json.contains("data_offsets")) {
    return "has no dtype, shape and data_offsets";
  }
  if (!json["dtype"].is_string()) return "has a dtype that is no text";
  entry.dtype = json["dtype"].get<std::string>();
  const std::uint64_t size = elementBytes(entry.dtype);
  std::uint64_t count = 0;
  if (size == 0) return "has the unknown type " + entry.dtype.substr(0, 20);
  if (!readShape(json["shape"], entry.shape) || !countElements(entry.shape, count)) return "has no legal shape";
  if (!readOffsets(json["data_offsets"], entry)) return "has no legal data_offsets";
  return entry.end - entry.begin == count * size ? "" : "has a shape that does not fill its bytes";
}

/// Empty when the entries cover the bytes exactly once.
std::string checkCover(const SafetensorsHeader& header, std::uint64_t data_bytes) {
  std::vector<const SafetensorsEntry*> order;
  for (const auto& [name, entry] : header) order.push_back(&entry);
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  std::uint64_t at = 0;
  for (const SafetensorsEntry* entry : order) {
    if (entry->begin != at) return "its tensors overlap or leave holes";
    at = entry->end;
  }
  if (at > data_bytes) return "it is cut off: its tensors need " + std::to_string(at) + " bytes and " + std::to_string(data_bytes) + " are there";
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
  std::set<std::string> keys;
  std::string twice;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::key && depth == 1 && !keys.insert(parsed.get<std::string>()).second) twice = parsed.get<std::string>();
    return true;
  };
  const Json json = Json::parse(text, watch, /*allow_exceptions=*/false);
  if (!json.is_object()) return Error::badInput("its header is not JSON");
  if (!twice.empty()) return Error::badInput("tensor \"" + twice + "\" is there twice");
  SafetensorsHeader header;
  for (const auto& [name, value] : json.items()) {
    if (name == "__metadata__") continue;
    if (const std::string problem = readEntry(value, header[name]); !problem.empty()) {
      return Error::badInput("tensor \"" + name + "\" " + problem);
    }
  }
  if (const std::string problem = checkCover(header, data_bytes); !problem.empty()) return Error::badInput(problem);
  return header;
}

}  // namespace lanelab
