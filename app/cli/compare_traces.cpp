// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/compare_traces.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <utility>

#include "app/cli/run_trace.h"
#include "base/atomic_file.h"
#include "base/terminal_text.h"
#include "base/text_table.h"
#include "engine/jobs/comparison_tables.h"
#include "engine/record/run_store.h"
#include "profiler/io/import/import_folder.h"
#include "profiler/io/ranks/rank_files.h"

namespace lanelab {
namespace {

constexpr int kRowsListed = 20;

bool isTrace(const std::string& place) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(place, ignored)) return true;
  if (!std::filesystem::is_directory(place, ignored) || holdsRun(place)) return false;
  return holdsImport(place) || !traceFilesOf({place}).empty();
}

/// What is compared of a trace, without the trace itself, since two may not fit into memory together.
struct ProfiledTrace {
  std::string title;
  StepProfile profile;
  std::optional<JobSlowdown> slowdown;
};

Result<ProfiledTrace> profiledTrace(const std::string& place, const TraceChoice& choice, const std::stop_token& stop) {
  const Result<TraceSource> source = traceOrRanksOf(place, choice.variant);
  if (!source.ok()) return source.error();
  const auto read = importForFigures(source->file, choice.reading, "counts and times may be too small", stop);
  if (!read.ok()) return read.error();
  ProfiledTrace profiled{onOneTerminalLine(source->variant.empty() ? place : place + " (" + source->variant + ")"),
                         stepProfile(**read, stop), jobSlowdown(*(*read)->trace)};
  if (stop.stop_requested()) return Error::cancelled("The comparison was cancelled.");
  return profiled;
}

void printTable(const TableRows& rows, std::size_t words) {
  if (rows.size() > 1) std::cout << "\n" << textTable(rows, words, LastColumn::Words);
}

void printOnly(std::string_view when, const std::vector<NameProfile>& names, int steps, std::size_t most) {
  if (names.empty() || most == 0) return;
  std::cout << "\nOnly " << when << " (" << names.size() << "):\n" << textTable(nameRows(names, steps, most), 2);
}

void printComparison(const ComparedTraces& traces, std::size_t most) {
  const TraceComparison& compared = traces.compared;
  std::cout << "before: " << traces.before << "\nafter:  " << traces.after << "\n\n";
  for (const Message& said : comparisonSentences(traces)) std::cout << said.message << "\n";
  std::cout << "\nTimes per step.\n";
  printTable(partDifferenceRows(compared), 1);
  printTable(idleDifferenceRows(compared), 1);
  printTable(stageDifferenceRows(compared), 2);
  printTable(laneTimeRows(compared, most), 2);
  if (most < compared.lanes.size())
    std::cout << "The " << most << " lanes whose compute changed most of " << compared.lanes.size()
              << "; --top N lists more.\n";
  if (most > 0) printTable(nameDifferenceRows(compared, most), 2);
  if (most > 0 && most < compared.names.size())
    std::cout << "The " << most << " largest changes of " << compared.names.size() << " names; --top N lists more.\n";
  printOnly("before", compared.names_only_before, compared.steps_before, most);
  printOnly("after", compared.names_only_after, compared.steps_after, most);
  if (const TableRows rows = slowdownDifferenceRows(traces); rows.size() > 1) std::cout << "\n" << textTable(rows, 1);
}

}  // namespace

bool anyIsTrace(const std::vector<std::string>& places) { return std::ranges::any_of(places, isTrace); }

Status compareTraces(const std::vector<std::string>& places, const TraceChoice& choice, const std::stop_token& stop) {
  if (places.size() != 2)
    return Error::badInput("A trace is compared with one other, before and after a change, and {} {} given.",
                           places.size(), places.size() == 1 ? "is" : "are");
  Result<ProfiledTrace> before = profiledTrace(places[0], choice, stop);
  if (!before.ok()) return before.error();
  Result<ProfiledTrace> after = profiledTrace(places[1], choice, stop);
  if (!after.ok()) return after.error();
  if (const Message why = whyNotComparable(before->profile, after->profile); why.code != nullptr)
    return Error::badInput("{} and {} do not compare: {}", before->title, after->title, why);
  std::vector<Message> unlike = unlikeness(before->profile.shape, after->profile.shape);
  if (!unlike.empty() && !choice.unlike)
    return Error::badInput(
        "{} and {} are recordings of different jobs: {}. A step of one is not the work of a step of the other. Add "
        "--unlike to compare them all the same.",
        before->title, after->title, listed(unlike));
  const ComparedTraces traces{
      std::move(before->title),    std::move(after->title),    compareTraces(before->profile, after->profile),
      std::move(before->slowdown), std::move(after->slowdown), std::move(unlike)};
  if (!choice.csv.empty())
    if (Status written = writeFileAtomically(choice.csv, traceComparisonCsv(traces)); !written.ok()) return written;
  if (choice.json)
    std::cout << comparisonJson(traces);
  else
    printComparison(traces, static_cast<std::size_t>(choice.top.value_or(kRowsListed)));
  return {};
}

}  // namespace lanelab
