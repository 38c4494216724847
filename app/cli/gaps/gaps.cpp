// SPDX-License-Identifier: GPL-3.0-only
// gaps: why lanes are idle, of a run or of any trace.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "app/cli/cli.h"
#include "app/cli/progress_lines.h"
#include "app/cli/run_trace.h"
#include "app/cli/runs_option.h"
#include "base/atomic_file.h"
#include "base/json_text.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/advise/replay_range.h"
#include "engine/advise/suggestions.h"
#include "engine/record/record_json.h"
#include "engine/record/run_store.h"
#include "engine/report/run_notes.h"
#include "engine/torch/train/torch_executor.h"
#include "profiler/analysis/what_if.h"
#include "profiler/io/import/import_folder.h"
#include "profiler/io/import/trace_import.h"
#include "profiler/io/tables/begin_time.h"
#include "profiler/io/tables/causes_json.h"
#include "profiler/io/tables/csv_tables.h"
#include "profiler/io/tables/gap_tables.h"
#include "profiler/io/tables/root_tables.h"
#include "profiler/io/tables/unknown_work.h"

namespace lanelab {
namespace {

struct GapsArguments {
  std::string place;
  std::string variant;
  std::string lane;
  std::string csv;
  std::string apply_suggestion;
  std::vector<std::string> what_if;
  std::string max_unpacked;
  std::string windows;
  int longest = 20;
  bool json = false;
};

// The file that holds the trace, and the run where it is of one.
struct Source {
  std::string file;
  std::optional<RunRecord> record = {};
  std::string variant = {};
};

// The place itself, or what the folder holds that it is.
Result<Source> sourceOf(const GapsArguments& options) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(options.place, ignored)) return Source{options.place};
  if (holdsImport(options.place)) return Source{importedTracePath(options.place)};
  if (!holdsRun(options.place)) {
    return Error::badInput(
        "{} has neither a run.json nor an import.json. Choose a run folder, the folder of an imported trace, or a "
        "trace file.",
        options.place);
  }
  Result<RunRecord> record = readRun(options.place);
  if (!record.ok()) return record.error();
  Result<std::string> variant = variantOf(*record, options.variant);
  if (!variant.ok()) return variant.error();
  Result<std::string> file = runTracePath(*record, options.place, *variant);
  if (!file.ok()) return file.error();
  return Source{std::move(*file), std::move(*record), std::move(*variant)};
}

// By number, or by a name that one lane has.
Result<std::optional<int>> laneOf(const IdleCauses& causes, const std::string& wanted) {
  if (wanted.empty()) return std::optional<int>();
  std::vector<std::string> names;
  std::vector<int> numbers;
  for (const LaneCauses& lane : causes.lanes) {
    if (wanted == std::to_string(lane.lane)) return std::optional(lane.lane);
    if (wanted == lane.name) numbers.push_back(lane.lane);
    names.push_back("\"" + lane.name + "\"");
  }
  if (numbers.size() == 1) return std::optional(numbers.front());
  if (numbers.size() > 1)
    return Error::badInput("The trace has {} lanes \"{}\". Choose one by its number, from 0 to {}.", numbers.size(),
                           wanted, causes.lanes.size() - 1);
  return Error::badInput("The trace has no lane \"{}\". Choose {}, or a number from 0.", wanted, joinOr(names));
}

constexpr std::string_view kWholeTrace = "trace";

// Nothing: periods where steps overlap, else steps.
std::optional<WindowKind> windowsOf(const GapsArguments& options) { return fromWord<WindowKind>(options.windows); }

Result<IdleCauses> explainedIn(const ImportedTrace& imported, const GapsArguments& options) {
  if (options.windows != kWholeTrace) return explainIdle(imported, windowsOf(options));
  if (!hasActions(*imported.trace)) return explainImported(*imported.trace, &imported, ImportedWindows::Trace);
  return Error::badInput(
      "--windows trace is for traces of other programs, whose GPUs may work outside of the steps. Choose step or "
      "period for a trace with actions of lanes.");
}

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

/// "suggestions": [ { "text", "predicted_ratio", "change": { the variant's keys that change } } ], the best first.
std::string suggestionsMember(const Experiment& experiment, const Suggestions& suggestions) {
  Json list = Json::array();
  for (const Suggestion& suggestion : suggestions.best)
    list.push_back({{"text", suggestion.text},
                    {"predicted_ratio", suggestion.ratio},
                    {"change", changeOf(experiment, suggestion)}});
  const std::string caution =
      suggestions.caution.empty() ? "" : ",\n  \"caution\": " + jsonText(Json(suggestions.caution));
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
  const IdleCauses& causes;
  Nanoseconds axis;
  Nanoseconds begin;                                 // of the trace
  const Source* source = nullptr;                    // where the trace is as it was measured
  const Result<Suggestions>* suggestions = nullptr;  // of a run
  const ImportedTrace* file = nullptr;               // as it was read

  std::optional<RecordingCost> recording() const {
    return source && source->record ? source->record->find(source->variant)->recording : std::nullopt;
  }
};

