// SPDX-License-Identifier: GPL-3.0-only
// what-if: how long a step of a run or of an imported job would take with other lengths or another schedule, and where
// its time went.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "app/cli/cli.h"
#include "app/cli/run_trace.h"
#include "app/cli/runs_option.h"
#include "base/json_text.h"
#include "base/parse_number.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/advise/what_if_answer.h"
#include "engine/jobs/job_answer.h"
#include "engine/schedule/generate.h"
#include "engine/torch/train/torch_executor.h"
#include "profiler/io/chrome/chrome_writer.h"
#include "profiler/io/tables/gap_comparison.h"
#include "profiler/trace/process_rank.h"

namespace lanelab {
namespace {

struct WhatIfArguments {
  std::string place;
  std::string variant;
  std::vector<std::string> stages, ranks, links, blocks;
  std::string schedule;
  std::optional<int> split_size;
  std::string trace;
  ImportOptions reading;
  bool json = false;
};

/// A step before and after a change, however it was found.
struct ChangedStep {
  std::shared_ptr<const Trace> before, after;
  double step_before = 0;  ///< seconds, as the next two
  double step_after = 0;
  double measured_step = 0;
  bool simulated = false;
  std::optional<ForecastRange> range = {};
  std::vector<Message> assumptions = {};
};

/// "3=0.8" and "3=0.8x" are "stage:3=0.8" of addFactor(), "1-2=0.5" is "link:1=0.5"; "" for other words.
std::string factorWords(const std::string& prefix, std::string word) {
  if (word.ends_with('x')) word.pop_back();
  const std::size_t equals = word.rfind('='), dash = word.find('-');
  if (prefix != "link:" || dash == std::string::npos || dash > equals) return prefix + word;
  const auto from = parseNumber<int>(word.substr(0, dash));
  const auto to = parseNumber<int>(word.substr(dash + 1, equals - dash - 1));
  if (!from || !to || std::abs(*from - *to) != 1) return {};
  return prefix + std::to_string(std::min(*from, *to)) + word.substr(equals);
}

Status addFactors(WhatIf& factors, const std::string& option, const std::string& prefix,
                  const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (!addFactor(factors, factorWords(prefix, word)))
      return Error::badInput(
          "{} {} is not a factor. Write {}, with a number from 0 to 1000: 0.5 is half as long, 2 takes twice the time.",
          option, word,
          option == "--link"    ? "--link 1-2=0.5, of two stages that follow each other"
          : option == "--block" ? "--block layer3.0=0.8"
                                : option + " 1=0.5");
  return {};
}

Result<WhatIf> factorsOf(const WhatIfArguments& options) {
  WhatIf factors;
  for (const auto& [option, prefix, words] :
       {std::tuple("--stage", "stage:", &options.stages), std::tuple("--rank", "rank:", &options.ranks),
        std::tuple("--link", "link:", &options.links), std::tuple("--block", "", &options.blocks)})
    if (const Status added = addFactors(factors, option, prefix, *words); !added.ok()) return added.error();
  return factors;
}

std::vector<bool> lanesWithActions(const Trace& trace) {
  std::vector<bool> lanes(trace.lanes.size());
  for (const Track& track : trace.tracks) {
    if (track.kind != Track::Kind::Compute || trace.laneAt(track.lane) == nullptr) continue;
    const auto acts = [](const Span& span) { return span.category == Category::Action; };
    if (std::any_of(track.spans.begin(), track.spans.end(), acts)) lanes[static_cast<std::size_t>(track.lane)] = true;
  }
  return lanes;
}

/// The lanes that do passes of a rank, as they are named ("rank 3, GPU 3").
std::vector<int> lanesOfRank(const Trace& trace, const std::vector<bool>& works, const std::string& rank) {
  std::vector<int> lanes;
  for (std::size_t lane = 0; lane < works.size(); ++lane)
    if (works[lane] && rankIn(trace.lanes[lane].name) == rank) lanes.push_back(static_cast<int>(lane));
  return lanes;
}

/// Numbers of ranks become those of their lanes; where no lane is named after a rank they are that.
Status placeRanks(const Trace& trace, WhatIf& factors) {
  const bool named = std::ranges::any_of(trace.lanes, [](const LaneInfo& lane) { return !rankIn(lane.name).empty(); });
  if (factors.ranks.empty() || !named) return {};
  const std::vector<bool> works = lanesWithActions(trace);
  std::map<int, double> of_lanes;
  for (const auto& [rank, factor] : factors.ranks) {
    const std::vector<int> lanes = lanesOfRank(trace, works, "rank " + std::to_string(rank));
    if (lanes.empty()) return Error::badInput("The trace has no passes of a rank {}.", rank);
    for (const int lane : lanes) of_lanes[lane] = factor;
  }
  factors.ranks = std::move(of_lanes);
  return {};
}

bool isChange(const WhatIfArguments& options) {
  return !options.stages.empty() || !options.ranks.empty() || !options.links.empty() || !options.blocks.empty() ||
         !options.schedule.empty() || options.split_size;
}

double secondsOf(Nanoseconds time) { return kNanosecond * static_cast<double>(time); }

// A run of our own.

Result<ChangedStep> changedRun(const WhatIfQuestion& question, const TraceSource& source,
                               const std::shared_ptr<const Trace>& trace, const Executor* executor) {
  if (const std::string unknown = unknownName(*trace, question.factors); !unknown.empty())
    return Error::badInput("The trace has no {}.", unknown);
  std::optional<MeasuredVariant> known;
  if (executor) {
    Result<MeasuredVariant> measured =
        measuredVariant(*source.record, source.variant, *trace, *executor, ProfileStore::ofThisUser());
    if (!measured.ok()) return measured.error();
    known = std::move(*measured);
    if (const Status can = checkQuestion(question, *known); !can.ok()) return can.error();
  }
  const std::optional<WhatIfAnswer> answer = answerTo(question, trace, known ? &*known : nullptr);
  if (!answer) return Error::badInput("The variant cannot run with this schedule and micro-batch size.");
  ChangedStep step{answer->before,
                   answer->after,
                   secondsOf(answer->step_before),
                   secondsOf(answer->step_after),
                   known ? known->measured_step : secondsOf(answer->step_before),
                   answer->simulated,
                   answer->range,
                   {}};
  if (step.simulated)
    step.assumptions.push_back(
        sentence("Both steps are simulated with the block times of the run, since nobody measured the other order; the "
                 "measured step takes {}. Memory is not looked at.",
                 formatSeconds(step.measured_step)));
  else
    step.assumptions.push_back(
        sentence("Each action begins as long after its lane was free and its input there as it did; only lengths "
                 "change, and what follows from them."));
  return step;
}

// A job that trained elsewhere.

Result<ChangedStep> changedJob(const WhatIfQuestion& question, const Trace& trace) {
  if (!question.factors.blocks.empty())
    return Error::badInput("--block is for runs, since an imported trace does not name blocks. Use --stage.");
  if (question.split_size)
    return Error::badInput(
        "--split-size is for runs: an imported trace does not say how the time of a pass depends on its samples.");
  Result<JobAnswer> answer = answerOfJob(trace, {question.factors, question.schedule});
  if (!answer.ok()) return answer.error();
  return ChangedStep{answer->before,        answer->after, answer->step_before, answer->step_after,
                     answer->measured_step, false,         answer->range,       std::move(answer->assumptions)};
}

/// Per step, so that tables say what a step costs.
IdleCauses causesPerStep(const Trace& trace) {
  IdleCauses causes = explainActions(trace);
  for (LaneCauses& lane : causes.lanes) {
    const auto steps = static_cast<Nanoseconds>(std::max<std::size_t>(1, lane.windows.size()));
    for (Nanoseconds* const time : {&lane.window, &lane.busy, &lane.idle}) *time /= steps;
    for (Nanoseconds& time : lane.causes.times) time /= steps;
    lane.windows.resize(1);
  }
  return causes;
}

std::string changedSentence(const ChangedStep& step) {
  const double change = step.step_before > 0 ? step.step_after / step.step_before - 1 : 0;
  const std::string share = formatNumber(100 * std::abs(change)) + " % " + (change < 0 ? "less" : "more");
  return std::string(step.simulated ? "Predicted" : "Replayed") + ", not measured: the mean step takes " +
         formatSeconds(step.step_after) + " instead of " + formatSeconds(step.step_before) + ", " +
         (std::abs(change) < 5e-5 ? "the same" : share) + "." +
         (step.range && step.range->low < step.range->high ? " 90 % range: " + rangeText(*step.range).message + "."
                                                           : "");
}

double microsecondsOf(Nanoseconds time) { return static_cast<double>(time) / 1000; }

Json causesJsonOf(const LaneCauses& lane) {
  Json causes = Json::object();
  for (std::size_t i = 0; i < kCauseCount; ++i)
    if (lane.causes.times[i] != 0) causes[std::string(kCauseTexts[i])] = microsecondsOf(lane.causes.times[i]);
  return {{"window_us", microsecondsOf(lane.window)},
          {"busy_us", microsecondsOf(lane.busy)},
          {"idle_us", microsecondsOf(lane.idle)},
          {"causes", std::move(causes)}};
}

std::string toJson(const ChangedStep& step, const GapComparison& compared) {
  Json lanes = Json::array();
  for (const LaneCauses& before : compared.before.lanes)
    for (const LaneCauses& after : compared.after.lanes)
      if (after.lane == before.lane)
        lanes.push_back({{"name", before.name}, {"before", causesJsonOf(before)}, {"after", causesJsonOf(after)}});
  Json assumptions = Json::array();
  for (const Message& said : step.assumptions) assumptions.push_back(said.message);
  const bool known = step.step_after > 0;
  const Json object = {{"origin", step.simulated ? "predicted" : "replayed"},
                       {"measured_step_s", step.measured_step},
                       {"step_before_s", step.step_before},
                       {"step_after_s", step.step_after},
                       {"ratio", known ? Json(step.step_before / step.step_after) : Json()},
                       {"range90_s", step.range ? Json{step.range->low, step.range->high} : Json()},
                       {"assumptions", std::move(assumptions)},
                       {"lanes", std::move(lanes)}};
  return jsonText(object, 2) + "\n";
}

Status print(const ChangedStep& step, const WhatIfArguments& options) {
  if (!options.trace.empty())
    if (Status written = writeChromeTrace(*step.after, options.trace); !written.ok()) return written;
  const GapComparison compared{causesPerStep(*step.before), causesPerStep(*step.after), false};
  if (options.json) {
    std::cout << toJson(step, compared);
    return {};
  }
  std::cout << changedSentence(step) << "\n\nPer step:\n\n"
            << textTable(laneDifferenceRows(compared), 1) << "\n"
            << textTable(causeDifferenceRows(compared), 1) << "\n"
            << differenceSentence(compared) << "\n";
  for (const Message& said : step.assumptions) std::cout << said.message << "\n";
  return {};
}

Status answer(const WhatIfArguments& options, const std::stop_token& stop) {
  if (!isChange(options))
    return Error::badInput("Name a change: --stage, --rank, --link, --block, --schedule or --split-size.");
  Result<WhatIf> factors = factorsOf(options);
  if (!factors.ok()) return factors.error();
  WhatIfQuestion question{std::move(*factors), options.split_size};
  if (!options.schedule.empty()) {
    const Result<ScheduleKind> kind = parseScheduleName(options.schedule);
    if (!kind.ok()) return kind.error();
    question.schedule = *kind;
  }
  const Result<TraceSource> source = traceOrRanksOf(options.place, options.variant);
  if (!source.ok()) return source.error();
  // Before the trace is read: the program may start again here.
  const bool simulates = source->record && (question.schedule || question.split_size);
  const std::unique_ptr<Executor> executor = simulates ? makeTorchExecutor() : nullptr;
  const auto read = importForFigures(source->file, options.reading, "the answer may be wrong", stop);
  if (!read.ok()) return read.error();
  const ImportedTrace& imported = **read;
  if (const Status placed = placeRanks(*imported.trace, question.factors); !placed.ok()) return placed;
  const bool own = source->record || (imported.declared && !question.schedule && !question.split_size);
  Result<ChangedStep> step =
      own ? changedRun(question, *source, imported.trace, executor.get()) : changedJob(question, *imported.trace);
  if (!step.ok()) return step.error();
  return print(*step, options);
}

}  // namespace

void addWhatIf(const Command& app, CliContext& context) {
  const Command command =
      app.subcommand("what-if", "Replay the steps of a run or an imported job with other lengths or another schedule");
  command.help(
      {.examples = {"what-if runs/job --stage 3=0.8 --link 1-2=0.5", "what-if timeline.json.gz --schedule zb-h1 --json",
                    "what-if runs/demo --variant Pipeline --rank 1=0.5"},
       .notes = "Factors scale times: 0.5 is half as long. Of a job that trained elsewhere its operations are "
                "replayed by what they wait for, as gaps does to find who is late; with --schedule each pass "
                "and transfer has its measured length in the other order. Of a run the measured delays are "
                "retained; with --schedule or --split-size its step is simulated from its block times."});
  const auto options = std::make_shared<WhatIfArguments>();
  command
      .option(
          "DIR|TRACE", options->place,
          "Run folder, id of a stored run, folder of an imported trace, folder with the traces of a job's ranks, or "
          "a trace file")
      .required();
  command.option("--variant NAME", options->variant, "Variant of the run; optional if there is only one");
  command.option("--stage N=FACTOR", options->stages, "Scale the passes and updates of a stage").repeatable();
  command.option("--rank N=FACTOR", options->ranks, "Scale the passes and updates of a rank, or a lane of a run")
      .repeatable();
  command.option("--link A-B=FACTOR", options->links, "Scale the transfers both ways between two stages").repeatable();
  command.option("--block NAME=FACTOR", options->blocks, "Scale a block of a run").repeatable();
  command.option("--schedule NAME", options->schedule, "Do the passes in the order of this schedule, such as zb-h1");
  command.option("--split-size N", options->split_size, "Samples per micro-batch of a run").positive();
  command.option("--trace FILE", options->trace,
                 "Write the steps after the change as a Chrome trace; gzipped if the name ends in .gz");
  addImportOptions(command, options->reading);
  command.json(options->json);
  chosen(command, context, [options, &context] {
    options->place = folderOfRun(options->place);
    return answer(*options, context.stop);
  });
}

}  // namespace lanelab
