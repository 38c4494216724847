// SPDX-License-Identifier: GPL-3.0-only
#include "tests/bench/bench.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "base/quantile.h"
#include "base/text.h"
#include "engine/lanes/lane_infos.h"
#include "engine/record/statistics.h"
#include "engine/run/recording_trial.h"
#include "engine/schedule/generate.h"
#include "tests/support/prepared.h"

namespace lanelab::bench {

double Series::min() const { return *std::min_element(seconds.begin(), seconds.end()); }

double Series::median() const { return medianOf(seconds); }

Experiment Workload::experiment() const {
  Experiment experiment;
  experiment.name = "bench";
  experiment.model.arch = arch;
  experiment.data.shape = {3, image, image};
  if (!file.empty()) {
    experiment.model = {};
    experiment.model.arch.clear();
    experiment.model.classes = 0;
    experiment.model.file = file;
    experiment.data.shape.clear();
    const auto resolution = resolve(experiment);
    experiment = resolution->experiment();  // with what it leaves to its network
    if (resolution->model().vocabulary > 0) experiment.training.loss = Loss::CrossEntropy;
  }
  experiment.data.batch = batch;
  experiment.data.steps = steps;
  experiment.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}};
  experiment.training.layout = layout;
  experiment.record = RecordMode::Off;
  return experiment;
}

std::string Workload::name() const { return file.empty() ? arch : std::filesystem::path(file).stem().string(); }

VariantConfig Workload::oneLane(const std::string& order) const {
  VariantConfig variant;
  variant.name = "one lane, " + order;
  variant.strategy = Strategy::Pipeline;
  variant.schedule = fromWord<ScheduleKind>(order).value();
  variant.split_size = splitSize();
  variant.lanes = std::vector<int>{0};
  variant.cuts = std::vector<std::string>{};
  return variant;
}

VariantConfig Workload::twoLanes() const {
  VariantConfig variant = oneLane(schedule);
  variant.name = "two lanes, " + schedule + ", cut " + cut;
  variant.lanes = std::nullopt;
  variant.cuts = std::nullopt;
  // With cuts a schedule lays the stages itself, by turns or in a V.
  std::vector<std::string> cuts;
  std::istringstream text(cut);
  for (std::string block; std::getline(text, block, ',');) cuts.push_back(block);
  if (cuts.size() == 1 || goesRoundTheLanes(variant.schedule)) {
    variant.cuts = cuts;
    return variant;
  }
  const auto resolution = resolve(experiment());
  std::map<std::string, int> placement;
  int lane = 0;
  for (const BlockSpec& block : resolution->model().blocks) {
    if (("," + cut + ",").find("," + block.name + ",") != std::string::npos) lane = 1 - lane;
    placement[block.name] = lane;
  }
  variant.placement = placement;
  return variant;
}

Contestant::Contestant(std::string name, Executor& executor, const Experiment& experiment, const VariantConfig& variant)
    : m_name(std::move(name)), m_lanes(laneInfos(experiment.lanes)) {
  const auto resolution = resolve(experiment)->with(variant);
  auto session = prepare(executor, resolution->variants().front(), experiment.data.steps);
  if (!session.ok()) throw std::runtime_error(session.error().message);
  m_session = std::move(session).value();
}

std::vector<double> Contestant::runSteps(TraceBuilder* trace) {
  RepeatOutcome outcome = m_session->runRepeat({.trace = trace});
  if (!outcome.failure.ok()) throw std::runtime_error(outcome.failure.error().message);
  return std::move(outcome.step_seconds);
}

Contestant SingleWorkload::contestant(Kernels kernels, Executor& executor, std::vector<Rule> rules_off) const {
  Experiment experiment = model.experiment();
  experiment.lanes = {{Device::cpu(0), "", threads}};
  experiment.training.kernels = kernels;
  experiment.training.rules_off = std::move(rules_off);
  VariantConfig variant;
  variant.name = "single";
  variant.strategy = Strategy::Single;
  return {"LaneLab, " + toWord(kernels) + " kernels", executor, experiment, variant};
}

std::vector<std::int64_t> Contestant::pageFaults() {
  std::vector<std::int64_t> total;
  const auto count = [&](int, double, double) {
    rusage use{};
    ::getrusage(RUSAGE_SELF, &use);
    total.push_back(use.ru_minflt);  // without a disk
  };
  const RepeatOutcome outcome = m_session->runRepeat({.on_step = count});
  if (!outcome.failure.ok()) throw std::runtime_error(outcome.failure.error().message);
  std::adjacent_difference(total.begin(), total.end(), total.begin());
  if (!total.empty()) total.erase(total.begin());
  return total;
}

double Contestant::runRound(TraceBuilder* trace) {
  const std::vector<double> seconds = runSteps(trace);
  return *std::min_element(seconds.begin(), seconds.end());
}

MeasuredRecording Contestant::measureRecording(int pairs) {
  TraceBuilder trace("bench", m_lanes);
  const auto times = runTrial(*m_session, pairs, trace, {});
  if (!times.ok()) throw std::runtime_error(times.error().message);
  const std::vector<StepPair> measured = stepPairs(times->seconds);
  const auto faster = [](double StepPair::*with) {
    return [with](const StepPair& a, const StepPair& b) { return a.*with < b.*with; };
  };
  const double on = std::min_element(measured.begin(), measured.end(), faster(&StepPair::on))->on;
  const double off = std::min_element(measured.begin(), measured.end(), faster(&StepPair::off))->off;
  return {costOf(m_name, measured, stepPairs(times->cpu_seconds)), on / off - 1,
          static_cast<double>(trace.spanCount()) / (pairs + 1)};
}

void printTable(const std::string& title, const std::vector<Series>& series) {
  std::printf("%s\n%-44s %10s %10s %10s %10s\n", title.c_str(), "", "min s", "median s", "x by min", "x by med.");
  for (const Series& one : series) {
    std::printf("%-44s %10.4f %10.4f %10.3f %10.3f\n", one.name.c_str(), one.min(), one.median(),
                series[0].min() / one.min(), series[0].median() / one.median());
  }
}

std::string speedUpText(const Series& slower, const Series& faster) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < faster.seconds.size(); ++i)
    logs.push_back(std::log(slower.seconds[i] / faster.seconds[i]));
  const Summary summary = summarise(logs);
  std::string text = formatNumber(std::exp(summary.mean)) + " times as fast";
  if (summary.ci95)
    text += " (95 % CI " + formatNumber(std::exp(summary.ci95->low)) + " to " +
            formatNumber(std::exp(summary.ci95->high)) + ")";
  return text + ", median of the rounds " + formatNumber(std::exp(summary.median));
}

nlohmann::json toJson(const std::vector<Series>& series) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Series& one : series) {
    rows.push_back({{"name", one.name},
                    {"min", one.min()},
                    {"median", one.median()},
                    {"seconds", one.seconds},
                    {"ratio_min", series[0].min() / one.min()},
                    {"ratio_median", series[0].median() / one.median()}});
  }
  return rows;
}

}  // namespace lanelab::bench