/// The trace's begin: "begin_us" on the file's own axis, "begin_unix_us" as Unix time, null if unknown.
std::string beginMembers(const Explained& what) {
  const std::optional<Nanoseconds> unix_time = unixTimeOf(what.trace, what.begin);
  return "\"begin_us\": " + microsecondsText(what.begin - what.axis) +
         ",\n  \"begin_unix_us\": " + (unix_time ? microsecondsText(*unix_time) : "null");
}

/// Of our own dialect: what each root costs, and what the critical path is made of.
std::string analysisMembers(const Trace& trace, const IdleCauses& causes) {
  const std::vector<CriticalPath> paths = criticalPaths(trace);
  if (paths.empty()) return {};
  const RootCosts roots = rootCosts(trace);
  return "\"step_us\": " + microsecondsText(roots.step) + ",\n  \"roots\": " + rootsJson(trace, roots) +
         ",\n  \"critical_path\": " + pathJson(pathParts(trace, paths)) +
         ",\n  \"waterfall\": " + waterfallJson(idleWaterfall(trace, causes)) + ",\n  ";
}

std::string moreMembers(const Explained& what) {
  const bool found = what.suggestions && what.suggestions->ok();
  const std::string suggestions =
      beginMembers(what) + ",\n  " + analysisMembers(what.trace, what.causes) +
      (found ? suggestionsMember(what.source->record->experiment, **what.suggestions) : membersOf("[]"));
  const std::optional<RecordingCost> recording = what.recording();
  return recording ? suggestions + ",\n  \"recording\": " + jsonText(recordingToJson(*recording)) : suggestions;
}

void printSuggestions(const Result<Suggestions>& suggestions) {
  if (!suggestions.ok()) {
    std::cout << suggestions.error().message << "\n";
    return;
  }
  std::cout << suggestions->sentence << "\n";
  if (!suggestions->caution.empty() && !suggestions->best.empty()) std::cout << suggestions->caution << "\n";
  for (std::size_t i = 1; i < suggestions->best.size(); ++i) std::cout << "Or: " << suggestions->best[i].text << "\n";
  for (const std::string& note : suggestions->notes) std::cout << note << "\n";
}

bool hasNoLane(const Explained& what) {
  return what.file && std::ranges::all_of(what.causes.lanes, [](const LaneCauses& lane) { return lane.window == 0; });
}

/// A suggestion is predicted from measured times, so general advice beside it could only contradict it.
bool suggests(const Explained& what) {
  return what.suggestions && what.suggestions->ok() && !(*what.suggestions)->best.empty();
}

/// What costs most; of a file without lanes, what it has.
std::string mainSentence(const Explained& what) {
  return hasNoLane(what) ? unknownWorkSentence(*what.file) : idleSentence(what.causes, !suggests(what));
}

/// What each root of idle time costs, and what the step depends on.
void printRoots(const Trace& trace, const std::vector<WaterfallStep>& waterfall) {
  constexpr std::size_t kMostRoots = 6, kMostParts = 6;
  const std::vector<CriticalPath> paths = criticalPaths(trace);
  if (paths.empty()) return;
  const RootCosts roots = rootCosts(trace);
  const PathParts parts = pathParts(trace, paths);
  if (!roots.costs.empty()) std::cout << "\n" << textTable(rootRows(trace, roots, kMostRoots), 1);
  if (const TableRows rows = waterfallRows(waterfall); rows.size() > 1) std::cout << "\n" << textTable(rows, 1);
  if (!parts.parts.empty()) std::cout << "\n" << textTable(pathRows(trace, parts, kMostParts), 1);
  std::cout << "\n" << pathSentence(paths) << "\n";
  for (const std::string& sentence : {pathBlocksSentence(parts), stragglerSentence(trace, roots)})
    if (!sentence.empty()) std::cout << sentence << "\n";
}

void printTables(const Explained& what, const GapsArguments& options, std::optional<int> lane) {
  const IdleCauses& causes = what.causes;
  if (!causes.lanes.empty())
    std::cout << textTable(laneRows(causes), 1) << "\n" << textTable(causeRows(causes), 1) << "\n";
  const TableRows gaps = gapRows(what.trace, causes, static_cast<std::size_t>(options.longest), lane, what.begin);
  if (gaps.size() > 1)
    std::cout << textTable(gaps, 3) << "\n" << beginSentence(what.trace, what.begin, what.axis) << "\n";
  const std::vector<WaterfallStep> waterfall = idleWaterfall(what.trace, causes);
  printRoots(what.trace, waterfall);
  for (const std::string& sentence :
       {extentSentence(what.trace), bubbleSentence(causes, waterfall), coreSentence(what.trace),
        communicationSentence(causes), mainSentence(what), outsideSentence(causes), stepsSentence(causes),
        what.file ? launchSentence(*what.file, causes) : std::string()})
    if (!sentence.empty()) std::cout << sentence << "\n";
  if (what.source && what.source->record)
    if (const std::string slower = slowerThanSingleText(*what.source->record, what.source->variant); !slower.empty())
      std::cout << slower << "\n";
  if (what.suggestions) printSuggestions(*what.suggestions);
  if (const auto recording = what.recording())
    std::cout << "Recording cost (" << recording->mode << "): " << recordingCostText(*recording) << ".\n";
}

