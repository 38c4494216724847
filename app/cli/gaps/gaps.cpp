// SPDX-License-Identifier: GPL-3.0-only
// gaps: why lanes are idle, of a run or of any trace.
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "app/cli/cli.h"
#include "app/cli/gaps/gap_source.h"
#include "app/cli/gaps/several_gaps.h"
#include "app/cli/run_trace.h"
#include "app/cli/runs_option.h"
#include "base/atomic_file.h"
#include "base/json_text.h"
#include "base/text_table.h"
#include "engine/advise/suggestions.h"
#include "engine/advise/what_if_answer.h"
#include "engine/report/run_notes.h"
#include "engine/torch/train/torch_executor.h"
#include "profiler/analysis/what_if.h"
#include "profiler/io/tables/begin_time.h"
#include "profiler/io/tables/causes_json.h"
#include "profiler/io/tables/csv_tables.h"
#include "profiler/io/tables/gap_tables.h"
#include "profiler/io/tables/root_tables.h"
#include "profiler/io/tables/slowdown_tables.h"
#include "profiler/io/tables/unknown_work.h"

namespace lanelab {
namespace {

constexpr int kLongest = 20;  // gaps that are listed

/// As the experiment file says them.
Json variantJson(const Experiment& experiment, const VariantConfig& variant) {
  Experiment alone = experiment;
  alone.variants = {variant};
  return Json::parse(toJson(alone))["variants"][0];
}

/// The keys that the suggestion sets to something else; null for one that it takes away.
Json changeOf(const Experiment& experiment, const Suggestion& suggestion) {
  Json change = Json::object();
  for (const VariantConfig& present : experiment.variants) {
    if (present.name != suggestion.variant.suggested_from->of) continue;
    const Json before = variantJson(experiment, present), after = variantJson(experiment, suggestion.variant);
    for (const auto& [key, value] : after.items())
      if (key != "name" && key != "suggested_from" && (!before.contains(key) || before[key] != value))
        change[key] = value;
    for (const auto& [key, value] : before.items())
      if (key != "suggested_from" && !after.contains(key)) change[key] = nullptr;
  }
  return change;
}

/// "mends" is the name of version 0.2.0, which scripts may read.
std::string membersOf(const std::string& suggestions) {
  return "\"suggestions\": " + suggestions + ",\n  \"mends\": " + suggestions;
}

/// "suggestions": [ { "text", "predicted_ratio", "range90_ratio", "change": { the variant's keys that change } } ], the
/// best first.
std::string suggestionsMember(const Experiment& experiment, const Suggestions& suggestions) {
  Json list = Json::array();
  for (const Suggestion& suggestion : suggestions.best)
    list.push_back({{"text", suggestion.text.message},
                    {"predicted_ratio", suggestion.ratio},
                    {"range90_ratio", {suggestion.range.low, suggestion.range.high}},
                    {"change", changeOf(experiment, suggestion)}});
  const std::string caution =
      suggestions.caution.message.empty() ? "" : ",\n  \"caution\": " + jsonText(Json(suggestions.caution.message));
  return membersOf(jsonText(list)) + caution;
}

/// The experiment with the best suggestion beside the variant that it is for, as a file that `run` takes. BadInput if
/// the file exists, Failed if nothing is worth it.
Status writeSuggested(const Experiment& experiment, const Suggestions& suggestions, const std::string& path) {
  if (suggestions.best.empty()) return Error::failed("{} So {} is not written.", suggestions.sentence, path);
  std::error_code ignored;  // what is wrong with the path shows when it is written
  if (std::filesystem::exists(path, ignored))
    return Error::badInput("{} exists already. Choose another name for --apply-suggestion.", path);
  const Suggestion& suggestion = suggestions.best.front();
  if (const Status written = writeFileAtomically(path, toJson(withSuggestion(experiment, suggestion))); !written.ok())
    return written;
  std::cerr << "Wrote " << path << " with \"" << suggestion.variant.name << "\" beside \""
            << suggestion.variant.suggested_from->of << "\". Measure it with lanelab-cli run " << path << ".\n";
  return {};
}

// What is explained, and what a run says besides.
struct Explained {
  const Trace& trace;
  const PreparedActions& actions;
  const IdleCauses& causes;
  Nanoseconds axis;
  Nanoseconds begin;                                 // of the trace
  const GapSource* source = nullptr;                 // where the trace is as it was measured
  const Result<Suggestions>* suggestions = nullptr;  // of a run
  const ImportedTrace* file = nullptr;               // as it was read

