// gaps: why lanes stand idle, of a run or of any trace.
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "app/cli/cli.h"
#include "app/cli/run_trace.h"
#include "app/cli/text_table.h"
#include "engine/base/text.h"
#include "engine/run/run_store.h"
#include "profiler/io/causes_json.h"
#include "profiler/io/gap_tables.h"
#include "profiler/io/gaps_csv.h"
#include "profiler/io/import_folder.h"
#include "profiler/io/trace_import.h"

namespace lanelab {
namespace {

struct Options {
  std::string place;
  std::string variant;
  std::string lane;
  std::string csv;
  int longest = 20;
  bool json = false;
};

// The file that holds the trace: the place itself, or in the folder that it is.
Result<std::string> traceFile(const Options& options) {
  if (!std::filesystem::is_directory(options.place)) return options.place;
  if (holdsImport(options.place)) return importedTracePath(options.place);
  if (!holdsRun(options.place)) {
    return Error::badInput(options.place +
                           " is neither a run folder nor an imported one: it holds no run.json and no import.json. Choose one, or a trace file.");
  }
  const Result<RunRecord> record = readRun(options.place);
  if (!record.ok()) return record.error();
  return runTracePath(*record, options.place, options.variant);
}

// By number or name.
Result<std::optional<int>> laneOf(const IdleCauses& causes, const std::string& wanted) {
  if (wanted.empty()) return std::optional<int>();
  std::vector<std::string> names;
  for (const LaneCauses& lane : causes.lanes) {
    if (wanted == std::to_string(lane.lane) || wanted == lane.name) return std::optional(lane.lane);
    names.push_back(lane.name);
  }
  return Error::badInput("The trace has no lane \"" + wanted + "\". Choose " + joinOr(names) + ", or a number from 0.");
}

void printTables(const ImportedTrace& imported, const IdleCauses& causes, const Options& options, std::optional<int> lane) {
  const Trace& trace = *imported.trace;
  if (!causes.lanes.empty()) std::cout << textTable(laneRows(causes), 1) << "\n" << textTable(causeRows(causes), 1) << "\n";
  const TableRows gaps = gapRows(trace, causes, static_cast<std::size_t>(options.longest), lane, imported.base);
  if (gaps.size() > 1) std::cout << textTable(gaps, 3) << "\n";
  for (const std::string& sentence : {idleSentence(causes), bubbleSentence(causes), pathSentence(criticalPaths(trace))})
    if (!sentence.empty()) std::cout << sentence << "\n";
}

Status explain(const Options& options) {
  const Result<std::string> file = traceFile(options);
  if (!file.ok()) return file.error();
  const ReadImport read = importTrace(*file);
  if (!read.imported) return Error::badInput(read.error);
  const ImportedTrace& imported = *read.imported;
  const IdleCauses causes = explainIdle(imported);
  const Result<std::optional<int>> lane = laneOf(causes, options.lane);
  if (!lane.ok()) return lane.error();
  if (!options.csv.empty()) {
    const Status written = writeFileAtomically(options.csv, causeTableCsv(*imported.trace, causes, imported.base));
    if (!written.ok()) return written;
  }
  if (options.json) {
    std::cout << causesJson(*imported.trace, causes, imported.base);
  } else {
    printTables(imported, causes, options, *lane);
  }
  return {};
}

}  // namespace

void addGaps(CLI::App& app, CliContext& context) {
  CLI::App* command = app.add_subcommand("gaps", "Say why lanes stand idle: every gap with its causes, which add up");
  const auto options = std::make_shared<Options>();
  command->add_option("PLACE", options->place, "A run folder, an imported one, or a trace file as import reads it")
      ->required()
      ->type_name("DIR|TRACE");
  command->add_option("--variant", options->variant, "Whose trace of a run; may be left out where there is one")->type_name("NAME");
  command->add_option("--lane", options->lane, "List gaps of this lane only, by number or name")->type_name("LANE");
  command->add_option("--longest", options->longest, "How many gaps to list, the longest first")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--csv", options->csv, "Write all gaps with their causes as CSV, too")->type_name("FILE");
  command->add_flag("--json", options->json, "Print one JSON object instead of the tables");
  chosen(command, context, [options] { return explain(*options); });
}

}  // namespace lanelab
