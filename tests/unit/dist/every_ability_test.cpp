// SPDX-License-Identifier: GPL-3.0-only
// What LaneLab can do with a network, tried on networks of each kind: the table of docs/models-and-training.md holds
// "yes", or the letter of a reason, for each.
#include <ATen/ops/arange.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <sstream>

#include "base/text.h"
#include "engine/dist/run_processes.h"
#include "engine/experiment/resolution.h"
#include "engine/memory/variant_memory.h"
#include "engine/networks/built_network.h"
#include "engine/placement/device_map.h"
#include "engine/torch/files/tensor_file.h"
#include "engine/torch/inference/inference.h"
#include "engine/torch/train/equality_check.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

constexpr const char* kYes = "yes";
constexpr int kBatch = 4;

std::string triedFile(const std::string& network) {
  return std::string(LANELAB_SOURCE_DIR) + "/tests/data/exported/" + network;
}

/// Two lanes of one core, micro-batches of two samples, cut in the middle.
Experiment experimentOn(const std::string& network) {
  Experiment experiment;
  experiment.model = {network, 5};
  experiment.data.shape = network == "toy" ? Shape{10} : network == "linear" ? Shape{3, 4} : Shape{3, 32, 32};
  if (network.ends_with(".pt2")) {
    experiment.model = {.arch = {}, .classes = 0, .file = triedFile(network)};
    experiment.data.shape.clear();
  }
  experiment.data.batch = kBatch;
  experiment.data.steps = 1;
  experiment.training.loss = Loss::Mse;
  experiment.training.lr = 0.001;
  experiment.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}};
  VariantConfig variant;
  variant.name = "Tried";
  variant.strategy = Strategy::Pipeline;
  variant.schedule = ScheduleKind::ZbH1;
  variant.split_size = 2;
  experiment.variants = {variant};
  const auto resolution = resolve(experiment);
  const ModelSpec& model = resolution->model();
  if (model.vocabulary > 0) experiment.training.loss = Loss::CrossEntropy;
  VariantConfig& tried = experiment.variants.front();
  if (model.blocks.size() > 1) {
    tried.cuts = std::vector<std::string>{model.blocks[model.blocks.size() / 2].name};
  } else {
    tried.strategy = Strategy::Single;
    tried.split_size.reset();
    tried.schedule = ScheduleKind::Gpipe;
  }
  return experiment;
}

/// What is refused, by a part of the sentence, and the letter of its reason.
struct Reason {
  const char* letter;
  const char* says;
};
constexpr Reason kReasons[] = {{"a", "keep the ReLU of a batch norm"}};

std::string reasonIn(const std::string& sentence) {
  for (const Reason& reason : kReasons)
    if (sentence.find(reason.says) != std::string::npos) return reason.letter;
  return sentence;
}

/// "yes" if the variants train as plain training does.
std::string trained(const Experiment& experiment) {
  const auto resolution = resolve(experiment);
  if (const Status fine = resolution->trainable(); !fine.ok()) return reasonIn(fine.error().message);
  const Result<EqualityReport> report = checkEquality(*resolution, 1, {}, peersOfLanes());
  if (!report.ok()) return report.error().message;
  const Status equal = equalityStatus(*report);
  return equal.ok() ? kYes : equal.error().message;
}

std::string trainedWith(const std::string& network, const std::function<void(Experiment&)>& change) {
  Experiment experiment = experimentOn(network);
  change(experiment);
  return trained(experiment);
}

/// "yes" if the rule applies somewhere, else the letter.
std::string ruled(const std::string& network, Rule rule, const char* letter) {
  const auto resolution = resolve(experimentOn(network));
  const ExportedNetwork& opened = *resolution->network();
  const auto rules = appliedRules(opened.program.graph, opened.blocks, opened.described.rules);
  return std::ranges::find(rules, rule, &AppliedRule::rule) == rules.end() ? letter : kYes;
}

std::string forecast(const std::string& network) {
  const auto resolution = resolve(experimentOn(network));
  if (!resolution->model().unknown_operators.empty()) return "unknown " + resolution->model().unknown_operators.front();
  const std::vector<LaneForecast> lanes = forecastMemory(resolution->variants().front());
  return lanes.empty() || lanes.front().at_peak.total() == 0 ? "nothing" : kYes;
}

at::Tensor inputsOf(const ModelSpec& model) {
  std::vector<std::int64_t> sizes = {kBatch};
  sizes.insert(sizes.end(), model.input.begin(), model.input.end());
  if (model.vocabulary == 0) return at::rand(sizes);
  return at::arange(kBatch * model.input.front(), at::kLong).remainder(model.vocabulary).reshape(sizes);
}

