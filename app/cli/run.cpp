// run: trains an experiment for real, writes a run folder, prints the comparison.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/dry_run.h"
#include "engine/base/text.h"
#include "engine/run/bound_text.h"
#include "engine/run/runner.h"
#include "engine/run/variant_plan.h"
#include "engine/torch/torch_executor.h"
#include "profiler/io/chrome_writer.h"

namespace lanelab {
namespace {

struct Options {
  std::string file;
  std::vector<std::string> assignments;
  std::string out;
  bool save_weights = false;
  bool dry_run = false;
  bool json = false;
};

// What a run tells, on stderr: a bar that stays on its line on a terminal, else one line a repeat.
class Progress : public RunObserver {
 public:
  Progress(const Experiment& experiment, bool terminal) : m_experiment(experiment), m_terminal(terminal) {}
  ~Progress() override { clear(); }

  void preparing(const std::string& what) override {
    if (m_terminal)
      show(what);
    else
      std::cerr << what << "\n";
  }

  void repeatStarted(const RepeatStart& start) override {
    if (start.unit == 0) m_began = Clock::now();
    m_unit = start.unit;
    m_units = start.units;
    m_steps = start.steps;
    m_what = (start.warmup ? "warm-up " : "repeat ") + std::to_string(start.repeat + 1) + " of " +
             std::to_string(start.warmup ? m_experiment.warmup : m_experiment.repeats) + ", " + start.variant_name;
    if (m_terminal) showBar(0);
  }

  void stepDone(const StepDone& step) override {
    m_images_per_second = step.seconds > 0 ? step.images / step.seconds : 0;
    if (m_terminal) showBar(step.step + 1);
  }

  void repeatDone(const RepeatDone& done) override {
    if (m_terminal) return;
    std::cerr << "[" << m_unit + 1 << "/" << m_units << "] " << m_what << ": " << formatSeconds(done.seconds) << "\n";
  }

  void warned(const std::string& sentence) override {
    clear();
    std::cerr << "Warning: " << sentence << "\n";
  }

 private:
  using Clock = std::chrono::steady_clock;

  void showBar(int steps_done) {
    constexpr int width = 24;
    const double done = (m_unit + (m_steps > 0 ? static_cast<double>(steps_done) / m_steps : 0)) / std::max(1, m_units);
    const int filled = static_cast<int>(done * width);
    std::string line =
        "[" + std::string(static_cast<std::size_t>(filled), '#') + std::string(static_cast<std::size_t>(width - filled), '.') + "] " + m_what;
    if (m_images_per_second > 0) line += ", " + formatNumber(m_images_per_second) + " images/s";
    show(line + timeLeft(done));
  }

  // From the share that is done; nothing before a tenth is, since the first warm-ups mislead.
  std::string timeLeft(double done) const {
    if (done < 0.1) return "";
    const double spent = std::chrono::duration<double>(Clock::now() - m_began).count();
    const double left = spent * (1 - done) / done;
    if (left < 5) return ", a few seconds left";
    if (left < 57.5) return ", about " + std::to_string(static_cast<int>(std::round(left / 5) * 5)) + " s left";
    return ", about " + std::to_string(static_cast<int>(std::round(left / 60))) + " min left";
  }

  void show(const std::string& line) {
    std::cerr << "\r\033[K" << line << std::flush;
    m_shown = true;
  }

  void clear() {
    if (m_shown) std::cerr << "\r\033[K" << std::flush;
    m_shown = false;
  }

