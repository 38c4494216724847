// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/declared_trace.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <climits>

namespace lanelab {

namespace {

namespace dom = simdjson::dom;

/// Of lanes, and of tracks: each takes many times the memory of its text.
constexpr std::size_t kMostDeclared = 1U << 16U;

// In the order of the enumerators.
constexpr std::array<std::string_view, 3> kOrigins = {"measured", "replayed", "predicted"};
constexpr std::array<std::string_view, 3> kExtents = {"whole", "unfinished", "warm-up"};
constexpr std::array<std::string_view, 6> kKinds = {"compute", "detail", "transfer", "host", "stream", "step"};

template <std::size_t Count, class Enum>
Enum enumOf(const std::array<std::string_view, Count>& words, std::string_view word, Enum otherwise) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? otherwise : static_cast<Enum>(found - words.begin());
}

std::string textAt(const dom::element& object, const char* key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

std::int64_t numberAt(const dom::element& object, const char* key, std::int64_t otherwise) {
  std::int64_t number = 0;
  return object[key].get(number) == simdjson::SUCCESS ? number : otherwise;
}

/// Calls `visit` for each value of a list; never where there is none.
template <class Visit>
void eachAt(const dom::element& object, const char* key, const Visit& visit) {
  dom::array values;
  if (object[key].get(values) != simdjson::SUCCESS) return;
  for (const dom::element value : values) visit(value);
}

/// pg_config of PyTorch: {"pg_name", "pg_desc", "ranks": [0, 2], ...}.
std::vector<ProcessGroup> groupsAt(const dom::element& told) {
  constexpr std::size_t kMostGroups = 4096, kMostRanks = std::size_t{1} << 20;
  std::vector<ProcessGroup> groups;
  std::size_t listed = 0;
  eachAt(told, "pg_config", [&](const dom::element& config) {
    if (groups.size() == kMostGroups) return;
    ProcessGroup& group = groups.emplace_back();
    group.name = textAt(config, "pg_name");
    group.description = textAt(config, "pg_desc");
    group.kind = groupKindOf(group.description);
    eachAt(config, "ranks", [&](const dom::element& rank) {
      std::int64_t number = 0;
      if (rank.get(number) == simdjson::SUCCESS && number >= 0 && number <= INT_MAX && listed++ < kMostRanks)
        group.ranks.push_back(static_cast<int>(number));
    });
  });
  return groups;
}

void readLane(const dom::element& lane, Trace& trace) {
  if (trace.lanes.size() < kMostDeclared) trace.lanes.push_back({textAt(lane, "name"), textAt(lane, "device")});
}

void readTrack(const dom::element& track, DeclaredTrace& declared) {
  const std::size_t index = declared.trace.tracks.size();
  if (index == kMostDeclared) return;
  const auto lane = static_cast<int>(std::clamp<std::int64_t>(numberAt(track, "lane", 0), -1, INT_MAX));
  declared.trace.tracks.push_back(
      {lane, enumOf(kKinds, textAt(track, "kind"), Track::Kind::Host), textAt(track, "name"), {}});
  eachAt(track, "tids", [&](const dom::element& tid) {
    std::int64_t number = 0;
    if (tid.get(number) == simdjson::SUCCESS && number >= 0 && number <= INT_MAX)
      declared.track_of_row[{lane, static_cast<int>(number)}] = index;
  });
}

/// Adds lanes that tracks name and that are missing, up to a few thousand. A track of a lane beyond belongs to none
/// (-1).
void addMissingLanes(Trace& trace) {
  constexpr int kMostNew = 4096;
  for (const Track& track : trace.tracks)
    while (track.lane >= 0 && trace.lanes.size() <= static_cast<std::size_t>(std::min(track.lane, kMostNew)))
      trace.lanes.push_back({"lane " + std::to_string(trace.lanes.size()), ""});
  for (Track& track : trace.tracks)
    if (trace.laneAt(track.lane) == nullptr) track.lane = -1;
}

}  // namespace

std::string_view toString(Origin origin) { return kOrigins.at(static_cast<std::size_t>(origin)); }
std::string_view toString(Extent extent) { return kExtents.at(static_cast<std::size_t>(extent)); }
std::string_view toString(Track::Kind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }

std::optional<DeclaredTrace> parseDeclaredTrace(std::string_view json) {
  // The parser takes many times the memory of the text.
  if (json.find("\"lanelab\"") == std::string_view::npos) return std::nullopt;
  dom::parser parser;
  dom::element file;
  dom::element about;
  const simdjson::padded_string text(json);
  if (parser.parse(text).get(file) != simdjson::SUCCESS || file["lanelab"].get(about) != simdjson::SUCCESS ||
      !about.is_object())
    return std::nullopt;
  if (numberAt(about, "version", 0) != 1) return std::nullopt;
  DeclaredTrace declared;
  declared.trace.title = textAt(about, "title");
  declared.trace.origin = enumOf(kOrigins, textAt(about, "origin"), Origin::Measured);
  declared.trace.extent = enumOf(kExtents, textAt(about, "extent"), Extent::Whole);
  declared.trace.epoch = numberAt(about, "epoch_ns", 0);
  declared.trace.dropped = numberAt(about, "dropped", 0);
  eachAt(about, "lanes", [&](const dom::element& lane) { readLane(lane, declared.trace); });
  eachAt(about, "tracks", [&](const dom::element& track) { readTrack(track, declared); });
  addMissingLanes(declared.trace);
  eachAt(about, "run_counters", [&](const dom::element& name) {
    std::string_view known;
    if (name.get(known) == simdjson::SUCCESS) declared.run_counters.emplace(known);
  });
  return declared;
}

std::string parseImportedFormat(std::string_view json) {
  if (json.find("\"lanelab_import_format\"") == std::string_view::npos) return {};
  dom::parser parser;
  dom::element file;
  const simdjson::padded_string text(json);
  return parser.parse(text).get(file) == simdjson::SUCCESS ? textAt(file, "lanelab_import_format") : std::string();
}

std::vector<std::string> parseImportedRemarks(std::string_view json) {
  constexpr std::size_t kMost = 32;
  std::vector<std::string> remarks;
  if (json.find("\"lanelab_import_remarks\"") == std::string_view::npos) return remarks;
  dom::parser parser;
  dom::element file;
  const simdjson::padded_string text(json);
  if (parser.parse(text).get(file) != simdjson::SUCCESS) return remarks;
  eachAt(file, "lanelab_import_remarks", [&](const dom::element& remark) {
    std::string_view known;
    if (remarks.size() < kMost && remark.get(known) == simdjson::SUCCESS) remarks.emplace_back(known);
  });
  return remarks;
}

DistributedInfo parseDistributedInfo(std::string_view json) {
  dom::parser parser;
  dom::element told;
  if (parser.parse(json.data(), json.size()).get(told)) return {};
  const auto smallAt = [&](const char* key) -> std::optional<int> {
    constexpr std::int64_t kMost = 1 << 20;
    const std::int64_t number = numberAt(told, key, -1);
    return number >= 0 && number <= kMost ? std::optional(static_cast<int>(number)) : std::nullopt;
  };
  return {{smallAt("rank"), smallAt("world_size")}, groupsAt(told)};
}

}  // namespace lanelab
