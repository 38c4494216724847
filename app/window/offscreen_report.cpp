// SPDX-License-Identifier: GPL-3.0-only
#include "app/window/tasks.h"

#include <cstdio>
#include <utility>

#include "base/terminal_text.h"
#include "engine/record/run_store.h"
#include "engine/report/comparison_text.h"
#include "ui/report/report_files.h"
#include "ui/run/run_controller.h"

namespace lanelab {

namespace {

/// Prints one line per repeat.
class ConsoleObserver : public RunObserver {
 public:
  void preparing(const std::string& what) override { say(what); }
  void repeatStarted(const RepeatStart& start) override {
    say("[" + std::to_string(start.unit + 1) + "/" + std::to_string(start.units) + "] " +
        (start.warmup ? "warm-up" : "repeat") + " of " + start.variant_name);
  }
  void warned(const std::string& sentence) override { say("Note: " + sentence); }

 private:
  void say(const std::string& line) { std::fprintf(stderr, "%s\n", forTerminal(line).c_str()); }
};

Result<Experiment> experimentFor(const Options& options) {
  if (!options.path.isEmpty()) return readExperiment(options.path.toStdString());
  const auto examples = bundledExamples();
  if (examples.empty()) return Error::failed("The bundled demo cannot be read. Name an experiment file.");
  return examples.front().experiment;
}

}  // namespace

Status runOffscreen(const Options& options, Executor& executor, std::stop_token stop) {
  const auto experiment = experimentFor(options);
  if (!experiment.ok()) return experiment.error();
  ConsoleObserver observer;
  const QString folder = QString::fromStdString(defaultRunPath(options.out.toStdString(), experiment->name));
  Result<RunRecord> run = runExperiment(*resolve(*experiment), executor, folder.toStdString(),
                                        windowRunOptions("lanelab --offscreen-report"), observer, std::move(stop));
  if (!run.ok()) return run.error();
  const auto record = std::make_shared<const RunRecord>(std::move(*run));
  const ReportFolderSteps report = reportFolderSteps({record, readTraces(*record, folder)}, options.out);
  if (const Status written = runAll(report.steps); !written.ok()) return written.error();
  std::printf("%s\n%s\n\n", forTerminal(comparisonTable(*record)).c_str(),
              forTerminal(headline(*record).message).c_str());
  std::printf("Run folder: %s\n", forTerminal(folder.toStdString()).c_str());
  for (const auto& file : *report.files) std::printf("Wrote %s\n", forTerminal(file.toStdString()).c_str());
  if (record->status == RunStatus::Cancelled) return Error::cancelled();
  if (record->status != RunStatus::Done) return Error::failed(verbatim(record->error));
  return {};
}

}  // namespace lanelab
