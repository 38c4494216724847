// SPDX-License-Identifier: GPL-3.0-only
#include "app/window/options.h"

#include <QCommandLineParser>
#include <QCoreApplication>

namespace lanelab {

namespace {

struct OptionTexts {
  Q_DECLARE_TR_FUNCTIONS(Options)
};
Error badInput(const QString& sentence) { return Error::badInput(verbatim(sentence.toStdString())); }

/// The first that is given counts.
constexpr std::pair<const char*, Options::Task> kTasks[] = {{"help", Options::Task::Help},
                                                            {"version", Options::Task::Version},
                                                            {"time-start", Options::Task::TimeStart},
                                                            {"time-window", Options::Task::TimeWindow},
                                                            {"window-memory", Options::Task::WindowMemory},
                                                            {"export", Options::Task::Export},
                                                            {"screenshots", Options::Task::Screenshots},
                                                            {"offscreen-report", Options::Task::OffscreenReport}};

void addOptions(QCommandLineParser& parser) {
  parser.addOptions({{{"h", "help"}, "help"},
                     {{"v", "version"}, "version"},
                     {"screenshots", "folder", "DIR"},
                     {"offscreen-report", "folder", "DIR"},
                     {"time-start", "time"},
                     {"time-window", "time"},
                     {"window-memory", "memory"},
                     {"export", "what", "WHAT"},
                     {"format", "format", "F"},
                     {"out", "file", "FILE"},
                     {"variant", "variant", "NAME"},
                     {"metric", "metric", "METRIC", "loss"},
                     {"x", "axis", "AXIS"},
                     {"smoothing", "smoothing", "W", "0"},
                     {"all-variants", "variants"},
                     {"runs", "folder", "DIR"},
                     {"action", "action", "ACTION"}});
}

/// Of --metric, --x, --smoothing and --all-variants.
Result<OverlayChoice> parseOverlay(const QCommandLineParser& parser) {
  OverlayChoice choice;
  const auto metric = fromWord<OverlayMetric>(parser.value("metric").toStdString());
  if (!metric) return badInput(OptionTexts::tr("--metric %1 is not known.").arg(parser.value("metric")));
  const auto axis = parser.isSet("x") ? fromWord<OverlayAxis>(parser.value("x").toStdString())
                                      : std::optional(axesOf(*metric).front());
  if (!axis) return badInput(OptionTexts::tr("--x %1 is not known.").arg(parser.value("x")));
  if (const Status fits = checkAxis(*metric, *axis); !fits.ok()) return fits.error();
  bool is_number = false;
  const double smoothing = parser.value("smoothing").toDouble(&is_number);
  if (!is_number || !(smoothing >= 0 && smoothing < 1))
    return badInput(OptionTexts::tr("--smoothing is from 0 to below 1, not %1.").arg(parser.value("smoothing")));
  return OverlayChoice{*metric, *axis, parser.isSet("all-variants"), smoothing};
}

Result<Options> parseExport(const QCommandLineParser& parser, Options options) {
  options.what = parser.value("export");
  options.format = parser.value("format");
  options.out = parser.value("out");
  options.variant = parser.value("variant");
  const QStringList known{"comparison", "sweep", "timeline", "loss", "overlay", "report", "everything"};
  if (!known.contains(options.what))
    return badInput(OptionTexts::tr("--export %1 is not known. It is one of %2.").arg(options.what, known.join(", ")));
  const QStringList formats = options.what == "report" ? QStringList{"html", "pdf"} : QStringList{"png", "svg", "pdf"};
  if (options.what != "everything" && !formats.contains(options.format))
    return badInput(OptionTexts::tr("--format %1 does not fit --export %2. It is one of %3.")
                        .arg(options.format, options.what, formats.join(", ")));
  if (options.out.isEmpty()) return badInput(OptionTexts::tr("--export needs --out FILE."));
  if (options.path.isEmpty()) return badInput(OptionTexts::tr("--export needs the run folder as its last argument."));
  if (options.what != "overlay") return options;
  const Result<OverlayChoice> overlay = parseOverlay(parser);
  if (!overlay.ok()) return overlay.error();
  options.overlay = *overlay;
  options.overlaid = parser.positionalArguments();
  return options;
}

/// Words of --action and the names of the window's actions.
constexpr std::pair<const char*, const char*> kActions[] = {
    {"new", "new"}, {"open", "open"}, {"open-trace", "openTrace"}, {"open-run", "openRunFolder"}};

Result<QString> parseAction(const QString& word) {
  QStringList known;
  for (const auto& [name, action] : kActions) {
    if (word == QLatin1String(name)) return QString(QLatin1String(action));
    known.append(QLatin1String(name));
  }
  return badInput(OptionTexts::tr("--action %1 is not known. It is one of %2.").arg(word, known.join(", ")));
}

}  // namespace

Result<Options> parseOptions(const QStringList& arguments) {
  QCommandLineParser parser;
  addOptions(parser);
  if (!parser.parse(QStringList{"lanelab"} + arguments))
    return badInput(OptionTexts::tr("%1 See lanelab --help.").arg(parser.errorText()));
  const QStringList rest = parser.positionalArguments();
  if (rest.size() > 1 && parser.value("export") != QLatin1String("overlay"))
    return badInput(OptionTexts::tr("Only one experiment file or run folder can be opened, not %1. See lanelab --help.")
                        .arg(rest.size()));
  Options options;
  options.path = rest.value(0);
  options.runs = runFolders(parser.value("runs").toStdString());
  if (parser.isSet("action")) {
    const Result<QString> action = parseAction(parser.value("action"));
    if (!action.ok()) return action.error();
    options.action = *action;
  }
  for (const auto& [name, task] : kTasks) {
    if (!parser.isSet(name)) continue;
    options.task = task;
    if (task == Options::Task::Export) return parseExport(parser, options);
    if (task == Options::Task::Screenshots || task == Options::Task::OffscreenReport) options.out = parser.value(name);
    break;
  }
  return options;
}

QString helpText() {
  return OptionTexts::tr(
      "Usage: lanelab [FILE|DIR]\n"
      "Opens the window, on an experiment file, a PNG that carries one, a run folder, an archive of a run or a trace "
      "if one\n"
      "is named, else where the last window was closed; at first on the demo.\n"
      "\n"
      "  --runs DIR                     where runs are stored and listed (default: ~/.local/share/lanelab/runs)\n"
      "  --action ACTION                begins with an entry of the menu File: new, open, open-trace or open-run\n"
      "  --help, --version\n"
      "\n"
      "Without a window (no display is needed):\n"
      "  --offscreen-report DIR [FILE]  runs the experiment (default: the demo) and writes into DIR its run folder and "
      "a\n"
      "                                 report with PNG, SVG, CSV, HTML and PDF\n"
      "  --export WHAT --format F --out FILE [--variant NAME] DIR\n"
      "                                 draws comparison, sweep, timeline or loss of the run in DIR as png, svg or "
      "pdf, or its\n"
      "                                 report as html or pdf; draws the timeline of an imported trace, too;\n"
      "                                 everything writes all of it into the folder --out\n"
      "  --export overlay --format F --out FILE [--metric METRIC] [--x AXIS] [--smoothing W] [--all-variants] DIR...\n"
      "                                 draws one metric of several runs, as lanelab-cli runs overlay does\n"
      "  --screenshots DIR              runs the demo and saves screenshots of the window\n"
      "  --time-start                   prints how long the window takes to appear\n"
      "  --time-window                  runs the demo; prints how closely the window follows it\n"
      "  --window-memory [FILE]         runs the experiment (default: the demo) five times; prints the memory of the "
      "idle "
      "window\n"
      "                                 after each\n");
}

}  // namespace lanelab
