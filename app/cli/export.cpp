// SPDX-License-Identifier: GPL-3.0-only
// export: pictures, tables, the report and the traces of a run, into files.
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/desktop_part.h"
#include "app/cli/run_trace.h"
#include "base/atomic_file.h"
#include "base/text.h"
#include "engine/advise/sweep.h"
#include "engine/record/run_store.h"
#include "engine/report/comparison_text.h"
#include "engine/report/report.h"
#include "profiler/io/import/import_folder.h"
#include "profiler/io/import/imported_writer.h"
#include "profiler/io/perfetto/perfetto_writer.h"
#include "profiler/io/tables/csv_tables.h"

namespace lanelab {
namespace {

struct ExportArguments {
  std::string folder;
  std::string what;
  std::string format;
  std::string out;
  std::string variant;
  std::string max_unpacked;
  std::stop_token stop = {};
};

std::vector<std::string> formatsOf(const std::string& what) {
  if (what == "report") return {"html"};
  if (what == "trace") return {"chrome", "perfetto", "csv"};
  return {"png", "svg", "pdf", "csv"};
}

Status writeTrace(const std::string& trace_path, const ExportArguments& options) {
  const auto imported = importChosen(trace_path, options.max_unpacked, options.stop);
  if (!imported.ok()) return imported.error();
  const ImportedTrace& trace = **imported;
  if (options.format == "perfetto") return writePerfettoTrace(trace, options.out);
  if (options.format == "csv") return writeSpanTable(trace, options.out);
  return writeChromeTrace(trace, options.out);
}

Status writeRunTrace(const RunRecord& record, const ExportArguments& options) {
  const Result<std::string> path = runTracePath(record, options.folder, options.variant);
  return path.ok() ? writeTrace(*path, options) : path.error();
}

Status writeGaps(const RunRecord& record, const ExportArguments& options) {
  const Result<std::shared_ptr<const Trace>> trace = readRunTrace(record, options.folder, options.variant);
  if (!trace.ok()) return trace.error();
  return writeFileAtomically(options.out, gapTableCsv(**trace, explainIdle(**trace), (*trace)->range().start));
}

Status paint(const std::string& program, const RunRecord& record, const ExportArguments& options) {
  std::vector<std::string> arguments = {"--export", options.what, "--format", options.format, "--out", options.out};
  if (options.what == "timeline") {
    const Result<std::string> variant = variantOf(record, options.variant);
    if (!variant.ok()) return variant.error();
    arguments.insert(arguments.end(), {"--variant", *variant});
  }
  arguments.push_back(options.folder);
  return runDesktop(program, arguments);
}

Status exportFile(const ExportArguments& options) {
  const std::vector<std::string> formats = formatsOf(options.what);
  if (std::ranges::find(formats, options.format) == formats.end()) {
    return Error::badInput("--format {} does not fit --what {}. Use {}.", options.format, options.what,
                           joinOr(formats));
  }
  if (holdsImport(options.folder)) {
    if (options.what == "trace") return writeTrace(importedTracePath(options.folder), options);
    return Error::badInput("{} holds an imported trace, of which only --what trace can be exported.", options.folder);
  }
  const Result<RunRecord> record = readRun(options.folder);
  if (!record.ok()) return record.error();
  if (options.what == "trace") return writeRunTrace(*record, options);
  if (options.what == "sweep" && sweepPoints(*record).size() < 2) {
    return Error::badInput(
        "The run has fewer than two split sizes of one pipeline, so there is no curve. Use the folder of a sweep.");
  }
  if (options.format == "csv" && options.what == "sweep")
    return writeFileAtomically(options.out, sweepCsv(sweepPoints(*record)));
  if (options.format == "csv")
    return options.what == "timeline" ? writeGaps(*record, options)
                                      : writeFileAtomically(options.out, comparisonCsv(*record));
  const std::string desktop = desktopProgram();
  if (!desktop.empty()) return paint(desktop, *record, options);
  if (options.what == "report") {
    std::cerr << "The desktop part is not beside this program, so the report has tables and no pictures.\n";
    return writeFileAtomically(options.out, htmlReport(*record, {}));
  }
  return Error::failed(
      "Pictures need the desktop part, which is not beside this program. Build it with Qt (./run.sh without "
      "--headless, or cmake --preset release), or export csv instead.");
}

}  // namespace

void addExport(const Command& app, CliContext& context) {
  const Command command =
      app.subcommand("export", "Write pictures, tables, the report or a trace of a run into a file");
  const auto options = std::make_shared<ExportArguments>();
  command.option("DIR", options->folder, "The run folder, or an imported one").required();
  command.option("--what", options->what, "comparison, sweep, timeline, report or trace")
      .required()
      .oneOf({"comparison", "sweep", "timeline", "report", "trace"});
  command
      .option("--format", options->format,
              "png, svg or pdf: a picture (needs the desktop part); csv: the table; html: the report; chrome, "
              "perfetto: the trace, gzipped for .gz")
      .required()
      .oneOf({"png", "svg", "pdf", "csv", "html", "chrome", "perfetto"});
  command.option("--out", options->out, "The file to write").required().typeName("FILE");
  command.option("--variant", options->variant, "Whose timeline or trace; may be left out where there is one")
      .typeName("NAME");
  addImportOptions(command, options->max_unpacked);
  chosen(command, context, [options, &context] {
    options->stop = context.stop;
    return exportFile(*options);
  });
}

}  // namespace lanelab