/// From disk with the logits of memory, and in 8 bits.
std::string inferred(const std::string& network) {
  const auto resolution = resolve(experimentOn(network));
  const test::TemporaryFolder folder;
  const InferenceFiles files = {folder.file("w.safetensors"), folder.file("in.safetensors"),
                                folder.file("out.safetensors")};
  if (const Status written = writeInitialWeights(*resolution->network(), 0, files.weights); !written.ok())
    return written.error().message;
  if (const Status written = writeSafetensors(files.input, {{"inputs", inputsOf(resolution->model())}}); !written.ok())
    return written.error().message;
  at::Tensor logits[2];
  for (const bool from_disk : {false, true}) {
    DeviceMap map;
    map.places[""] = {from_disk ? MapDevice::Kind::Disk : MapDevice::Kind::Cpu, 0};
    const auto report = inferNetwork(resolution->network(), files, map);
    if (!report.ok()) return report.error().message;
    if ((report->offloaded_bytes > 0) != from_disk) return "nothing came from disk";
    logits[from_disk] = readSafetensors(files.out, {"logits"})->at("logits").clone();
  }
  if (!logits[0].equal(logits[1])) return "other logits from disk";
  DeviceMap in_memory;
  in_memory.places[""] = {MapDevice::Kind::Cpu, 0};
  const auto report = inferNetwork(resolution->network(), files, in_memory, /*int8=*/true);
  if (!report.ok()) return report.error().message;
  return report->int8 && report->int8->saved_bytes > 0 ? kYes : "nothing in 8 bits";
}

struct Ability {
  const char* name;  ///< as in the head of the table
  std::function<std::string(const std::string& network)> tried;
};

std::function<std::string(const std::string&)> training(std::function<void(Experiment&)> change) {
  return [change = std::move(change)](const std::string& network) { return trainedWith(network, change); };
}

std::vector<Ability> abilities() {
  return {{"cuts, split backward", training([](Experiment&) {})},
          {"replicas", training([](Experiment& e) {
             VariantConfig& variant = e.variants.front();
             variant.strategy = Strategy::Ddp;
             variant.schedule = ScheduleKind::Gpipe;
             variant.cuts.reset();
             variant.split_size.reset();
           })},
          {"bf16", training([](Experiment& e) { e.training.precision = Precision::Bf16; })},
          {"deferred norm", training([](Experiment& e) { e.training.batch_norm = BatchNormMode::Deferred; })},
          {"stages again", training([](Experiment& e) { e.training.recompute = Recompute::Stage; })},
          {"activations again", training([](Experiment& e) { e.training.recompute = Recompute::Activations; })},
          {"fused norms", [](const std::string& network) { return ruled(network, Rule::FusedNorm, "b"); }},
          {"joined calls",
           [](const std::string& network) {
             const Rule rules[] = {Rule::FusedRmsNorm, Rule::GatedProduct,  Rule::RotaryEmbedding,
                                   Rule::TanhGelu,     Rule::SelfAttention, Rule::JoinedParts};
             const auto applies = [&](Rule rule) { return ruled(network, rule, "e") == kYes; };
             return std::string(std::ranges::any_of(rules, applies) ? kYes : "e");
           }},
          {"products", [](const std::string& network) { return ruled(network, Rule::ConvolutionProduct, "c"); }},
          {"folded linear", [](const std::string& network) { return ruled(network, Rule::FoldedLinear, "d"); }},
          {"memory forecast", forecast},
          {"inference from disk, 8 bits", inferred}};
}

std::vector<std::string> cellsOf(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream words(line);
  for (std::string cell; std::getline(words, cell, '|');) {
    const auto first = cell.find_first_not_of(" `"), last = cell.find_last_not_of(" `");
    if (first != std::string::npos) cells.push_back(cell.substr(first, last - first + 1));
  }
  return cells;
}

/// The rows of the table whose head begins with "Network".
std::vector<std::vector<std::string>> documented() {
  std::istringstream page(test::contentOf(std::string(LANELAB_SOURCE_DIR) + "/docs/models-and-training.md"));
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| Network ") || (!rows.empty() && line.starts_with("|")))
      rows.push_back(cellsOf(line));
    else if (!rows.empty())
      break;
  }
  return rows;
}

TEST(EveryAbility, OfEachNetworkIsWhatTheTableSays) {
  const std::vector<std::vector<std::string>> rows = documented();
  const std::vector<Ability> tried = abilities();
  ASSERT_GT(rows.size(), 10U);
  ASSERT_EQ(rows.front().size(), tried.size() + 1);
  for (std::size_t column = 0; column < tried.size(); ++column) EXPECT_EQ(rows.front()[column + 1], tried[column].name);
  for (std::size_t row = 2; row < rows.size(); ++row) {  // behind the head and its line
    ASSERT_EQ(rows[row].size(), tried.size() + 1) << rows[row].front();
    for (std::size_t column = 0; column < tried.size(); ++column)
      EXPECT_EQ(rows[row][column + 1], tried[column].tried(rows[row].front()))
          << rows[row].front() << ": " << tried[column].name;
  }
}

}  // namespace
}  // namespace lanelab
