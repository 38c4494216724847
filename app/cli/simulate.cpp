// simulate: how long a step of each variant takes, and what each lane does in it, without training.
#include <iostream>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "app/cli/planning_costs.h"
#include "app/cli/text_table.h"
#include "engine/base/text.h"
#include "engine/plan/generate.h"
#include "engine/run/variant_plan.h"
#include "engine/sim/predicted_trace.h"
#include "engine/sim/recompute_costs.h"
#include "engine/sim/simulate.h"
#include "engine/sim/stage_times.h"
#include "profiler/io/chrome_writer.h"

namespace lanelab {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string file;
  std::vector<std::string> assignments;
  std::string costs;
  std::string variant;  ///< empty: all
  std::string trace;
  bool json = false;
};

struct SimulatedVariant {
  VariantPlan plan;
  Simulation simulation;
};

// The schedule `list` is made of times, so it is made of these.
Status useTimes(VariantPlan& plan, const CostModel& costs) {
  if (plan.schedule_name != "list") return {};
  std::vector<LaneId> lane_of_stage;
  for (const Stage& stage : plan.stages) lane_of_stage.push_back(stage.lane);
  Result<Schedule> schedule = generateSchedule("list", lane_of_stage, static_cast<int>(plan.schedule.lanes.size()), plan.schedule.micro_batches,
                                               stageTimesOf(costs, plan.stages));
  if (!schedule.ok()) return schedule.error();
  plan.schedule = std::move(*schedule);
  return {};
}

Status keepVariant(const Options& options, std::vector<VariantPlan>& plans) {
  if (options.variant.empty()) return {};
  std::vector<std::string> names;
  for (const VariantPlan& plan : plans) names.push_back(plan.name);
  std::erase_if(plans, [&](const VariantPlan& plan) { return plan.name != options.variant; });
  if (!plans.empty()) return {};
  return Error::badInput("--variant " + options.variant + ": there is no such variant in " + options.file + ". Choose " + joinOr(names) + ".");
}

Json jsonOf(const Experiment& experiment, const SimulatedVariant& variant) {
  Json lanes = Json::array();
  for (std::size_t i = 0; i < variant.simulation.lanes.size(); ++i) {
    const SimulatedLane& lane = variant.simulation.lanes[i];
    lanes.push_back({{"name", experiment.lanes[i].title()},
                     {"device", experiment.lanes[i].device},
                     {"busy_ms", millisecondsOf(lane.busy)},
                     {"idle_ms", millisecondsOf(lane.idle)}});
  }
  return {{"name", variant.plan.name},
          {"strategy", variant.plan.strategy},
          {"schedule", variant.plan.schedule_name},
          {"micro_batches", variant.plan.schedule.micro_batches},
          {"step_ms", millisecondsOf(variant.simulation.step_seconds)},
          {"lanes", std::move(lanes)}};
}

std::string toJson(const Experiment& experiment, const std::vector<SimulatedVariant>& variants) {
  Json object = {{"variants", Json::array()}};
  for (const SimulatedVariant& variant : variants) object["variants"].push_back(jsonOf(experiment, variant));
  return object.dump(2) + "\n";
}

std::string toText(const Experiment& experiment, const std::vector<SimulatedVariant>& variants, const std::string& costs) {
  std::vector<TextRow> rows = {{"Variant", "Lane", "Micro-batches", "Step, ms", "Busy, ms", "Idle, ms", "Idle"}};
  for (const SimulatedVariant& variant : variants) {
    const double step = variant.simulation.step_seconds;
    for (std::size_t i = 0; i < variant.simulation.lanes.size(); ++i) {
      const SimulatedLane& lane = variant.simulation.lanes[i];
      rows.push_back({i == 0 ? variant.plan.name : "", experiment.lanes[i].title(), i == 0 ? std::to_string(variant.plan.schedule.micro_batches) : "",
                      i == 0 ? millisecondsText(step) : "", millisecondsText(lane.busy), millisecondsText(lane.idle),
                      step > 0 ? formatNumber(100 * lane.idle / step) + " %" : "-"});
    }
  }
  return textTable(rows, 2) + "\nPredicted with the costs of " + costs +
         " for every micro-batch, whatever its size; without optimizer and overhead.\n";
}

Status writeTrace(const Options& options, const Experiment& experiment, const std::vector<SimulatedVariant>& variants) {
  if (options.trace.empty()) return {};
  if (variants.size() != 1) return Error::badInput("--trace writes one variant: choose it with --variant.");
  std::vector<LaneInfo> lanes;
  for (const LaneConfig& lane : experiment.lanes) lanes.push_back({lane.title(), lane.device});
  const SimulatedVariant& variant = variants.front();
  const std::string problem = writeChromeTrace(*predictedTrace(variant.simulation, variant.plan.name, lanes), options.trace);
  return problem.empty() ? Status() : Error::failed(problem);
}

Status simulateAll(const Options& options) {
  const Result<Experiment> experiment = readExperiment(options.file, options.assignments);
  if (!experiment.ok()) return experiment.error();
  const Result<ModelSpec> model = modelOf(*experiment);
  if (!model.ok()) return Error::badInput(options.file + ": " + model.error().message);
  Result<std::vector<VariantPlan>> plans = planVariants(*experiment);
  if (!plans.ok()) return Error::badInput(options.file + ": " + plans.error().message);
  if (const Status kept = keepVariant(options, *plans); !kept.ok()) return kept;
  const Result<CostModel> costs = readCostsOf(*model, options.costs);
  if (!costs.ok()) return costs.error();
  std::vector<SimulatedVariant> variants;
  for (VariantPlan& plan : *plans) {
    const CostModel own = recomputing(*costs, plan.stages, plan.modes.recompute);
    if (const Status used = useTimes(plan, own); !used.ok()) return used;
    Simulation simulation = simulate(plan.schedule, plan.stages, {own, std::nullopt});
    variants.push_back({std::move(plan), std::move(simulation)});
  }
  if (const Status written = writeTrace(options, *experiment, variants); !written.ok()) return written;
  std::cout << (options.json ? toJson(*experiment, variants) : toText(*experiment, variants, options.costs));
  return {};
}

}  // namespace

void addSimulate(CLI::App& app, CliContext& context) {
  CLI::App* command = app.add_subcommand("simulate", "Predict each variant's step time and idle lanes, without training");
  const auto options = std::make_shared<Options>();
  command->add_option("FILE", options->file, "The experiment")->required();
  command
      ->add_option("--costs", options->costs,
                   "Times of one micro-batch: {\"blocks\": [{\"name\", \"forward_ms\", \"backward_ms\", \"backward_weight_ms\"}], \"transfers_ms\": "
                   "[...]}; the weight part is part of the backward; optimizer, overhead and contention are 0, and the lanes' devices need not exist")
      ->required();
  command->add_option("--variant", options->variant, "Only this variant");
  command->add_option("--trace", options->trace, "Write the predicted step of --variant as a Chrome trace (gzipped when it ends in .gz)");
  command->add_option("--set", options->assignments, "Change a value of FILE first, such as data.batch=64; may be given again")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_flag("--json", options->json, "One JSON object");
  chosen(command, context, [options] { return simulateAll(*options); });
}

}  // namespace lanelab
