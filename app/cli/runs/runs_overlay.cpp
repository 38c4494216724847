// SPDX-License-Identifier: GPL-3.0-only
// runs overlay: one metric of many runs as a table, CSV, JSON or a figure.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "app/cli/desktop_part.h"
#include "app/cli/runs/runs.h"
#include "app/cli/runs_option.h"
#include "base/atomic_file.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/library/overlay/overlay_tables.h"

namespace lanelab {
namespace {

struct OverlayArguments {
  std::string runs;
  std::vector<std::string> words;
  std::string metric = toWord(OverlayMetric::Loss);
  std::string axis;
  double smoothing = 0;
  bool all_variants = false;
  std::string csv;
  std::string out;
  bool json = false;
};

Result<OverlayChoice> choiceOf(const OverlayArguments& options) {
  OverlayChoice choice;
  choice.metric = fromWord<OverlayMetric>(options.metric).value_or(OverlayMetric::Loss);
  choice.axis = fromWord<OverlayAxis>(options.axis).value_or(axesOf(choice.metric).front());
  choice.all_variants = options.all_variants;
  choice.smoothing = options.smoothing;
  if (const Status fits = checkAxis(choice.metric, choice.axis); !fits.ok()) return fits.error();
  if (!(choice.smoothing >= 0 && choice.smoothing < 1))
    return Error::badInput("--smoothing is from 0 to below 1, not {}.", formatNumber(choice.smoothing));
  return choice;
}

/// ".svg" of "loss.svg".
std::string formatOf(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? std::string() : smallLetters(path.substr(dot + 1));
}

Status checkFigure(const std::string& path) {
  if (path.empty()) return {};
  const std::vector<std::string> known = {"png", "svg", "pdf"};
  if (std::ranges::find(known, formatOf(path)) == known.end())
    return Error::badInput("{} is not a figure that --out can write. Use the extension {}.", path, joinOr(known));
  if (desktopProgram().empty())
    return Error::failed(
        "Figures need the desktop part, which is not beside this program. Leave out --out, or use --csv.");
  return {};
}

Status paint(const std::vector<RunEntry>& runs, const OverlayChoice& choice, const std::string& path) {
  std::vector<std::string> arguments = {
      "--export", "overlay",          "--format", formatOf(path), "--out", path, "--metric", toWord(choice.metric),
      "--x",      toWord(choice.axis)};
  if (choice.smoothing > 0) arguments.insert(arguments.end(), {"--smoothing", exactNumber(choice.smoothing)});
  if (choice.all_variants) arguments.emplace_back("--all-variants");
  for (const RunEntry& run : runs) arguments.push_back(run.folder);
  return runDesktop(desktopProgram(), arguments);
}

void printCurves(const Overlay& overlay) {
  const OverlayMetric metric = overlay.choice.metric;
  std::vector<TextRow> rows = {{titleOf(metric), "Differs", "Points", "First", "Last", "Lowest", "Highest"}};
  for (const OverlayCurve& curve : overlay.curves) {
    double low = std::nan(""), high = std::nan("");
    for (const OverlayPoint& point : curve.points) {
      low = std::fmin(low, point.value);
      high = std::fmax(high, point.value);
    }
    rows.push_back({curve.name + (curve.unfinished ? " (unfinished)" : ""),
                    curve.differs.message.empty() ? "-" : curve.differs.message, std::to_string(curve.points.size()),
                    valueText(metric, curve.points.front().smoothed), valueText(metric, curve.points.back().smoothed),
                    valueText(metric, low), valueText(metric, high)});
  }
  if (!overlay.curves.empty()) std::cout << textTable(std::move(rows), 2);
  for (const Message& note : overlay.notes) std::cout << note.message << "\n";
}

Status overlayRuns(const OverlayArguments& options, const std::stop_token& stop) {
  const Result<OverlayChoice> choice = choiceOf(options);
  if (!choice.ok()) return choice.error();
  if (const Status fits = checkFigure(options.out); !fits.ok()) return fits;
  const Result<std::vector<RunEntry>> found = findRuns(options.words, options.runs, stop);
  if (!found.ok()) return found.error();
  const Overlay overlay = overlayOf(readOverlaid(*found, stop), *choice);
  if (stop.stop_requested()) return Error::cancelled("The runs were not read: the command was cancelled.");
  if (options.json)
    std::cout << overlayJson(overlay);
  else
    printCurves(overlay);
  if (overlay.curves.empty()) return Error::failed("None of the runs has {}.", smallLetters(titleOf(choice->metric)));
  if (!options.csv.empty())
    if (const Status written = writeFileAtomically(options.csv, overlayCsv(overlay)); !written.ok()) return written;
  return options.out.empty() ? Status() : paint(*found, *choice, options.out);
}

std::string axesText() {
  std::vector<std::string> texts;
  for (const Word<OverlayMetric>& metric : wordTable(OverlayMetric{})) {
    std::vector<std::string> axes;
    for (const OverlayAxis axis : axesOf(metric.value)) axes.push_back(toWord(axis));
    texts.push_back(std::string(metric.text) + ": " + joined(axes, ", "));
  }
  return joined(texts, "; ");
}

}  // namespace

void addRunOverlay(const Command& runs, CliContext& context) {
  const Command command = runs.subcommand("overlay", "One metric of many runs: a table, CSV, JSON or a figure");
  const auto options = std::make_shared<OverlayArguments>();
  command.option("RUN", options->words, "Run folders, ids or their begins, or names").required();
  command.option("--metric METRIC", options->metric, "What is compared: " + joinOr(words<OverlayMetric>()))
      .oneOf(words<OverlayMetric>())
      .showDefault();
  command.option("--x AXIS", options->axis, "Against what; " + axesText() + ". The default is the first")
      .oneOf(words<OverlayAxis>());
  command.option("--smoothing W", options->smoothing,
                 "Weight of the values before, from 0 to below 1, of an exponential moving average");
  command.flag("--all-variants", options->all_variants,
               "Curves of all variants; else of the first pipeline, or of the first variant after the baseline");
  command.option("--csv FILE", options->csv, "Write all points of the curves as CSV");
  command.option("--out FILE", options->out, "Draw the curves: the extension is png, svg or pdf");
  addRunsOption(command, options->runs);
  command.json(options->json, "one JSON object with all points");
  command.help(
      {.examples =
           {"runs overlay night-1 night-2 night-3 --metric loss --smoothing 0.6 --out loss.svg",
            "runs overlay demo-20261122-214712 demo-20261122-220101 --metric step-time --x lanes --csv step.csv",
            "runs overlay night-1 night-2 --metric validation-accuracy --json"},
       .notes = "Curves of steps and epochs are those of the newest repeat of a variant. Against "
                "micro-batch size or lanes each variant of the runs is a point, and curves join those that "
                "differ in nothing else. Runs that have no such curve, and curves that do not compare with "
                "the first, are named.",
       .failure = "no run has the metric, or a file could not be written or drawn"});
  chosen(command, context, [options, &context] { return overlayRuns(*options, context.stop); });
}

}  // namespace lanelab
