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
#include "base/utf8.h"
#include "profiler/io/import/import_folder.h"

namespace lanelab {
namespace {

struct ImportArguments {
  std::string file;
  std::string out;
  std::string max_unpacked;
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

Status importFile(const ImportArguments& options, const std::stop_token& stop) {
  if (const std::string why = whyNoImportInto(options.out); !why.empty()) return Error::badInput(verbatim(why));
  std::optional<ProgressLines> lines(std::in_place, ProgressLines::Length::MostlyShort);
  const auto imported = importChosen(options.file, options.max_unpacked, {partOf(lines->report(), 0, 2), stop});
  if (!imported.ok()) return imported.error();
  const WorkControl writing{partOf(lines->report(), 1, 2), stop};
  if (Status written = writeImport(**imported, options.file, options.out, writing); !written.ok()) return written;
  lines.reset();
  for (const std::string& remark : (*imported)->counts.remarks)
    std::cerr << "Warning: " << options.file << ": " << remark << "\n";
  if (options.json) {
    std::cout << importSummaryJson(**imported) << '\n';
  } else {
    printCounts(**imported);
  }
  return {};
}

}  // namespace

void addImport(const Command& app, CliContext& context) {
  const Command command = app.subcommand("import", "Read a trace of another program into a folder");
  command.help({.examples = {"import torch_profiler.json.gz --out runs/imported",
                             "import report.sqlite --out runs/nsight --json"},
                .notes =
                    "Formats: Chrome JSON (PyTorch's profiler and others), Perfetto, and the SQLite file that nsys "
                    "export writes. gaps, export and the window open the folder."});
  const auto options = std::make_shared<ImportArguments>();
  command.option("TRACE", options->file, "Trace file: .json or .pftrace, also gzipped, or .sqlite").required();
  command.option("--out DIR", options->out, "Folder to write, new or empty").required();
  addImportOptions(command, options->max_unpacked);
  command.json(options->json, "one JSON object: what was read, and what was dropped, by kind");
  chosen(command, context, [options, &context] { return importFile(*options, context.stop); });
}

}  // namespace lanelab
