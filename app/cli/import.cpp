// SPDX-License-Identifier: GPL-3.0-only
// import: reads a trace of another program into a folder that gaps, export and the window open.
#include <iomanip>
#include <iostream>
#include <memory>

#include "app/cli/cli.h"
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
    const std::string shown = name.empty() ? "(none)" : onOneTerminalLine(cutAfter(name, kMostCharacters));
    std::cout << "  " << std::left << std::setw(28) << shown << " " << std::right << std::setw(12) << count << "\n";
  }
}

void printCounts(const ImportedTrace& imported) {
  const ImportCounts& counts = imported.counts;
  std::cout << imported.format << ": " << counts.spans << " spans, " << counts.instants << " instants, "
            << counts.counters << " counter values, " << counts.flows << " flows\n";
  printTable("Spans by category", counts.categories);
  printTable("Lost, mended or laid out anew", counts.problems);
}

Status importFile(const ImportArguments& options, const std::stop_token& stop) {
  if (const std::string why = whyNoImportInto(options.out); !why.empty()) return Error::badInput(verbatim(why));
  const auto imported = importChosen(options.file, options.max_unpacked, stop);
  if (!imported.ok()) return imported.error();
  if (Status written = writeImport(**imported, options.file, options.out); !written.ok()) return written;
  if (options.json) {
    std::cout << importSummaryJson(**imported) << '\n';
  } else {
    printCounts(**imported);
  }
  return {};
}

}  // namespace

void addImport(const Command& app, CliContext& context) {
  const Command command = app.subcommand(
      "import", "Read a trace of another program: Chrome JSON (PyTorch, any), Perfetto, Nsight Systems' SQLite");
  const auto options = std::make_shared<ImportArguments>();
  command
      .option("TRACE", options->file,
              "A .json or .pftrace file, perhaps gzipped, or the .sqlite that nsys export writes")
      .required();
  command.option("--out", options->out, "The folder to write: gaps, export and the window open it")
      .required()
      .typeName("DIR");
  addImportOptions(command, options->max_unpacked);
  command.flag("--json", options->json, "Print one JSON object: what was found, and what was lost, by kind");
  chosen(command, context, [options, &context] { return importFile(*options, context.stop); });
}

}  // namespace lanelab
