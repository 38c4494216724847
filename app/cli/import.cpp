// SPDX-License-Identifier: GPL-3.0-only
// import: reads a trace of another program into a folder that gaps, export and the window open.
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>

#include "app/cli/cli.h"
#include "app/cli/progress_lines.h"
#include "app/cli/run_trace.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "base/text_table.h"
#include "base/utf8.h"
#include "profiler/io/import/import_folder.h"
#include "profiler/io/tables/gap_tables.h"

namespace lanelab {
namespace {

struct ImportArguments {
  std::vector<std::string> places;
  std::string out;
  ImportOptions reading;
  bool json = false;
};

void printTable(const char* title, const std::map<std::string, std::int64_t>& rows) {
  constexpr std::size_t kMostCharacters = 200;
  if (!rows.empty()) std::cout << title << "\n";
  for (const auto& [name, count] : rows) {
    const std::string shown = name.empty() ? "(none)" : onOneTerminalLine(cutInMiddle(name, kMostCharacters));
    std::cout << "  " << std::left << std::setw(28) << shown << " " << std::right << std::setw(12) << count << "\n";
  }
}

void printCounts(const ImportedTrace& imported) {
  const ImportCounts& counts = imported.counts;
  std::cout << imported.format << ": " << counts.spans << " spans, " << counts.instants << " instants, "
            << counts.counters << " counter values, " << counts.flows << " flows\n";
  printTable("Spans by category", counts.categories);
  printTable("Dropped or repaired events", counts.problems);
  printTable("Events not used, nothing lost", counts.notes);
}

std::string timeText(Nanoseconds time) { return formatSeconds(static_cast<double>(time) * kNanosecond); }

void printRanks(const ImportedTrace& imported) {
  TableRows rows = {{"Rank", "File", "Clock", "Offset", "Residual", "Shared"}};
  constexpr const char* kClocks[] = {"reference", "by collectives", "by send/receive", "same epoch", "unknown"};
  for (const JoinedRank& rank : imported.ranks) {
    const bool aligned = rank.clock == JoinedRank::Clock::Collectives || rank.clock == JoinedRank::Clock::SendReceive;
    rows.push_back({std::to_string(rank.rank), rank.file, kClocks[static_cast<std::size_t>(rank.clock)],
                    aligned ? timeText(rank.offset) : "", aligned ? timeText(rank.residual) : "",
                    aligned ? std::to_string(rank.shared) : ""});
  }
  if (rows.size() > 1) std::cout << "\n" << textTable(rows, 3);
}

Status importFile(const ImportArguments& options, const std::stop_token& stop) {
  if (const std::string why = whyNoImportInto(options.out); !why.empty()) return Error::badInput(verbatim(why));
  std::optional<ProgressLines> lines(std::in_place, ProgressLines::Length::MostlyShort);
  const auto imported = importChosen(options.places, options.reading, {partOf(lines->report(), 0, 2), stop});
  if (!imported.ok()) return imported.error();
  const WorkControl writing{partOf(lines->report(), 1, 2), stop};
  const std::string source = joinAnd(options.places);
  if (Status written = writeImport(**imported, source, options.out, writing); !written.ok()) return written;
  lines.reset();
  for (const std::string& remark : (*imported)->counts.remarks)
    std::cerr << "Warning: " << source << ": " << remark << "\n";
  for (const std::string& unmatched : (*imported)->counts.unmatched) std::cerr << "Note: " << unmatched << "\n";
  if (options.json) {
    std::cout << importSummaryJson(**imported) << '\n';
  } else {
    printCounts(**imported);
    printRanks(**imported);
  }
  return {};
}

}  // namespace

void addImport(const Command& app, CliContext& context) {
  const Command command =
      app.subcommand("import", "Read traces of other programs into a folder: one, or those of a job's ranks");
  command.help({.examples = {"import torch_profiler.json.gz --out runs/imported",
                             "import report.sqlite --out runs/nsight --json", "import traces/ --out runs/job"},
                .notes =
                    "Formats: Chrome JSON (PyTorch's profiler and others), Perfetto, and the SQLite file that nsys "
                    "export writes. gaps, export and the window open the folder.\n\n"
                    "The traces of a job's ranks, as several files or a folder of them, become one trace with a group "
                    "of lanes for each rank. A rank is what the file says of itself (distributedInfo), its name "
                    "(rank3.json) or its process. Clocks are aligned by the ends of collectives; the offset of each "
                    "rank and the residual are printed and stored."});
  const auto options = std::make_shared<ImportArguments>();
  command
      .option(
          "TRACE", options->places,
          "Trace file: .json or .pftrace, also gzipped, or .sqlite; several, or a folder of them, for the ranks of a "
          "job")
      .required();
  command.option("--out DIR", options->out, "Folder to write, new or empty").required();
  addImportOptions(command, options->reading);
  command.json(options->json, "one JSON object: what was read, and what was dropped, by kind");
  chosen(command, context, [options, &context] { return importFile(*options, context.stop); });
}

}  // namespace lanelab
