// SPDX-License-Identifier: GPL-3.0-only
// stats: what the spans of a run or of any trace add up to, by name, block, lane and so on.
#include <algorithm>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

#include "app/cli/cli.h"
#include "app/cli/run_trace.h"
#include "app/cli/runs_option.h"
#include "app/cli/trace_range.h"
#include "base/atomic_file.h"
#include "base/text.h"
#include "base/text_table.h"
#include "profiler/analysis/statistics/span_statistics.h"
#include "profiler/io/import/trace_import.h"
#include "profiler/io/tables/statistics_tables.h"

namespace lanelab {
namespace {

constexpr int kTop = 20;  // groups that the table lists

struct StatsArguments {
  std::string place;
  std::string variant;
  std::string by = toWord(Grouping::Name);
  std::string range;
  std::string csv;
  ImportOptions reading;
  std::optional<int> step;
  std::optional<int> top;
  bool json = false;

  std::size_t most(std::size_t usual) const { return top ? static_cast<std::size_t>(*top) : usual; }
};

constexpr std::size_t kAllGroups = std::numeric_limits<std::size_t>::max();

Result<Grouping> groupingIn(const ImportedTrace& imported, const std::string& word) {
  const Grouping by = fromWord<Grouping>(word).value_or(Grouping::Name);
  const std::vector<Grouping> offered = groupingsOf(*imported.trace, &imported);
  if (std::ranges::find(offered, by) != offered.end()) return by;
  std::vector<std::string> choices;
  choices.reserve(offered.size());
  for (const Grouping other : offered) choices.push_back(toWord(other));
  return Error::badInput("No span of the trace has a {}. Choose {} for --by.", word, joinOr(choices));
}

/// As readers number steps: from 1, but as they are in traces of other programs.
Result<int> countedStepIn(const Trace& trace, int wanted) {
  const std::vector<int> steps = stepNumbers(trace);
  if (steps.empty()) return Error::badInput("The trace has no steps. Leave out --step, or choose a part with --range.");
  const int first = shownStep(trace, 0);
  if (std::ranges::find(steps, wanted - first) != steps.end()) return wanted - first;
  if (steps.size() == 1)
    return Error::badInput("The trace has no step {}. Its only step is {}.", wanted, steps.front() + first);
  return Error::badInput("The trace has no step {}. Choose one from {} to {}.", wanted, steps.front() + first,
                         steps.back() + first);
}

Result<CountedPart> countedPartIn(const Trace& trace, const StatsArguments& options) {
  CountedPart part;
  if (options.step) {
    const Result<int> step = countedStepIn(trace, *options.step);
    if (!step.ok()) return step.error();
    part.step = *step;
  }
  if (!options.range.empty()) {
    const Result<TimeRange> range = rangeIn(trace, options.range);
    if (!range.ok()) return range.error();
    part.range = *range;
  }
  return part;
}

void printFigures(const StatisticsSource& source, const StatsArguments& options) {
  std::cout << countedSentence(source) << "\n\n";
  if (!source.statistics.overview.lanes.empty())
    std::cout << textTable(overviewRows(source.statistics.overview), 1) << "\n";
  if (source.statistics.groups.empty()) {
    std::cout << "No span is in it.\n";
    return;
  }
  const std::size_t top = options.most(kTop);
  std::cout << textTable(statisticsRows(source, top), 1) << "\n" << groupsSentence(source, top) << "\n";
}

Status printStatistics(const StatsArguments& options, const std::stop_token& stop) {
  const Result<TraceSource> source = traceSourceOf(options.place, options.variant);
  if (!source.ok()) return source.error();
  const auto read = importForFigures(source->file, options.reading, "counts and times may be too small", stop);
  if (!read.ok()) return read.error();
  const ImportedTrace& imported = **read;
  const Trace& trace = *imported.trace;
  const Result<Grouping> by = groupingIn(imported, options.by);
  if (!by.ok()) return by.error();
  const Result<CountedPart> part = countedPartIn(trace, options);
  if (!part.ok()) return part.error();
  const std::optional<SpanStatistics> statistics = spanStatistics(trace, &imported, *by, *part, stop);
  if (!statistics) return Error::badInput("No lane has anything in step {}.", options.step.value_or(0));
  if (stop.stop_requested()) return Error::cancelled("The statistics were cancelled.");
  const StatisticsSource figures{trace, &imported, *statistics};
  if (!options.csv.empty())
    if (Status written = writeFileAtomically(options.csv, statisticsCsv(figures, options.most(kAllGroups)));
        !written.ok())
      return written;
  if (options.json)
    std::cout << statisticsJson(figures, options.most(kAllGroups), imported.base);
  else
    printFigures(figures, options);
  return {};
}

}  // namespace

void addStats(const Command& app, CliContext& context) {
  const Command command = app.subcommand("stats", "Add up the spans of a trace by name, block, lane or another group");
  command.help(
      {.examples = {"stats runs/demo --variant Pipeline --by block",
                    "stats trace.json.gz --by category --range 100ms..250ms",
                    "stats runs/imported --step 3 --csv step.csv"},
       .notes =
           "The first table splits the time of each lane into compute, communication that no compute of the lane "
           "hides, copies and memsets, loading of data, work of the host, and the rest; the parts add up to the window "
           "exactly. In the second, total is inclusive: a block is within its action, an operator within its block. "
           "Time that spans of one group have in common on a row counts once. Self leaves out the spans within, so "
           "it adds up over all groups. Share is total over the lane time, which is the window times the number of "
           "lanes. Median and p95 are interpolated as NumPy does it. A span that the range cuts counts with the part "
           "inside."});
  const auto options = std::make_shared<StatsArguments>();
  command
      .option("DIR|TRACE", options->place,
              "Run folder, id of a stored run, folder of an imported trace, or a trace file")
      .required();
  command.option("--variant NAME", options->variant, "Variant of the run; optional if there is only one");
  command
      .option("--by GROUP", options->by,
              "What to group by: name, block, module (what contains the block, or nn.Module of PyTorch's profiler), "
              "category, operation (forward, backward, ...), stage, lane, rank or group (process group)")
      .oneOf(words<Grouping>())
      .showDefault();
  const Option range = addRangeOption(command, options->range, "Count this part of the trace only");
  command
      .option("--step", options->step, "Count this step only: from 1, or in traces of other programs as they number it")
      .excludes(range);
  command
      .option("--top", options->top,
              "Number of groups to list, the largest totals first (default: " + std::to_string(kTop) +
                  " in the table, all with --json and --csv)")
      .positive();
  command.option("--csv FILE", options->csv, "Also write the groups as CSV");
  addImportOptions(command, options->reading);
  command.json(options->json);
  chosen(command, context, [options, &context] {
    options->place = folderOfRun(options->place);
    return printStatistics(*options, context.stop);
  });
}

}  // namespace lanelab
