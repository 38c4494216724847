// SPDX-License-Identifier: GPL-3.0-only
// runs: lists the stored runs; its subcommands label, delete, restore and compare them.
#include "app/cli/runs/runs.h"

#include <algorithm>
#include <cctype>
#include <iostream>

#include <numeric>

#include "app/cli/runs_option.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/library/run_groups.h"
#include "engine/library/run_json.h"
#include "engine/library/run_query.h"
#include "engine/record/run_store.h"

namespace lanelab {
namespace {

struct ListArguments {
  std::string runs;
  std::string search;
  std::vector<std::string> filters;
  std::string sort = "-date";
  std::vector<std::string> columns = {"star",      "name",     "model",  "strategy", "micro-batch-size",
                                      "samples/s", "speed-up", "status", "date",     "tags",
                                      "note",      "id"};
  int most = 0;
  std::string group_by = toWord(RunGrouping::None);
  bool json = false;
};

Result<RunFilter> filterOf(const ListArguments& options) {
  RunFilter filter;
  filter.search = options.search;
  for (const std::string& condition : options.filters)
    if (const Status added = addCondition(filter, condition); !added.ok()) return added.error();
  return filter;
}

Result<std::vector<RunColumn>> columnsOf(const std::vector<std::string>& words) {
  std::vector<RunColumn> columns;
  for (const std::string& word : words) {
    const Result<RunSort> column = parseSort(word);
    if (!column.ok()) return column.error();
    columns.push_back(column->column);
  }
  return columns;
}

/// Columns of words go before those of numbers in a text table, so each cell is aligned by itself here.
void printTable(const std::vector<RunEntry>& runs, const std::vector<RunColumn>& columns) {
  std::vector<TextRow> rows(1);
  for (const RunColumn column : columns) rows[0].push_back(columnTitle(column));
  for (const RunEntry& run : runs) {
    TextRow& row = rows.emplace_back();
    for (const RunColumn column : columns) row.push_back(cellText(run, column));
  }
  std::cout << textTable(std::move(rows), columns.size());
}

void printGroups(const std::vector<RunGroup>& groups, RunGrouping by) {
  std::string title = toWord(by);
  title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  const auto figure = [](const std::optional<double>& value, double scale) {
    return value ? formatFigures(*value * scale) : std::string("-");
  };
  std::vector<TextRow> rows = {{title + (by == RunGrouping::Day ? " (UTC)" : ""), "First (UTC)", "Last (UTC)", "Runs",
                                "Best step time (ms)", "Best samples/s"}};
  for (const RunGroup& group : groups)
    rows.push_back({group.value.empty() ? "-" : group.value, group.first.empty() ? "-" : group.first,
                    group.last.empty() ? "-" : group.last, std::to_string(group.runs.size()),
                    figure(group.best_step_seconds, 1e3), figure(group.best_samples_per_second, 1)});
  std::cout << textTable(std::move(rows), 3);
}

/// All runs, in their order.
std::vector<RunGroup> groupsOf(const std::vector<RunEntry>& runs, RunGrouping by) {
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return groupRuns(runs, order, by);
}

void print(const std::vector<RunEntry>& runs, const ListArguments& options, const std::vector<RunColumn>& columns) {
  const RunGrouping by = fromWord<RunGrouping>(options.group_by).value_or(RunGrouping::None);
  if (by != RunGrouping::None) return printGroups(groupsOf(runs, by), by);
  printTable(runs, columns);
}

std::string jsonFor(const std::vector<RunEntry>& runs, const ListArguments& options) {
  const RunGrouping by = fromWord<RunGrouping>(options.group_by).value_or(RunGrouping::None);
  return by == RunGrouping::None ? runsJson(runs) : groupsJson(runs, groupsOf(runs, by), by);
}

/// Runs of the current folder that earlier versions stored in ./runs.
void nameUnlistedRuns(const RunFolders& folders) {
  if (folders.chosen || !holdsRuns("runs")) return;
  const RunFolders here = runFolders("runs");
  const std::vector<std::string> all = folders.all();
  if (std::find(all.begin(), all.end(), here.own) == all.end())
    std::cerr << "The folder runs here holds runs that are not listed. To list them, too: lanelab-cli runs folders "
                 "--add runs\n";
}

Status list(const ListArguments& options, const std::stop_token& stop) {
  const Result<RunFilter> filter = filterOf(options);
  if (!filter.ok()) return filter.error();
  const Result<RunSort> sort = parseSort(options.sort);
  if (!sort.ok()) return sort.error();
  const Result<std::vector<RunColumn>> columns = columnsOf(options.columns);
  if (!columns.ok()) return columns.error();
  const RunFolders folders = chosenFolders(options.runs);
  std::vector<RunEntry> runs = refreshedIndex(folders, stop).entries();
  std::erase_if(runs, [&](const RunEntry& run) { return !matches(run, *filter); });
  sortRuns(runs, *sort);
  if (options.most > 0 && runs.size() > static_cast<std::size_t>(options.most))
    runs.resize(static_cast<std::size_t>(options.most));
  if (options.json) {
    std::cout << jsonFor(runs, options);
    return {};
  }
  if (runs.empty()) {
    std::cerr << "No run in " << folders.own << (options.filters.empty() && options.search.empty() ? "" : " matches")
              << ".\n";
  } else {
    print(runs, options, *columns);
  }
  nameUnlistedRuns(folders);
  return {};
}

std::vector<std::string> furtherColumns(const std::vector<std::string>& shown) {
  std::vector<std::string> further = words<RunColumn>();
  std::erase_if(further, [&](const std::string& word) { return std::ranges::find(shown, word) != shown.end(); });
  return further;
}

void addListOptions(const Command& command, ListArguments& options) {
  addRunsOption(command, options.runs);
  command.option("--search TEXT", options.search, "Words that name, model, strategy, tags or note contain");
  command
      .option("--filter KEY=VALUE", options.filters,
              "status=, strategy=, model= or tag= with a value or several between commas, or star; repeatable")
      .repeatable();
  command.option("--sort COLUMN", options.sort, "Column to sort by; -COLUMN for descending order").showDefault();
  const Option columns = command
                             .option("--columns COLUMN,...", options.columns,
                                     "Columns of the table, between commas (default: " + joined(options.columns, ",") +
                                         "); others are " + joinAnd(furtherColumns(options.columns)))
                             .commaSeparated();
  command.option("--most", options.most, "Print at most N runs").positive();
  command
      .option("--group-by VALUE", options.group_by,
              "Print a row per group of runs with their best figures: " + joinOr(words<RunGrouping>()))
      .oneOf(words<RunGrouping>())
      .excludes(columns);
  command.json(options.json, "one JSON object with all figures of each run, or of each group its runs");
}

}  // namespace

RunFolders chosenFolders(const std::string& runs) {
  std::string warning;
  RunFolders folders = runFolders(runs, &warning);
  if (!warning.empty()) std::cerr << "Warning: " << warning << "\n";
  return folders;
}

RunIndex refreshedIndex(const RunFolders& folders, const std::stop_token& stop) {
  RunIndex index(folders.all());
  index.refresh(stop);
  return index;
}

Result<std::vector<RunEntry>> findRuns(const std::vector<std::string>& words, const std::string& runs,
                                       const std::stop_token& stop) {
  const RunIndex index = refreshedIndex(chosenFolders(runs), stop);
  std::vector<RunEntry> found;
  for (const std::string& word : words) {
    Result<RunEntry> run = findRun(index.entries(), word);
    if (!run.ok() && holdsRun(word)) run = readEntry(word);
    if (!run.ok()) return run.error();
    found.push_back(std::move(*run));
  }
  return found;
}

void addRuns(const Command& app, CliContext& context) {
  const Command command = app.subcommand("runs", "List stored runs; label, compare, delete and restore them");
  const auto options = std::make_shared<ListArguments>();
  addListOptions(command, *options);
  const auto work = [options, &context] { return list(*options, context.stop); };
  const Command same = command.subcommand("list", "List the runs, as runs does without a subcommand");
  addListOptions(same, *options);
  chosen(same, context, work);
  addRunLabels(command, context);
  addRunTrash(command, context);
  addRunCompare(command, context);
  addRunOverlay(command, context);
  addRunFolderList(command, context);
  command.help({.examples = {"runs --filter status=done --sort=-samples/s", "runs --group-by model --filter tag=night",
                             "runs tag demo-20261122-214712 night"},
                .notes = "Without a subcommand runs lists the runs. Figures are those of the first pipeline of a "
                         "run, or of its first variant after the baseline; its speed-up is vs the baseline of the "
                         "run."});
  // Its own callback runs after that of a subcommand.
  command.whenChosen([&context, work] {
    if (!context.work) context.work = work;
  });
}

}  // namespace lanelab