std::vector<std::string> windowWords() {
  std::vector<std::string> choices = words<WindowKind>();
  choices.emplace_back(kWholeTrace);
  return choices;
}

Status print(const Explained& what, const GapsArguments& options) {
  if (windowsOf(options).value_or(what.causes.window_kind) != what.causes.window_kind)
    return Error::badInput(
        "The trace has no actions of lanes, so there are no periods. Leave out --windows period to see its gaps.");
  const Result<std::optional<int>> lane = laneOf(what.causes, options.lane);
  if (!lane.ok()) return lane.error();
  if (!options.csv.empty()) {
    const Status written = writeFileAtomically(options.csv, gapTableCsv(what.trace, what.causes, what.begin));
    if (!written.ok()) return written;
  }
  if (options.json) {
    if (hasNoLane(what)) std::cerr << "Note: " << unknownWorkSentence(*what.file) << "\n";
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
              << (range && range->low < range->high ? " 90 % range: " + rangeText(*range) + "." : "") << "\n\n";
  }
  return print({replayed, explainIdle(replayed, windowsOf(options)), imported.base, replayed.range().start}, options);
}

Status explain(const GapsArguments& options, const std::stop_token& stop) {
  const Result<Source> source = sourceOf(options);
  if (!source.ok()) return source.error();
  const bool apply = !options.apply_suggestion.empty();
  if (apply && !source->record)
    return Error::badInput(
        "--apply-suggestion needs a run folder, since a trace does not name its experiment. Choose a run folder.");
  // Before the trace is read: the program may start again here.
  const std::unique_ptr<Executor> executor = source->record && options.what_if.empty() ? makeTorchExecutor() : nullptr;
  const std::string& file = source->file;
  const auto read = [&] {
    ProgressLines lines(ProgressLines::Length::MostlyShort);
    return importChosen(file, options.max_unpacked, {lines.report(), stop});
  }();
  if (!read.ok()) return read.error();
  const ImportedTrace& imported = **read;
  if (const std::int64_t lost = lostForGaps(imported.counts); lost > 0)
    std::cerr << "Warning: " << file << ": " << lost << (lost == 1 ? " event is" : " events are")
              << " lost, so gaps may be missing or wrong. lanelab-cli import lists the losses by kind.\n";
  for (const std::string& remark : imported.counts.remarks) std::cerr << "Warning: " << file << ": " << remark << "\n";
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
  const Result<IdleCauses> causes = explainedIn(imported, options);
  if (!causes.ok()) return causes.error();
  return print({*imported.trace, *causes, imported.base, imported.trace->range().start, &*source,
                suggestions ? &*suggestions : nullptr, &imported},
               options);
}

}  // namespace

void addGaps(const Command& app, CliContext& context) {
  const Command command = app.subcommand("gaps", "Explain idle time: list every gap with its causes");
  command.help(
      {.examples = {"gaps runs/demo --variant Pipeline",
                    "gaps runs/demo --variant Pipeline --what-if stage:1=0.5 --longest 5", "gaps trace.json.gz --json"},
       .notes =
           "The causes of all gaps add up to the idle time of a lane. A GPU of an imported trace is busy while any "
           "kernel computes. Its idle time is the sum of exposed communication (collectives, sends and receives "
           "without compute), exposed memory (copies and memsets without kernels) and the time when nothing runs: "
           "exposed_communication_us, exposed_memory_us and inactive_us of --json."});
  const auto options = std::make_shared<GapsArguments>();
  command
      .option("DIR|TRACE", options->place,
              "Run folder, id of a stored run, folder of an imported trace, or a trace file")
      .required();
  command.option("--variant", options->variant, "Variant of the run; optional if there is only one").typeName("NAME");
  command.option("--lane", options->lane, "List the gaps of this lane only, by number or name").typeName("LANE");
  command.option("--longest", options->longest, "Number of gaps to list, the longest first")
      .showDefault()
      .notNegative();
  command
      .option(
          "--windows", options->windows,
          "Windows in which idle time counts: step (first start to last end, one for all lanes; of a GPU of an "
          "imported trace, to the end of what the step launched), period (of each lane, from step to step) or trace "
          "(of an imported trace, from a lane's first to its last work). Default: period where steps overlap, else "
          "step")
      .oneOf(windowWords());
  const Option what_if =
      command
          .option("--what-if", options->what_if,
                  "Replay the steps and scale a stage, link or block, such as stage:1=0.5, link:0=2 or layer3.0=0.8")
          .typeName("NAME=FACTOR");
  command
      .option("--apply-suggestion,--apply-mend", options->apply_suggestion,
              "Write the experiment of the run with the suggested fix as a further variant, which the command run "
              "measures")
      .typeName("FILE")
      .excludes(what_if);
  command.option("--csv", options->csv, "Also write all gaps with their causes as CSV").typeName("FILE");
  addImportOptions(command, options->max_unpacked);
  command.json(options->json);
  chosen(command, context, [options, &context] {
    options->place = folderOfRun(options->place);
    return explain(*options, context.stop);
  });
}

}  // namespace lanelab
