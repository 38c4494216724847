// SPDX-License-Identifier: GPL-3.0-only
// The memory forecast against the measured peak of every lane, over small real trainings.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "base/text.h"
#include "engine/experiment/experiment_json.h"
#include "engine/exported/exported_network.h"
#include "engine/memory/variant_memory.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/bench/benches.h"
#include "tests/support/prepared.h"

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
  Recompute recompute = Recompute::None;
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
      {"resnet50", 64, 32, 32, 1, "gpipe", "", "sgd", Layout::ChannelsLast, 2, Recompute::Activations},
      {"resnet50", 64, 64, 8, 2, "1f1b", kHalf50, "sgd", Layout::ChannelsLast, 2, Recompute::Activations},
      {"resnet50", 64, 64, 8, 2, "zb-h1", kHalf50, "momentum", Layout::ChannelsLast, 2, Recompute::Activations},
      {"resnet18", 64, 64, 16, 2, "gpipe", kHalf18, "sgd", Layout::Contiguous, 2, Recompute::Activations},
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
  experiment.training.recompute = c.recompute;
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
  if (turnsAtTheLastLane(variant.schedule)) {
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

double mebibytes(std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

template <class T>
T valueOf(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.error().message);
  return std::move(result).value();
}

/// How an exported network trains: its own micro-batches on one lane, or cut in two at the middle of its MACs.
struct ExportedCase {
  const char* name;
  int batch, split, lanes;
  const char* schedule;
  Recompute recompute = Recompute::None;
};

constexpr std::array kExportedCases = {
    ExportedCase{"single", 16, 16, 1, "gpipe"}, ExportedCase{"1f1b", 32, 8, 2, "1f1b"},
    ExportedCase{"1f1b recompute", 32, 8, 2, "1f1b", Recompute::Stage}, ExportedCase{"zb-h1", 32, 8, 2, "zb-h1"}};

Experiment experimentOf(const ExportedCase& c, const std::string& file) {
  Experiment experiment;
  experiment.name = "memory";
  experiment.model.arch.clear();
  experiment.model.classes = 0;
  experiment.model.file = file;
  experiment.data.shape = valueOf(openExported(file))->described.model.input;
  experiment.data.batch = c.batch;
  experiment.data.steps = 2;
  experiment.lanes = {};
  for (int lane = 0; lane < c.lanes; ++lane) experiment.lanes.push_back({Device::cpu(lane), "", 1});
  experiment.training.optimizer = OptimizerKind::Adam;
  experiment.training.loss = Loss::CrossEntropy;
  experiment.training.recompute = c.recompute;
  experiment.record = RecordMode::Off;
  return experiment;
}

VariantConfig variantOf(const ExportedCase& c, const ModelSpec& model) {
  VariantConfig variant;
  variant.name = c.name;
  variant.strategy = c.lanes == 1 ? Strategy::Single : Strategy::Pipeline;
  if (c.lanes == 1) return variant;
  variant.schedule = fromWord<ScheduleKind>(c.schedule).value();
  variant.split_size = c.split;
  std::int64_t macs = 0;
  for (const BlockSpec& block : model.blocks) {
    if (2 * macs >= model.macs()) {
      variant.cuts = {block.name};
      break;
    }
    macs += block.macs;
  }
  return variant;
}

nlohmann::json partsJson(const MemoryParts& parts) {
  return {{"parameters", parts.parameters},   {"gradients", parts.gradients}, {"optimizer", parts.optimizer},
          {"activations", parts.activations}, {"transfers", parts.transfers}, {"workspace", parts.workspace}};
}

void printLane(const std::string& what, std::size_t lane, const LaneForecast& forecast, std::int64_t measured,
               double error) {
  const MemoryParts& p = forecast.at_peak;
  std::printf("%-52s %4zu %9.1f %9.1f %8.2f   %-6s %7.1f %7.1f %7.1f %7.1f %7.1f %7.1f\n", lane ? "" : what.c_str(),
              lane, mebibytes(p.total()), mebibytes(measured), error * 100, toString(forecast.when).c_str(),
              mebibytes(p.parameters), mebibytes(p.gradients), mebibytes(p.optimizer), mebibytes(p.activations),
              mebibytes(p.transfers), mebibytes(p.workspace));
}

/// What is trained, in words and as fields of a row.
struct Described {
  std::string words;
  nlohmann::json fields;
};

Described describe(const MemoryCase& c) {
  return {std::string(c.arch) + " " + std::to_string(c.image) + "px " + std::to_string(c.batch) + "/" +
              std::to_string(c.split) + " " + c.schedule + " " + c.optimizer +
              (c.layout == Layout::Contiguous ? " contiguous" : "") + (c.steps == 1 ? " 1 step" : "") +
              (c.recompute == Recompute::None ? "" : " recompute " + toWord(c.recompute)),
          {{"arch", c.arch},
           {"image", c.image},
           {"batch", c.batch},
           {"split_size", c.split},
           {"schedule", c.schedule},
           {"optimizer", c.optimizer},
           {"layout", toWord(c.layout)},
           {"steps", c.steps},
           {"recompute", jsonOf(c.recompute)}}};
}

Described describe(const ExportedCase& c, const std::string& file) {
  const std::string name = std::filesystem::path(file).stem().string();
  return {name + " " + std::to_string(c.batch) + "/" + std::to_string(c.split) + " " + c.name,
          {{"file", name},
           {"batch", c.batch},
           {"split_size", c.split},
           {"schedule", c.lanes == 1 ? "single" : c.schedule},
           {"recompute", jsonOf(c.recompute)}}};
}

/// Trains each case and compares its lanes.
class Comparison {
 public:
  explicit Comparison(bool print) : m_print(print), m_executor(makeTorchExecutor()) {
    if (!print) return;
    std::printf("%-52s %4s %9s %9s %8s   %-6s %7s %7s %7s %7s %7s %7s\n", "training (batch/split)", "lane", "forecast",
                "measured", "error %", "peak in", "params", "grads", "optim.", "activ.", "transf.", "worksp.");
  }

  template <class Case>
  void add(const Case& c, const Experiment& experiment, const Described& what) {
    const auto given = resolve(experiment);
    const auto resolution = given->with(variantOf(c, given->model()));
    const ResolvedVariant& variant = resolution->variants().front();
    const std::vector<LaneForecast> forecasts = forecastMemory(variant);
    const auto session = valueOf(prepare(*m_executor, variant, experiment.data.steps));
    const RepeatOutcome outcome = session->runRepeat({});
    if (!outcome.failure.ok()) throw std::runtime_error(outcome.failure.error().message);
    for (std::size_t lane = 0; lane < forecasts.size(); ++lane)
      addLane(what, lane, forecasts[lane], outcome.peak_bytes[lane]);
  }

  nlohmann::json result(int worst_goal) {
    std::sort(m_errors.begin(), m_errors.end());
    const std::size_t n = m_errors.size();
    const double median = n % 2 ? m_errors[n / 2] : (m_errors[n / 2 - 1] + m_errors[n / 2]) / 2;
    if (m_print) {
      std::printf("MiB. Over %zu lanes: median error %.2f %%, worst %.2f %% (goal: 5 %% and %d %%).\n", n, median * 100,
                  m_errors.back() * 100, worst_goal);
    }
    return {{"lanes", m_rows}, {"median_error", median}, {"worst_error", m_errors.back()}};
  }

 private:
  void addLane(const Described& what, std::size_t lane, const LaneForecast& forecast, std::int64_t measured) {
    const double error = static_cast<double>(forecast.at_peak.total()) / static_cast<double>(measured) - 1;
    m_errors.push_back(std::abs(error));
    nlohmann::json row = what.fields;
    row.update({{"lane", lane},
                {"forecast_bytes", forecast.at_peak.total()},
                {"parts", partsJson(forecast.at_peak)},
                {"measured_bytes", measured},
                {"error", error}});
    m_rows.push_back(std::move(row));
    if (m_print) printLane(what.words, lane, forecast, measured, error);
  }

  bool m_print;
  std::unique_ptr<Executor> m_executor;
  nlohmann::json m_rows = nlohmann::json::array();
  std::vector<double> m_errors;
};

}  // namespace

nlohmann::json benchMemory(const std::vector<std::string>& files, bool print) {
  constexpr int kWorstGoal = 10, kWorstExportedGoal = 15;
  Comparison comparison(print);
  if (files.empty())
    for (const MemoryCase& c : cases()) comparison.add(c, experimentOf(c), describe(c));
  for (const std::string& file : files)
    for (const ExportedCase& c : kExportedCases) comparison.add(c, experimentOf(c, file), describe(c, file));
  return comparison.result(files.empty() ? kWorstGoal : kWorstExportedGoal);
}

}  // namespace lanelab::bench
