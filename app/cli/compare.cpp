// SPDX-License-Identifier: GPL-3.0-only
// compare: the variants of one run or of several, with ratios, intervals and a verdict in words.
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

#include "app/cli/cli.h"
#include "app/cli/compare_traces.h"
#include "app/cli/run_trace.h"
#include "app/cli/runs_option.h"
#include "base/atomic_file.h"
#include "base/json_text.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/record/combined_runs.h"
#include "engine/record/record_json.h"
#include "engine/record/run_store.h"
#include "engine/record/speed_words.h"
#include "engine/report/comparison_text.h"
#include "engine/report/run_notes.h"
#include "profiler/analysis/aligned_runs.h"
#include "profiler/io/tables/csv_tables.h"

namespace lanelab {
namespace {

struct CompareArguments {
  std::vector<std::string> folders;
  std::string baseline;
  std::string csv;
  std::vector<std::string> timelines;
  TraceChoice traces;
  bool json = false;
  bool unlike = false;
};

// The folder's own name; the path as given where two folders are called the same.
std::vector<std::string> labelsOf(const std::vector<std::string>& folders) {
  std::vector<std::string> labels;
  std::set<std::string> seen;
  for (const std::string& folder : folders) {
    std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    labels.push_back(path.filename().string());
    seen.insert(labels.back());
  }
  return seen.size() == folders.size() ? labels : folders;
}

/// What changes how the figures are read.
std::vector<std::string> notesOnFigures(const RunRecord& record) {
  using enum RunNote::Kind;
  return noteSentences(runNotes(record), {Trust, Suggestion, Modes, Statistics});
}

std::string toJson(const RunRecord& record, const std::vector<std::string>& warnings) {
  Json variants = Json::array();
  for (std::size_t i = 0; i < record.variants.size(); ++i) {
    const VariantRecord& variant = record.variants[i];
    const Ratio& ratio = record.comparison[i].ratio;
    const bool measured = variant.summary.n > 0;
    variants.push_back({{"name", variant.name},
                        {"n", variant.summary.n},
                        {"mean", numberOrNull(variant.summary.mean, measured)},
                        {"std", numberOrNull(variant.summary.std, variant.summary.n > 1)},
                        {"median", numberOrNull(variant.summary.median, measured)},
                        {"mean_ci95", intervalToJson(variant.summary.ci95)},
                        {"images_per_second", numberOrNull(variant.samples_per_second, measured)},
                        {"ratio", ratio.ratio},
                        {"ci95", intervalToJson(ratio.ci95)},
                        {"smallest_difference", numberOrNull(ratio.smallest_difference, ratio.ci95.has_value())},
                        {"verdict", verdictText(ratio).message}});
  }
  const Json object = {{"baseline", record.baseline},     {"headline", headline(record).message},
                       {"variants", std::move(variants)}, {"per_image", record.per_sample},
                       {"notes", notesOnFigures(record)}, {"warnings", warnings}};
  return jsonText(object, 2) + "\n";
}

struct VariantTrace {
  std::shared_ptr<const Trace> trace;
  int samples = 0;                   ///< per micro-batch
  std::vector<double> seconds = {};  ///< of all repeats
};

Result<VariantTrace> variantTrace(const std::string& folder, const std::string& variant) {
  const Result<RunRecord> record = readRun(folder);
  if (!record.ok()) return record.error();
  const auto trace = readRunTrace(*record, folder, variant);
  if (!trace.ok()) return trace.error();
  const VariantRecord* const measured = record->find(variant);
  return VariantTrace{*trace, measured ? measured->split_size : 0,
                      measured ? measured->seconds() : std::vector<double>()};
}

/// "+12.3 %", "-0.4 %"; empty if there is nothing to take a share of.
std::string shareText(double a, double b) { return a > 0 ? formatChange(b / a - 1) : std::string(); }

void printAligned(const AlignedRuns& runs) {
  std::vector<std::vector<std::string>> rows{{"Stage", "Phase", "Actions", "A", "B", "B - A", "Change"}};
  double a = 0, b = 0;
  for (const CellMean& mean : runs.means()) {
    const double difference = mean.b - mean.a;
    rows.push_back({std::to_string(mean.stage), std::string(1, letterOf(mean.phase)), std::to_string(mean.cells),
                    formatSeconds(mean.a * 1e-9), formatSeconds(mean.b * 1e-9),
                    (difference < 0 ? "-" : "+") + formatSeconds((difference < 0 ? -difference : difference) * 1e-9),
                    shareText(mean.a, mean.b)});
    a += mean.a * static_cast<double>(mean.cells);
    b += mean.b * static_cast<double>(mean.cells);
  }
  if (rows.size() > 1) std::cout << textTable(rows, 2) << "\n";
  std::cout << counted(static_cast<std::int64_t>(runs.cells.size()), "matching action") << ": in total "
            << formatSeconds(a * 1e-9) << " in A and " << formatSeconds(b * 1e-9) << " in B; " << runs.only_a.size()
            << " only in A, " << runs.only_b.size() << " only in B.\n";
}

/// As the table of several runs calls variants.
std::string nameOf(const std::vector<std::string>& folders, std::size_t folder, const std::string& variant) {
  return folders.size() == 1 ? variant : labelsOf(folders)[folder] + "/" + variant;
}

/// Lays two timelines on one axis: prints the mean length of each stage's phases in both; `variants` are two, of the
/// first folder and of the last. The table of all cells goes to `csv` if that is not empty.
Status compareTimelines(const std::vector<std::string>& folders, const std::vector<std::string>& variants,
                        const std::string& csv) {
  const auto a = variantTrace(folders.front(), variants.front());
  if (!a.ok()) return a.error();
  const auto b = variantTrace(folders.back(), variants.back());
  if (!b.ok()) return b.error();
  const MicroBatchSizes samples{a->samples, b->samples};
  if (samples.differ())
    return Error::badInput(
        "--timeline: micro-batches differ: {} and {} samples, so an action of one has no counterpart in the other. "
        "Compare variants with the same micro-batch size, or leave --timeline out to compare their times.",
        samples.a, samples.b);
  const AlignedRuns runs = alignRuns(*a->trace, *b->trace, samples);
  if (!csv.empty()) {
    if (const Status written = writeFileAtomically(csv, alignedCsv(runs.cells)); !written.ok()) return written;
  }
  std::cout
      << "Mean duration per action, measured. A is " << nameOf(folders, 0, variants.front()) << ", B is "
      << nameOf(folders, folders.size() - 1, variants.back())
      << ". Each action is compared with the same action of the same step, of the last repeat of each (n = 1).\n\n";
  printAligned(runs);
  const Ratio ratio = compareTimes(a->seconds, b->seconds);
  const bool one_run = folders.front() == folders.back();
  std::cout << "All repeats: " << speedSentence("B", "A", one_run ? ratio : betweenRuns(ratio)).message << "\n";
  return {};
}

/// Of two traces, or of a run and a trace.
Status compareRecordings(const CompareArguments& options, const std::stop_token& stop) {
  if (!options.timelines.empty() || !options.baseline.empty())
    return Error::badInput("{} is for runs, and a trace is given. Leave it out, or name run folders alone.",
                           options.timelines.empty() ? "--baseline" : "--timeline");
  TraceChoice choice = options.traces;
  choice.csv = options.csv;
  choice.json = options.json;
  choice.unlike = options.unlike;
  return compareTraces(options.folders, choice, stop);
}

Status compare(const CompareArguments& options, const std::stop_token& stop) {
  if (anyIsTrace(options.folders)) return compareRecordings(options, stop);
  if (!options.traces.variant.empty() || options.traces.top)
    return Error::badInput("{} is for imported traces. Leave it out to compare runs.",
                           options.traces.variant.empty() ? "--top" : "--variant");
  if (!options.timelines.empty()) {
    if (options.folders.size() <= 2) return compareTimelines(options.folders, options.timelines, options.csv);
    return Error::badInput(
        "--timeline compares two timelines. Name one run folder that has both variants, or two folders.");
  }
  const std::vector<std::string> labels = labelsOf(options.folders);
  std::vector<LabelledRun> runs;
  for (std::size_t i = 0; i < options.folders.size(); ++i) {
    Result<RunRecord> record = readRun(options.folders[i]);
    if (!record.ok()) return record.error();
    runs.push_back({labels[i], std::move(*record)});
  }
  std::vector<std::string> warnings;
  const bool refused = !options.unlike && areUnlike(runs);
  const Result<RunRecord> combined = combineRuns(std::move(runs), options.baseline, warnings,
                                                 options.unlike ? UnlikeRuns::Compare : UnlikeRuns::Refuse);
  if (!combined.ok()) {
    if (!refused) return combined.error();
    return Error{combined.error().kind,
                 sentence("{} Or add --unlike to compare samples/s all the same.", combined.error())};
  }
  for (const std::string& warning : warnings) std::cerr << "Warning: " << warning << "\n";
  if (!options.csv.empty()) {
    if (const Status written = writeFileAtomically(options.csv, comparisonCsv(*combined)); !written.ok())
      return written;
  }
  if (options.json) {
    std::cout << toJson(*combined, warnings);
    return {};
  }
  std::cout << comparisonTable(*combined) << "\n" << headline(*combined).message << "\n";
  for (const std::string& note : notesOnFigures(*combined)) std::cout << note << "\n";
  return {};
}

}  // namespace

void addCompare(const Command& app, CliContext& context) {
  const Command command = app.subcommand("compare", "Compare the variants of one or several runs, or two traces");
  command.help({.examples = {"compare runs/demo --baseline \"Model parallel\"",
                             "compare runs/monday runs/tuesday --timeline Pipeline Pipeline",
                             "compare runs/job-before runs/job-after --csv comparison.csv"},
                .notes =
                    "Two traces of other programs, before and after a change, are compared step by step: the step, "
                    "what lanes spend it on, why they are idle, the passes of each stage, and each name. A "
                    "difference within the spread of the steps is called \"no difference shown\"; fewer than five "
                    "steps show none. A run and a trace are compared in what both have."});
  const auto options = std::make_shared<CompareArguments>();
  command
      .option("DIR", options->folders,
              "Run folders, or ids of stored runs; with several, a variant is named FOLDER/VARIANT. Or two traces: "
              "folders of imported traces, folders with the traces of a job's ranks, or files")
      .required();
  command.option("--baseline NAME", options->baseline,
                 "Variant that the others are compared with (default: the first)");
  command.option("--csv FILE", options->csv, "Also write the table as CSV");
  command
      .option("--timeline A B", options->timelines,
              "Compare the timelines of two variants action by action; of two folders, A is in the first and B in the "
              "second")
      .expected(2);
  command.flag("--unlike", options->unlike,
               "Compare samples/s also of runs whose model or data differ, and traces of jobs with other numbers of "
               "ranks, stages or micro-batches");
  command.option("--variant NAME", options->traces.variant,
                 "With a trace: variant of the run that it is compared with");
  command
      .option("--top", options->traces.top,
              "Of traces, how many names and lanes to list, those that changed most (default: 20)")
      .notNegative();
  addImportOptions(command, options->traces.reading);
  command.json(options->json);
  chosen(command, context, [options, &context] {
    for (std::string& folder : options->folders) folder = folderOfRun(folder);
    return compare(*options, context.stop);
  });
}

}  // namespace lanelab
