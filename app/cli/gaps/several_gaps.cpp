// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/gaps/several_gaps.h"

#include <iostream>
#include <utility>

#include "base/escaped_text.h"
#include "base/terminal_text.h"
#include "base/text_table.h"
#include "profiler/io/tables/causes_json.h"
#include "profiler/io/tables/gap_comparison.h"
#include "profiler/io/tables/gap_tables.h"
#include "profiler/io/tables/unknown_work.h"

namespace lanelab {
namespace {

/// One of the traces, without the trace itself, since several may not fit into memory together.
struct ExplainedPlace {
  std::string title;
  IdleCauses causes;
  std::optional<int> lane = {};  // of --lane
  std::string json = {};         // with --json
  std::string no_lane = {};      // what the trace has, where it has no lane
  std::string launches = {};     // launchSentence()
};

/// What makes sense for one trace only.
Status checkOptions(const GapsArguments& options) {
  const std::pair<bool, const char*> single[] = {{!options.what_if.empty(), "--what-if"},
                                                 {!options.apply_suggestion.empty(), "--apply-suggestion"},
                                                 {!options.csv.empty(), "--csv"},
                                                 {options.longest.has_value(), "--longest"}};
  for (const auto& [given, name] : single)
    if (given)
      return Error::badInput("{} is for one trace, and {} are given. Leave it out, or give one trace.", name,
                             options.places.size());
  return {};
}

std::string jsonOf(const ExplainedPlace& place, const ImportedTrace& imported, const PreparedActions& actions,
                   const GapSource& source) {
  std::string further = "\"trace\": ";
  appendJsonString(further, place.title);
  further +=
      ",\n  " + traceMembers(*imported.trace, actions, place.causes, imported.trace->range().start, imported.base);
  if (const auto recording = source.recording()) further += ",\n  " + recordingMember(*recording);
  return causesJson(*imported.trace, place.causes, imported.base, further);
}

Result<ExplainedPlace> explained(const std::string& place, const GapsArguments& options, const std::stop_token& stop) {
  const Result<GapSource> source = gapSourceOf(place, options);
  if (!source.ok()) return source.error();
  const auto read = readGapTrace(source->file, options, stop);
  if (!read.ok()) return read.error();
  const ImportedTrace& imported = **read;
  const PreparedActions actions = preparedActionsOf(*imported.trace);
  Result<IdleCauses> causes = explainedIn(imported, actions, options);
  if (!causes.ok()) return Error::badInput("{}: {}", place, causes.error().message);
  ExplainedPlace result{onOneTerminalLine(source->variant.empty() ? place : place + " (" + source->variant + ")"),
                        std::move(*causes)};
  if (hasNoLane(result.causes)) {
    result.no_lane = unknownWorkSentence(imported);
  } else {
    const Result<std::optional<int>> lane = laneOf(result.causes, options.lane);
    if (!lane.ok()) return Error::badInput("{}: {}", place, lane.error().message);
    result.lane = *lane;
  }
  if (!result.no_lane.empty() && !options.lane.empty()) return Error::badInput("{}: {}", place, result.no_lane);
  result.launches = launchSentence(imported, result.causes);
  if (options.json) result.json = jsonOf(result, imported, actions, *source);
  return result;
}

/// With that lane only, or all.
IdleCauses causesOf(const ExplainedPlace& place) {
  IdleCauses causes = place.causes;
  if (place.lane) std::erase_if(causes.lanes, [&](const LaneCauses& lane) { return lane.lane != *place.lane; });
  return causes;
}

void printOne(const ExplainedPlace& place) {
  std::cout << place.title << "\n\n";
  const IdleCauses causes = causesOf(place);
  if (!place.no_lane.empty()) return printSentences({place.no_lane});
  std::cout << textTable(laneRows(causes), 1) << "\n" << textTable(causeRows(causes), 1) << "\n";
  printSentences({communicationSentence(causes).message, communicationGroupsSentence(causes),
                  idleSentence(causes).message, outsideSentence(causes), stepsSentence(place.causes), place.launches});
}

void printCompared(const ExplainedPlace& before, const ExplainedPlace& after) {
  const GapComparison compared{causesOf(before), causesOf(after), before.lane.has_value()};
  std::cout << "before: " << before.title << "\nafter:  " << after.title << "\n\n"
            << textTable(laneDifferenceRows(compared), 1) << "\n"
            << textTable(causeDifferenceRows(compared), 1) << "\n";
  printSentences({differenceSentence(compared), unlikeWindowsSentence(compared), unmatchedLanesSentence(compared)});
  for (const auto& [when, place] : {std::pair("before", &before), std::pair("after", &after)})
    printSentences({outsideSentence(causesOf(*place)), stepsSentence(place->causes), place->launches},
                   std::string(when) + ": ");
}

void printJson(const std::vector<ExplainedPlace>& places) {
  std::cout << "{\n\"traces\": [\n";
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::string_view json = places[i].json;
    json.remove_suffix(1);  // the line break
    std::cout << json << (i + 1 < places.size() ? ",\n" : "]");
  }
  if (places.size() == 2)
    std::cout << ",\n\"difference\": " << differenceJson({places[0].causes, places[1].causes, false});
  std::cout << "\n}\n";
}

}  // namespace

Status explainSeveral(const GapsArguments& options, const std::stop_token& stop) {
  if (Status checked = checkOptions(options); !checked.ok()) return checked;
  std::vector<ExplainedPlace> places;
  for (const std::string& place : options.places) {
    Result<ExplainedPlace> one = explained(place, options, stop);
    if (!one.ok()) return one.error();
    places.push_back(std::move(*one));
  }
  if (places.size() == 2) {
    for (const ExplainedPlace& place : places)
      if (!place.no_lane.empty()) return Error::badInput("{}: {}", place.title, place.no_lane);
    if (const std::string why = whyNotCompared(places[0].causes, places[1].causes); !why.empty())
      return Error::badInput("{} and {} do not compare: {}", places[0].title, places[1].title, why);
  }
  if (options.json) {
    for (const ExplainedPlace& place : places)
      if (!place.no_lane.empty()) std::cerr << "Note: " << place.title << ": " << place.no_lane << "\n";
    printJson(places);
  } else if (places.size() == 2) {
    printCompared(places[0], places[1]);
  } else {
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (i > 0) std::cout << "\n";
      printOne(places[i]);
    }
  }
  return {};
}

}  // namespace lanelab
