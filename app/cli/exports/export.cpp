// SPDX-License-Identifier: GPL-3.0-only
// export: figures, tables, the report and the traces of a run, into files.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/desktop_part.h"
#include "app/cli/exports/export_plan.h"
#include "app/cli/progress_lines.h"
#include "app/cli/run_trace.h"
#include "app/cli/runs_option.h"
#include "app/cli/trace_range.h"
#include "base/atomic_file.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "engine/advise/sweep.h"
#include "engine/library/run_archive.h"
#include "engine/record/run_store.h"
#include "engine/report/comparison_text.h"
#include "engine/report/report.h"
#include "profiler/io/html/timeline_html.h"
#include "profiler/io/import/import_folder.h"
#include "profiler/io/import/imported_writer.h"
#include "profiler/io/perfetto/perfetto_writer.h"
#include "profiler/io/tables/csv_tables.h"
#include "profiler/trace/cut_trace.h"

namespace lanelab {
namespace {

struct ExportArguments {
  std::string folder;
  std::string what;
  std::string format;
  std::string out;
  std::string variant;
  std::string range;
  ImportOptions reading;
  std::stop_token stop = {};
};

std::vector<std::string> formatsOf(const std::string& what) {
  if (what == "archive") return {"zip"};
  if (what == "report") return {"html", "pdf"};
  if (what == "trace") return {"chrome", "perfetto", "csv"};
  return {"png", "svg", "pdf", "csv"};
}

Status writeTrace(const std::string& trace_path, const ExportArguments& options) {
  ProgressLines lines(ProgressLines::Length::MostlyShort);
  const auto imported = importChosen({trace_path}, options.reading, {partOf(lines.report(), 0, 2), options.stop});
  if (!imported.ok()) return imported.error();
  std::shared_ptr<const ImportedTrace> written = *imported;
  if (!options.range.empty()) {
    const Result<TimeRange> range = rangeIn(*written->trace, options.range);
    if (!range.ok()) return range.error();
    written = cutTrace(*written, *range);
  }
  const ImportedTrace& trace = *written;
  const WorkControl writing{partOf(lines.report(), 1, 2), options.stop};
  if (options.format == "perfetto") return writePerfettoTrace(trace, options.out, writing);
  if (options.format == "csv") return writeSpanTable(trace, options.out, writing);
  return writeChromeTrace(trace, options.out, writing);
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

Error noDesktop() {
  return Error::failed(
      "Figures need the desktop part, which is not beside this program. Build it with Qt (./run.sh without --headless, "
      "or cmake --preset release), or export csv instead.");
}

/// `record` is null for an imported trace.
Status paint(const std::string& program, const RunRecord* record, const ExportArguments& options) {
  if (program.empty()) return noDesktop();
  std::vector<std::string> arguments = {"--export", options.what, "--out", options.out};
  if (!options.format.empty()) arguments.insert(arguments.end(), {"--format", options.format});
  if (record && options.what == "timeline") {
    const Result<std::string> variant = variantOf(*record, options.variant);
    if (!variant.ok()) return variant.error();
    arguments.insert(arguments.end(), {"--variant", *variant});
  }
  arguments.push_back(options.folder);
  return runDesktop(program, arguments);
}

ReportFigure timelineFigure(const ImportedTrace& trace) {
  return {"Timeline, " + trace.trace->title, kTimelineCaption, timelineElement(trace)};
}

/// Of each variant whose trace can be read.
std::vector<ReportFigure> timelineFigures(const RunRecord& record, const std::string& folder) {
  std::vector<ReportFigure> figures;
  for (const VariantRecord& variant : record.variants) {
    const Result<std::shared_ptr<const Trace>> trace = readRunTrace(record, folder, variant.name);
    if (!trace.ok()) continue;
    ImportedTrace own;
    own.trace = *trace;
    figures.push_back(timelineFigure(own));
  }
  return figures;
}

Status writeTracePage(const ExportArguments& options) {
  if (options.format != "html") return Error::badInput("The report of an imported trace is a page. Use --format html.");
  ProgressLines lines(ProgressLines::Length::MostlyShort);
  const auto imported =
      importChosen({importedTracePath(options.folder)}, options.reading, {lines.report(), options.stop});
  if (!imported.ok()) return imported.error();
  const std::string& title = (*imported)->trace->title;
  return writeFileAtomically(options.out,
                             tracePage(title.empty() ? options.folder : title, {timelineFigure(**imported)}));
}

Status exportImported(const ExportArguments& options) {
  if (options.what == "report") return writeTracePage(options);
  if (options.what == "trace") return writeTrace(importedTracePath(options.folder), options);
  if (options.what == "timeline" && options.format == "csv") {
    return Error::badInput("{} is the folder of an imported trace. Write its gaps as CSV with lanelab-cli gaps --csv.",
                           options.folder);
  }
  if (options.what == "timeline") return paint(desktopProgram(), nullptr, options);
  return Error::badInput("{} is the folder of an imported trace. Export it with --what trace, timeline or report.",
                         options.folder);
}

/// The report for an archive: with figures if the desktop part is there, else with tables alone.
Result<std::string> reportFor(const RunRecord& record, const ExportArguments& options) {
  const std::string desktop = desktopProgram();
  if (desktop.empty()) return htmlReport(record, timelineFigures(record, options.folder));
  constexpr std::uint64_t kLargestReport = 256ULL << 20U;
  // Not beside the archive: a program that is killed would leave it there, and the desktop part writes it to its end.
  const PartialFile report(pathBeside((std::filesystem::temp_directory_path() / "lanelab").string()) + ".html");
  ExportArguments painted = options;
  painted.what = "report";
  painted.format = "html";
  painted.out = report.path();
  if (const Status done = paint(desktop, &record, painted); !done.ok()) return done.error();
  return readWholeFile(report.path(), kLargestReport);
}

Status writeArchive(const RunRecord& record, const ExportArguments& options) {
  const Result<std::string> report = reportFor(record, options);
  if (!report.ok()) return report.error();
  ProgressLines lines(ProgressLines::Length::MostlyShort);
  return writeRunArchive(options.folder, {{"experiment.json", toJson(record.experiment)}, {"report.html", *report}},
                         options.out, {lines.report(), options.stop});
}

Status exportEverything(const ExportArguments& options) {
  if (!options.format.empty())
    return Error::badInput("--what everything has files of several formats. Leave --format out.");
  if (!options.range.empty())
    return Error::badInput("--range is for traces, not for --what everything. Leave it out, or export --what trace.");
  if (holdsImport(options.folder)) return exportImported(options);
  const Result<RunRecord> record = readRun(options.folder);
  return record.ok() ? paint(desktopProgram(), &*record, options) : record.error();
}

bool isPlanExport(const std::string& what) {
  const std::vector<std::string> plans = planExports();
  return std::ranges::find(plans, what) != plans.end();
}

Status exportPlanFiles(const ExportArguments& options) {
  if (!options.format.empty())
    return Error::badInput("--format does not fit --what {}, whose files have formats of their own. Leave it out.",
                           options.what);
  if (!options.range.empty())
    return Error::badInput("--range is for traces, not for --what {}. Leave it out.", options.what);
  return exportPlan({options.folder, options.what, options.variant, options.out, options.stop});
}

Status exportFile(ExportArguments options) {
  if (isPlanExport(options.what)) return exportPlanFiles(options);
  if (options.what == "everything") return exportEverything(options);
  const std::vector<std::string> formats = formatsOf(options.what);
  const bool needs_no_word = formats.size() == 1 || options.what == "report";
  if (options.format.empty() && needs_no_word) options.format = formats.front();
  if (options.format.empty()) return Error::badInput("--what {} needs --format: {}.", options.what, joinOr(formats));
  if (std::ranges::find(formats, options.format) == formats.end()) {
    return Error::badInput("--format {} does not fit --what {}. Use {}.", options.format, options.what,
                           joinOr(formats));
  }
  if (!options.range.empty() && options.what != "trace")
    return Error::badInput("--range is for traces, not for --what {}. Leave it out, or export --what trace.",
                           options.what);
  if (holdsImport(options.folder)) return exportImported(options);
  const Result<RunRecord> record = readRun(options.folder);
  if (!record.ok()) return record.error();
  if (options.what == "archive") return writeArchive(*record, options);
  if (options.what == "trace") return writeRunTrace(*record, options);
  if (options.what == "sweep" && sweepPoints(*record).size() < 2) {
    return Error::badInput(
        "The run has fewer than two micro-batch sizes of one pipeline. Choose the folder of a sweep.");
  }
  if (options.format == "csv" && options.what == "sweep")
    return writeFileAtomically(options.out, sweepCsv(sweepPoints(*record)));
  if (options.format == "csv")
    return options.what == "timeline" ? writeGaps(*record, options)
                                      : writeFileAtomically(options.out, comparisonCsv(*record));
  const std::string desktop = desktopProgram();
  if (desktop.empty() && options.what == "report" && options.format == "html") {
    std::cerr
        << "The desktop part is not beside this program, so the report has tables and timelines, and no charts.\n";
    return writeFileAtomically(options.out, htmlReport(*record, timelineFigures(*record, options.folder)));
  }
  return paint(desktop, &*record, options);
}

std::vector<std::string> whatWords() {
  std::vector<std::string> all = {"comparison", "sweep", "timeline", "report", "trace", "archive", "everything"};
  for (const std::string& plan : planExports()) all.push_back(plan);
  return all;
}

}  // namespace

void addExport(const Command& app, CliContext& context) {
  const Command command = app.subcommand("export", "Write a figure, a table, the report or a trace of a run to a file");
  command.help(
      {.examples = {"export runs/demo --what report --format html --out report.html",
                    "export runs/demo --what trace --format chrome --variant Pipeline --out trace.json.gz",
                    "export resources/experiments/tutorial.json --what pytorch --variant Pipeline --out script"},
       .notes = "Figures need the desktop part (Qt) beside this program. Chrome traces open in ui.perfetto.dev; "
                "they are gzipped if the name of the file ends in .gz.",
       .failure = "the file could not be written or drawn"});
  const auto options = std::make_shared<ExportArguments>();
  command
      .option("DIR", options->folder,
              "Run folder, id of a stored run, or folder of an imported trace; for a plan also an experiment file")
      .required();
  command
      .option("--what WHAT", options->what,
              "comparison, sweep, timeline, report, trace, archive: the run with its experiment, traces and report as "
              "one file, or everything: the same with all figures and tables in a folder. Of a variant's plan, in a "
              "folder: pytorch: a script for torchrun; stages: a .pt2 and a .safetensors file per stage; torchtitan, "
              "deepspeed, megatron, accelerate: arguments, a subclass, a layout or a device map")
      .required()
      .oneOf(whatWords());
  command
      .option(
          "--format FORMAT", options->format,
          "Figures: png, svg, pdf, or csv for the table; report: html (default) or pdf; traces: chrome, perfetto or "
          "csv; archive: zip. Optional if there is only one")
      .oneOf({"png", "svg", "pdf", "csv", "html", "chrome", "perfetto", "zip"});
  command.option("--out FILE", options->out, "File to write; of everything and of a plan the folder").required();
  command.option("--variant NAME", options->variant,
                 "Variant of the timeline, trace or plan; optional if there is only one");
  addRangeOption(command, options->range, "Of a trace, write this part only, and cut the spans at its ends");
  addImportOptions(command, options->reading);
  chosen(command, context, [options, &context] {
    options->stop = context.stop;
    options->folder = folderOfRun(options->folder);
    return exportFile(*options);
  });
}

}  // namespace lanelab