  std::optional<RecordingCost> recording() const { return source ? source->recording() : std::nullopt; }
};

/// Of a run the roots of its idle time and its suggestions say who is late.
bool isOfOtherJob(const Explained& what) { return what.file && !(what.source && what.source->record); }

std::string moreMembers(const Explained& what) {
  const bool found = what.suggestions && what.suggestions->ok();
  std::string suggestions =
      traceMembers(what.trace, what.actions, what.causes, what.begin, what.axis) + ",\n  " +
      (found ? suggestionsMember(what.source->record->experiment, **what.suggestions) : membersOf("[]"));
  if (isOfOtherJob(what))
    if (const std::string slowdown = slowdownMember(what.trace); !slowdown.empty()) suggestions += ",\n  " + slowdown;
  const std::optional<RecordingCost> recording = what.recording();
  return recording ? suggestions + ",\n  " + recordingMember(*recording) : suggestions;
}

void printSuggestions(const Result<Suggestions>& suggestions) {
  if (!suggestions.ok()) {
    std::cout << suggestions.error().message << "\n";
    return;
  }
  std::cout << suggestions->sentence.message << "\n";
  if (!suggestions->caution.message.empty() && !suggestions->best.empty())
    std::cout << suggestions->caution.message << "\n";
  for (std::size_t i = 1; i < suggestions->best.size(); ++i)
    std::cout << "Or: " << suggestions->best[i].text.message << "\n";
  for (const Message& note : suggestions->notes) std::cout << note.message << "\n";
}

/// A suggestion is predicted from measured times, so general advice beside it could only contradict it.
bool suggests(const Explained& what) {
  return what.suggestions && what.suggestions->ok() && !(*what.suggestions)->best.empty();
}

/// What costs most; of a file without lanes, what it has.
std::string mainSentence(const Explained& what) {
  return what.file && hasNoLane(what.causes) ? unknownWorkSentence(*what.file)
                                             : idleSentence(what.causes, !suggests(what)).message;
}

/// What each root of idle time costs, and what the step depends on.
void printRoots(const Trace& trace, const PreparedActions& actions, const std::vector<WaterfallStep>& waterfall) {
  constexpr std::size_t kMostRoots = 6, kMostParts = 6;
  const std::vector<CriticalPath> paths = criticalPaths(trace, actions.traced);
  if (paths.empty()) return;
  const RootCosts roots = rootCosts(trace, actions);
  const PathParts parts = pathParts(trace, actions.traced, paths);
  if (!roots.costs.empty()) std::cout << "\n" << textTable(rootRows(trace, roots, kMostRoots), 1);
  if (const TableRows rows = waterfallRows(waterfall); rows.size() > 1) std::cout << "\n" << textTable(rows, 1);
  if (!parts.parts.empty()) std::cout << "\n" << textTable(pathRows(trace, parts, kMostParts), 1);
  std::cout << "\n" << pathSentence(paths) << "\n";
  printSentences({pathBlocksSentence(parts), stragglerSentence(trace, roots)});
}

void printTables(const Explained& what, const GapsArguments& options, std::optional<int> lane) {
  const IdleCauses& causes = what.causes;
  if (!causes.lanes.empty())
    std::cout << textTable(laneRows(causes), 1) << "\n" << textTable(causeRows(causes), 1) << "\n";
  const auto longest = static_cast<std::size_t>(options.longest.value_or(kLongest));
  const TableRows gaps = gapRows(what.trace, causes, longest, lane, what.begin);
  if (gaps.size() > 1)
    std::cout << textTable(gaps, 3) << "\n" << beginSentence(what.trace, what.begin, what.axis) << "\n";
  const std::vector<WaterfallStep> waterfall = idleWaterfall(what.trace, what.actions, causes);
  printRoots(what.trace, what.actions, waterfall);
  printSentences(
      {extentSentence(what.trace).message, bubbleSentence(causes, waterfall), coreSentence(what.trace).message,
       communicationSentence(causes).message, communicationGroupsSentence(causes), mainSentence(what),
       outsideSentence(causes), stepsSentence(causes), what.file ? launchSentence(*what.file, causes) : std::string(),
       what.source && what.source->record ? slowerThanSingleText(*what.source->record, what.source->variant).message
                                          : std::string()});
  if (isOfOtherJob(what))
    if (const std::optional<JobSlowdown> slowdown = jobSlowdown(what.trace))
      for (const std::string& said : slowdownSentences(what.trace, *slowdown)) std::cout << said << "\n";
  if (what.suggestions) printSuggestions(*what.suggestions);
  if (const auto recording = what.recording())
    std::cout << "Recording cost (" << recording->mode << "): " << recordingCostText(*recording).message << ".\n";
}

std::vector<std::string> windowWords() {
  std::vector<std::string> choices = words<WindowKind>();
  choices.emplace_back(kWholeTrace);
  return choices;
}

Status print(const Explained& what, const GapsArguments& options) {
  const Result<std::optional<int>> lane = laneOf(what.causes, options.lane);
  if (!lane.ok()) return lane.error();
  if (!options.csv.empty()) {
    const Status written = writeFileAtomically(options.csv, gapTableCsv(what.trace, what.causes, what.begin));
    if (!written.ok()) return written;
  }
  if (options.json) {
    if (what.file && hasNoLane(what.causes)) std::cerr << "Note: " << unknownWorkSentence(*what.file) << "\n";
    std::cout << causesJson(what.trace, what.causes, what.axis, moreMembers(what));
  } else {
    printTables(what, options, *lane);
  }
  return {};
}

// The trace played again with other lengths.
Status explainWhatIf(const ImportedTrace& imported, const GapsArguments& options) {
  WhatIf what_if;
  for (const std::string& factor : options.what_if) {
    if (!addFactor(what_if, factor))
      return Error::badInput(
          "--what-if {} is not a factor. Write stage:1=0.5, link:0=2 or layer3.0=0.8, with a number from 0 to 1000.",
          factor);
  }
  if (const std::string unknown = unknownName(*imported.trace, what_if); !unknown.empty())
    return Error::badInput("The trace has no {}, so --what-if cannot scale it.", unknown);
  const Trace replayed = replayWith(*imported.trace, what_if);
  if (!options.json) {
    const std::optional<ForecastRange> range = rangeOfReplay(*imported.trace, replayed);
    std::cout << whatIfSentence(*imported.trace, replayed)
              << (range && range->low < range->high ? " 90 % range: " + rangeText(*range).message + "." : "") << "\n\n";
  }
  const PreparedActions actions = preparedActionsOf(replayed);
  const IdleCauses causes =
      hasActions(replayed) ? explainActions(replayed, actions, windowsOf(options)) : explainIdle(replayed);
  return print({replayed, actions, causes, imported.base, replayed.range().start}, options);
}

Status explain(const GapsArguments& options, const std::stop_token& stop) {
  const Result<GapSource> source = gapSourceOf(options.places.front(), options);
  if (!source.ok()) return source.error();
  const bool apply = !options.apply_suggestion.empty();
  if (apply && !source->record)
    return Error::badInput(
        "--apply-suggestion needs a run folder, since a trace does not name its experiment. Choose a run folder.");
  // Before the trace is read: the program may start again here.
  const std::unique_ptr<Executor> executor = source->record && options.what_if.empty() ? makeTorchExecutor() : nullptr;
  const auto read = readGapTrace(source->file, options, stop);
  if (!read.ok()) return read.error();
  const ImportedTrace& imported = **read;
  if (!options.what_if.empty()) return explainWhatIf(imported, options);
  std::optional<Result<Suggestions>> suggestions;
  if (executor)
    suggestions =
        suggestionsOf(*source->record, source->variant, *imported.trace, *executor, ProfileStore::ofThisUser());
  if (apply) {
    if (!suggestions->ok()) return suggestions->error();
    if (const Status written = writeSuggested(source->record->experiment, **suggestions, options.apply_suggestion);
        !written.ok())
      return written;
  }
  const PreparedActions actions = preparedActionsOf(*imported.trace);
  const Result<IdleCauses> causes = explainedIn(imported, actions, options);
  if (!causes.ok()) return causes.error();
  return print({*imported.trace, actions, *causes, imported.base, imported.trace->range().start, &*source,
                suggestions ? &*suggestions : nullptr, &imported},
               options);
}

}  // namespace

void addGaps(const Command& app, CliContext& context) {
  const Command command = app.subcommand("gaps", "Explain idle time: list every gap with its causes");
  command.help(
      {.examples = {"gaps runs/demo --variant Pipeline",
                    "gaps runs/demo --variant Pipeline --what-if stage:1=0.5 --longest 5",
                    "gaps before.json.gz after.json.gz"},
       .notes =
           "The causes of all gaps add up to the idle time of a lane. A GPU of an imported trace is busy while any "
           "kernel computes. Its idle time is the sum of exposed communication (collectives, sends and receives "
           "without compute), exposed memory (copies and memsets without kernels) and the time when nothing runs: "
           "exposed_communication_us, exposed_memory_us and inactive_us of --json.\n\n"
           "Two traces, before and after a change, are compared: idle time by lane, and its causes over all lanes or "
           "on the lane of --lane, with the difference. Of three or more each has its own tables. --json prints "
           "several as an array, traces; difference is that of two."});
  const auto options = std::make_shared<GapsArguments>();
  command
      .option("DIR|TRACE", options->places,
              "Run folder, id of a stored run, folder of an imported trace, or a trace file; several to compare them")
      .required();
  command.option("--variant NAME", options->variant,
                 "Variant of the run, of each if several are given; optional if there is only one");
  command.option("--lane LANE", options->lane,
                 "List the gaps of this lane only, by number or name; of several traces its idle time and causes");
  command
      .option("--longest", options->longest,
              "Number of gaps to list, the longest first (default: " + std::to_string(kLongest) + ")")
      .notNegative();
  command
      .option(
          "--windows", options->windows,
          "Windows in which idle time counts: step (first start to last end, one for all lanes; of a GPU of an "
          "imported trace, to the end of what the step launched), period (of each lane, from step to step) or trace "
          "(of an imported trace, from a lane's first to its last kernel or operator). Default: period where steps "
          "overlap, else step")
      .oneOf(windowWords());
  const Option what_if = command.option(
      "--what-if NAME=FACTOR", options->what_if,
      "Replay the steps and scale a stage, rank, link or block, such as stage:1=0.5, rank:0=2, link:0=2 or "
      "layer3.0=0.8");
  command
      .option("--apply-suggestion,--apply-mend FILE", options->apply_suggestion,
              "Write the experiment of the run with the suggested fix as a further variant, which the command run "
              "measures")
      .excludes(what_if);
  command.option("--csv FILE", options->csv, "Also write all gaps with their causes as CSV");
  addImportOptions(command, options->reading);
  command.json(options->json);
  chosen(command, context, [options, &context] {
    for (std::string& place : options->places) place = folderOfRun(place);
    return options->places.size() == 1 ? explain(*options, context.stop) : explainSeveral(*options, context.stop);
  });
}

}  // namespace lanelab
