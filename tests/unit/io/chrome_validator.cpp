// SPDX-License-Identifier: GPL-3.0-only
#include "tests/unit/io/chrome_validator.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace lanelab {

namespace {

using Row = std::pair<int, int>;

struct Slice {
  std::int64_t start;
  std::int64_t end;
};

std::int64_t validNanoseconds(const nlohmann::json& microseconds) {
  return std::llround(microseconds.get<double>() * 1000);
}

std::string nestingFault(std::vector<Slice> slices) {
  std::stable_sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) {
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  });
  std::vector<std::int64_t> open;
  for (const Slice& slice : slices) {
    while (!open.empty() && open.back() <= slice.start) open.pop_back();
    if (!open.empty() && open.back() < slice.end) return "partial overlap at " + std::to_string(slice.start);
    open.push_back(slice.end);
  }
  return {};
}

bool liesInASlice(const std::vector<Slice>& slices, std::int64_t time) {
  for (const Slice& slice : slices)
    if (slice.start <= time && (time < slice.end || slice.start == time)) return true;
  return false;
}

/// Times of files without a base have more digits than a double holds.
std::string timesAsText(const std::string& json) {
  std::string text;
  std::size_t done = 0;
  while (done < json.size()) {
    const std::size_t at = std::min(json.find("\"ts\":", done), json.find("\"dur\":", done));
    const std::size_t begin = at == std::string::npos ? at : json.find(':', at) + 1;
    if (begin == std::string::npos || std::string_view("-0123456789").find(json[begin]) == std::string_view::npos) {
      const std::size_t end = begin == std::string::npos ? json.size() : begin;
      text.append(json, done, end - done);
      done = end;
      continue;
    }
    const std::size_t end = json.find_first_not_of("-.0123456789", begin);
    text.append(json, done, begin - done).append("\"").append(json, begin, end - begin).append("\"");
    done = end;
  }
  return text;
}
std::int64_t exactNanoseconds(const nlohmann::json& microseconds) {
  std::string digits = microseconds.get<std::string>();
  if (digits.size() < 5 || digits[digits.size() - 4] != '.') throw std::runtime_error("a time without three places");
  return std::stoll(digits.erase(digits.size() - 4, 1));
}

}  // namespace

std::string whatIsWrong(const std::string& text) {
  const nlohmann::json file = nlohmann::json::parse(text, nullptr, false);
  if (file.is_discarded()) return "no JSON";
  if (file.value("displayTimeUnit", "") != "ns" || !file["baseTimeNanoseconds"].is_number_integer())
    return "head of the file";

  std::set<int> named_pids, orderedPids, pids;
  std::set<Row> named_rows, orderedRows;
  std::map<Row, std::vector<Slice>> rows;
  std::map<std::int64_t, std::map<std::string, std::pair<Row, std::int64_t>>> flows;
  for (const auto& event : file["traceEvents"]) {
    const std::string phase = event["ph"];
    const Row row{event["pid"], event["tid"]};
    if (phase == "M") {
      const std::string name = event["name"];
      if (name == "process_name" && event["args"]["name"].is_string()) named_pids.insert(row.first);
      if (name == "process_sort_index") orderedPids.insert(row.first);
      if (name == "thread_name" && event["args"]["name"].is_string()) named_rows.insert(row);
      if (name == "thread_sort_index") orderedRows.insert(row);
    } else if (phase == "X") {
      const std::int64_t start = validNanoseconds(event["ts"]);
      const std::int64_t duration = validNanoseconds(event["dur"]);
      if (duration < 0) return "negative duration";
      if (!event["cat"].is_string() || !event["name"].is_string() || !event["args"].is_object())
        return "incomplete span " + event.dump();
      rows[row].push_back({start, start + duration});
    } else if (phase == "s" || phase == "f") {
      if (event["bp"] != "e") return "flow without bp";
      if (!flows[event["id"]].emplace(phase, std::pair(row, validNanoseconds(event["ts"]))).second)
        return "flow end twice";
    } else if (phase == "C") {
      if (event["args"].size() != 1 || !event["args"].begin()->is_number())
        return "counter without its number " + event.dump();
      validNanoseconds(event["ts"]);
      rows[row];
    } else {
      return "unexpected phase " + phase;
    }
  }
  for (const auto& [row, slices] : rows) {
    if (!named_pids.contains(row.first) || !orderedPids.contains(row.first))
      return "nameless pid " + std::to_string(row.first);
    if (!named_rows.contains(row) || !orderedRows.contains(row)) return "nameless tid " + std::to_string(row.second);
    if (const std::string fault = nestingFault(slices); !fault.empty()) return fault;
  }
  for (const auto& [id, ends] : flows) {
    if (!ends.contains("s") || !ends.contains("f")) return "flow " + std::to_string(id) + " lacks an end";
    for (const auto& [phase, end] : ends)
      if (!liesInASlice(rows[end.first], end.second)) return "flow " + std::to_string(id) + " ends in no span";
    if (ends.at("s").second > ends.at("f").second) return "flow " + std::to_string(id) + " goes back in time";
  }
  return {};
}

std::string whatIsWrongWithImport(const std::string& text) {
  const nlohmann::json file = nlohmann::json::parse(timesAsText(text), nullptr, false);
  if (file.is_discarded()) return "no JSON";
  std::map<std::string, std::vector<Slice>> rows;
  std::set<std::string> named;
  std::map<std::string, std::string> flows;
  for (const auto& event : file["traceEvents"]) {
    const std::string phase = event["ph"];
    const std::string row =
        event.value("pid", nlohmann::json()).dump() + "/" + event.value("tid", nlohmann::json()).dump();
    if (phase == "M") {
      if (event["name"] == "thread_name") named.insert(row);
    } else if (phase == "X") {
      const std::int64_t start = exactNanoseconds(event["ts"]);
      rows[row].push_back({start, start + exactNanoseconds(event["dur"])});
    } else if (phase == "s" || phase == "t" || phase == "f") {
      flows[event.value("cat", "") + '/' + event["name"].get<std::string>() + '/' + event["id"].dump()] += phase;
    } else if (phase != "i" && phase != "C") {
      return "unexpected phase " + phase;
    }
  }
  for (const auto& [row, slices] : rows) {
    if (!named.contains(row)) return "nameless thread " + row;
    if (const std::string fault = nestingFault(slices); !fault.empty()) return row + ": " + fault;
  }
  for (const auto& [id, ends] : flows)
    if (ends.front() != 's' || ends.back() != 'f') return "unmatched flow " + id;
  return {};
}

}  // namespace lanelab
