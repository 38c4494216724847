// SPDX-License-Identifier: GPL-3.0-only
// The memory forecast against the measured peak of every lane, over small real trainings.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "base/text.h"
#include "engine/memory/variant_memory.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/bench/benches.h"

namespace lanelab::bench {

namespace {

/// What one row trains: the cuts go round the lanes.
struct MemoryCase {
  const char* arch;
  int image, batch, split, lanes;
  const char* schedule;
  const char* cuts;               ///< first block of each next stage, joined by commas
  const char* optimizer = "sgd";  ///< sgd, momentum, nesterov (with weight decay), adam
  Layout layout = Layout::ChannelsLast;
  int steps = 2;
};

constexpr const char* kHalf18 = "layer3.0";
constexpr const char* kHalf50 = "layer3.1";

const std::vector<MemoryCase>& cases() {
  static const std::vector<MemoryCase> all = {
      {"resnet18", 32, 64, 64, 1, "gpipe", ""},
      {"resnet18", 64, 32, 32, 1, "gpipe", ""},
      {"resnet18", 64, 32, 8, 1, "gpipe", "", "adam"},
      {"resnet18", 64, 32, 32, 2, "gpipe", kHalf18, "momentum"},
      {"resnet18", 64, 64, 8, 2, "gpipe", kHalf18},
      {"resnet18", 64, 64, 8, 2, "1f1b", kHalf18},
      {"resnet18", 64, 64, 8, 2, "zb-h1", kHalf18},
      {"resnet18", 64, 50, 16, 2, "gpipe", "layer2.0", "nesterov"},
      {"resnet18", 64, 50, 16, 2, "1f1b", "layer4.0", "adam"},
      {"resnet18", 32, 64, 4, 2, "1f1b", "layer1.0"},
      {"resnet18", 64, 64, 16, 2, "gpipe", kHalf18, "sgd", Layout::Contiguous},
      {"resnet18", 64, 32, 8, 2, "1f1b", kHalf18, "adam", Layout::Contiguous},
      {"resnet18", 64, 48, 8, 2, "interleaved-1f1b", "layer1.1,layer2.1,layer4.0"},
      {"resnet18", 64, 48, 8, 2, "looped-bfs", "layer1.1,layer2.1,layer4.0", "momentum"},
      {"resnet18", 64, 48, 8, 2, "zb-v", "layer1.1,layer2.1,layer4.0"},
      {"resnet18", 64, 48, 8, 3, "1f1b", "layer2.0,layer4.0"},
      {"resnet18", 64, 48, 8, 3, "zb-h1", "layer2.0,layer3.1", "adam"},
      {"resnet50", 32, 64, 64, 1, "gpipe", "", "adam"},
      {"resnet50", 64, 32, 32, 1, "gpipe", ""},
      {"resnet50", 64, 32, 32, 2, "gpipe", kHalf50},
      {"resnet50", 64, 64, 8, 2, "gpipe", kHalf50},
      {"resnet50", 64, 64, 8, 2, "1f1b", kHalf50},
      {"resnet50", 64, 64, 8, 2, "zb-h1", kHalf50, "momentum"},
      {"resnet50", 64, 64, 16, 2, "list", "layer2.2"},
      {"resnet50", 64, 60, 16, 2, "1f1b", "layer2.2", "nesterov"},
      {"resnet50", 64, 32, 4, 3, "1f1b", "layer2.0,layer3.3", "adam"},
      {"resnet50", 32, 128, 32, 2, "gpipe", "layer4.0", "sgd", Layout::Contiguous},
      {"resnet34", 64, 40, 10, 2, "gpipe", "layer3.2", "momentum", Layout::ChannelsLast, 1},
      {"resnet34", 64, 40, 10, 2, "1f1b", "layer3.2", "adam", Layout::ChannelsLast, 1},
  };
  return all;
}

Experiment experimentOf(const MemoryCase& c) {
  Experiment experiment;
  experiment.name = "memory";
  experiment.model.arch = c.arch;
  experiment.data.shape = {3, c.image, c.image};
  experiment.data.batch = c.batch;
  experiment.data.steps = c.steps;
  experiment.lanes = {};
  for (int lane = 0; lane < c.lanes; ++lane) experiment.lanes.push_back({Device::cpu(lane), "", 1});
  experiment.training.layout = c.layout;
  experiment.record = RecordMode::Off;
  const std::string optimizer = c.optimizer;
  experiment.training.optimizer = optimizer == "adam" ? OptimizerKind::Adam : OptimizerKind::Sgd;
  if (optimizer == "momentum" || optimizer == "nesterov") experiment.training.momentum = 0.9;
  if (optimizer == "nesterov") {
    experiment.training.nesterov = true;
    experiment.training.weight_decay = 1e-4;
  }
  return experiment;
}

std::vector<std::string> parseList(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream words(text);
  for (std::string name; std::getline(words, name, ',');) names.push_back(name);
  return names;
}

VariantConfig variantOf(const MemoryCase& c, const ModelSpec& model) {
  VariantConfig variant;
  variant.name = std::string(c.schedule) + " by " + std::to_string(c.split);
  variant.strategy = Strategy::Pipeline;
  variant.schedule = fromWord<ScheduleKind>(c.schedule).value();
  variant.split_size = c.split;
  if (variant.schedule == ScheduleKind::ZbV) {  // its stages lie in a V
    variant.cuts = parseList(c.cuts);
    return variant;
  }
  std::map<std::string, int> placement;
  int stage = 0;
  for (const BlockSpec& block : model.blocks) {
    if (("," + std::string(c.cuts) + ",").find("," + block.name + ",") != std::string::npos) ++stage;
    placement[block.name] = stage % c.lanes;
  }
  variant.placement = placement;
  return variant;
}

template <class T>
T valueOf(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.error().message);
  return std::move(result).value();
}

double mebibytes(std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

nlohmann::json partsJson(const MemoryParts& parts) {
  return {{"parameters", parts.parameters},   {"gradients", parts.gradients}, {"optimizer", parts.optimizer},
          {"activations", parts.activations}, {"transfers", parts.transfers}, {"workspace", parts.workspace}};
}

void printLane(const MemoryCase& c, std::size_t lane, const LaneForecast& forecast, std::int64_t measured,
               double error) {
  std::string what = std::string(c.arch) + " " + std::to_string(c.image) + "px " + std::to_string(c.batch) + "/" +
                     std::to_string(c.split) + " " + c.schedule + " " + c.optimizer +
                     (c.layout == Layout::Contiguous ? " contiguous" : "") + (c.steps == 1 ? " 1 step" : "");
  const MemoryParts& p = forecast.at_peak;
  std::printf("%-52s %4zu %9.1f %9.1f %8.2f   %-6s %7.1f %7.1f %7.1f %7.1f %7.1f %7.1f\n", lane ? "" : what.c_str(),
              lane, mebibytes(p.total()), mebibytes(measured), error * 100, toString(forecast.when).c_str(),
              mebibytes(p.parameters), mebibytes(p.gradients), mebibytes(p.optimizer), mebibytes(p.activations),
              mebibytes(p.transfers), mebibytes(p.workspace));
}

}  // namespace

nlohmann::json benchMemory(bool print) {
  const auto executor = makeTorchExecutor();
  nlohmann::json rows = nlohmann::json::array();
  std::vector<double> errors;
  if (print) {
    std::printf("%-52s %4s %9s %9s %8s   %-6s %7s %7s %7s %7s %7s %7s\n", "training (batch/split)", "lane", "forecast",
                "measured", "error %", "peak in", "params", "grads", "optim.", "activ.", "transf.", "worksp.");
  }
  for (const MemoryCase& c : cases()) {
    const Experiment experiment = experimentOf(c);
    const auto given = resolve(experiment);
    const auto resolution = given->with(variantOf(c, given->model()));
    const ResolvedVariant& variant = resolution->variants().front();
    const std::vector<LaneForecast> forecasts = forecastMemory(variant);
    const auto session = valueOf(executor->prepare(variant, experiment.data.steps));
    const RepeatOutcome outcome = session->runRepeat({});
    if (!outcome.failure.ok()) throw std::runtime_error(outcome.failure.error().message);
    for (std::size_t lane = 0; lane < forecasts.size(); ++lane) {
      const std::int64_t measured = outcome.peak_bytes[lane];
      const double error = static_cast<double>(forecasts[lane].at_peak.total()) / static_cast<double>(measured) - 1;
      errors.push_back(std::abs(error));
      rows.push_back({{"arch", c.arch},
                      {"image", c.image},
                      {"batch", c.batch},
                      {"split_size", c.split},
                      {"schedule", c.schedule},
                      {"optimizer", c.optimizer},
                      {"layout", toWord(c.layout)},
                      {"steps", c.steps},
                      {"lane", lane},
                      {"forecast_bytes", forecasts[lane].at_peak.total()},
                      {"parts", partsJson(forecasts[lane].at_peak)},
                      {"measured_bytes", measured},
                      {"error", error}});
      if (print) printLane(c, lane, forecasts[lane], measured, error);
    }
  }
  std::sort(errors.begin(), errors.end());
  const std::size_t n = errors.size();
  const double median = n % 2 ? errors[n / 2] : (errors[n / 2 - 1] + errors[n / 2]) / 2;
  if (print) {
    std::printf("MiB. Over %zu lanes: median error %.2f %%, worst %.2f %% (goal: 5 %% and 10 %%).\n", n, median * 100,
                errors.back() * 100);
  }
  return {{"lanes", rows}, {"median_error", median}, {"worst_error", errors.back()}};
}

}  // namespace lanelab::bench