  const Experiment& m_experiment;
  const bool m_terminal;
  bool m_shown = false;
  int m_unit = 0;
  int m_units = 0;
  int m_steps = 0;
  std::string m_what;
  double m_images_per_second = 0;
  Clock::time_point m_began = Clock::now();
};

// The command as a shell would take it again.
std::string commandLine(const std::vector<std::string>& arguments) {
  std::string line = "lanelab-cli";
  for (const std::string& argument : arguments) {
    line += ' ';
    if (!argument.empty() && argument.find_first_of(" \t\n\"'\\$`&|;<>()[]{}*?#~!") == std::string::npos) {
      line += argument;
      continue;
    }
    line += '\'';
    for (const char c : argument) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

Result<Experiment> readChecked(const Options& options) {
  Result<Experiment> experiment = readExperiment(options.file, options.assignments);
  if (!experiment.ok()) return experiment;
  std::string message;
  for (const ExperimentProblem& problem : findProblems(*experiment)) {
    message += (message.empty() ? options.file + ": " : "\n  ") + problem.where + ": " + problem.message;
  }
  if (!message.empty()) return Error::badInput(message);
  return experiment;
}

bool measuredAnything(const RunRecord& record) {
  return std::any_of(record.variants.begin(), record.variants.end(), [](const VariantRecord& variant) { return variant.summary.n > 0; });
}

void printTable(const RunRecord& record) {
  std::cout << comparisonTable(record) << "\n" << headline(record) << "\n";
  for (const std::string& note : statisticsNotes(record)) std::cout << note << "\n";
  const std::string bounds = boundTable(record);
  if (!bounds.empty()) std::cout << "\nHow near each schedule came to its bound (measured; own order: its actions' mean times without transfers and waits)\n" << bounds;
  for (const std::string& note : boundNotes(record)) std::cout << note << "\n";
  std::cout << "\nPeak memory of each lane, forecast before the run and measured:\n" << memoryTable(record);
}

Status outcomeOf(const RunRecord& record, const std::string& folder) {
  const std::string kept = " What was measured and could be written is in " + folder + ".";
  if (record.status == RunStatus::Cancelled) return Error::cancelled("The run was cancelled." + kept);
  if (record.status != RunStatus::Done) return Error::failed(record.error + kept);
  return {};
}

Status run(const Options& options, const CliContext& context) {
  const Result<Experiment> experiment = readChecked(options);
  if (!experiment.ok()) return experiment.error();
  const std::string folder = options.out.empty() ? defaultRunPath("runs", experiment->name) : options.out;
  const std::unique_ptr<Executor> executor = makeTorchExecutor();
  if (options.dry_run) return dryRun(*experiment, *executor, options.json);
  RunOptions run_options;
  run_options.save_weights = options.save_weights;
  run_options.write_trace = writeChromeTrace;
  run_options.environment = {{"command", commandLine(context.arguments)}};
  Result<RunRecord> record = [&] {
    Progress progress(*experiment, stderrIsTerminal());
    return runExperiment(*experiment, *executor, folder, run_options, progress, context.stop);
  }();
  if (!record.ok()) return record.error();
  if (options.json) {
    std::cout << toJson(*record);
  } else if (measuredAnything(*record)) {
    printTable(*record);
  }
  if (record->status == RunStatus::Done) std::cerr << "Written to " << folder << "\n";
  return outcomeOf(*record, folder);
}

}  // namespace

void addRun(CLI::App& app, CliContext& context) {
  CLI::App* command = app.add_subcommand("run", "Run an experiment, write a run folder, print the comparison");
  const auto options = std::make_shared<Options>();
  command->add_option("FILE", options->file, "The experiment, such as resources/experiments/demo.json")->required();
  command->add_option("--set", options->assignments, "Change a value first, such as training.lr=0.1 or variants[2].split_size=12; may be given again")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_option("--out", options->out, "The run folder, absent or empty (default: runs/<name>-<time>)")->type_name("DIR");
  command->add_flag("--save-weights", options->save_weights, "Keep each variant's weights after its last step as weights-<variant>.safetensors");
  command->add_flag("--dry-run", options->dry_run, "Check the experiment and print the forecast of each lane's memory; train and write nothing");
  command->add_flag("--json", options->json, "Print run.json's content instead of the table; with --dry-run the forecast");
  chosen(command, context, [options, &context] { return run(*options, context); });
}

}  // namespace lanelab
