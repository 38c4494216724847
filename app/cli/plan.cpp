// SPDX-License-Identifier: GPL-3.0-only
// plan: the best way to cut a model's blocks into stages, from measured times.
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/plan_problem.h"
#include "app/cli/plan_text.h"
#include "base/text.h"
#include "engine/placement/partition_compare.h"
#include "engine/schedule/generate.h"

namespace lanelab {
namespace {

/// The best cut, and beside it those by rules of thumb where the model is known.
Result<std::vector<NamedPartition>> cutAll(const PartitionProblem& problem, const PlanSubject& subject) {
  if (subject.resolution) return comparePartitions(problem, subject.resolution->model());
  Result<Partition> best = partition(problem);
  if (!best.ok()) return best.error();
  return std::vector<NamedPartition>{{"measured time", std::move(*best)}};
}

Status plan(PlanOptions options) {
  if (const auto kind = parseScheduleName(options.schedule_name); kind.ok()) {
    options.schedule = *kind;
  } else {
    const std::vector<std::string> known = knownScheduleNames();
    const std::string near = nearestName(options.schedule_name, known);
    return Error::badInput("--schedule " + options.schedule_name + " is not known: " +
                           (near.empty() ? "choose " + joinOr(known) + "." : "did you mean \"" + near + "\"?"));
  }
  const Result<PlanSubject> subject = subjectOf(options);
  if (!subject.ok()) return subject.error();
  const Result<PartitionProblem> problem = problemOf(options, *subject);
  if (!problem.ok()) return problem.error();
  const Result<std::vector<NamedPartition>> rows = cutAll(*problem, *subject);
  if (!rows.ok()) return rows.error();
  std::cout << (options.json ? planJson(*problem, *rows) : planText(subject->title, *problem, *rows));
  return {};
}

}  // namespace

void addPlan(const Command& app, CliContext& context) {
  const Command command =
      app.subcommand("plan", "Cut a model's blocks into stages: provably the best, on measured times");
  const auto options = std::make_shared<PlanOptions>();
  command.option("FILE", options->file,
                 "The experiment whose model is cut, on the times that the command profile kept; the cut is compared "
                 "with rules of thumb");
  command.option("--costs", options->costs,
                 "Times of one micro-batch instead: {\"blocks\": [{\"name\", \"forward_ms\", \"backward_ms\"}], "
                 "\"transfers_ms\": [...]}; a transfer is one "
                 "way, at the boundary after its block");
  command.option("--stages", options->stages, "Stages in all").required();
  command.option("--lanes", options->lanes,
                 "Lanes that the stages go round (default: one lane a stage; for zb-v half as many, in a V)");
  command
      .option("--schedule", options->schedule_name,
              "Decides on which lanes stages lie, and for --lane-bytes how many micro-batches they hold")
      .showDefault();
  command.option("--split-size", options->split_size,
                 "Samples a micro-batch (default: that of FILE's first pipeline variant)");
  command.option(
      "--micro-batches", options->micro_batches,
      "Minimise latency + (m-1) x bottleneck for this many (default: FILE's; with --costs only the bottleneck counts)");
  command
      .option("--slowness", options->slowness,
              "How many times as long each lane takes, such as 1,1.5, or one for all (default: as measured, else 1)")
      .commaSeparated();
  command
      .option("--lane-bytes", options->lane_bytes,
              "Most that each lane may hold, such as 4GiB,8GiB, or one for all; needs FILE")
      .commaSeparated()
      .sizes();
  command
      .option("--set", options->assignments, "Change a value of FILE first, such as data.batch=64; may be given again")
      .repeatable()
      .typeName("KEY=VALUE");
  command.flag("--json", options->json, "One JSON object");
  chosen(command, context, [options] { return plan(*options); });
}

}  // namespace lanelab
