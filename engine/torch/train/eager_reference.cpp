// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/train/eager_reference.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "base/text.h"
#include "engine/exported/archive/eager_step.h"
#include "engine/exported/weight_ties.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/data/exported_inputs.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/nn/scalar_types.h"
#include "engine/torch/train/equality_check.h"

namespace lanelab {
namespace {

constexpr double kSmallestShare = 1e-4;  ///< of the largest norm: below it a gradient is mostly rounding
constexpr double kRoundingMargin = 16;   ///< kernels round more than once for each weight
constexpr double kInputTolerance = 1e-6;
constexpr double kInfinitelyFar = std::numeric_limits<double>::infinity();

std::string wordsOf(EagerStep::LeftOut left_out) {
  switch (left_out) {
    case EagerStep::LeftOut::Random: return "the network draws random numbers";
    case EagerStep::LeftOut::NotFinite: return "its loss or gradients are not finite";
    case EagerStep::LeftOut::TooLarge: return "the network has too many parameters, or the batch is too large";
    case EagerStep::LeftOut::Nothing: break;
  }
  return {};
}

/// "3.1e-07", as Python prints it: most differences are so small.
std::string scientific(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, 1).ptr;
  return {text.data(), end};
}

double absoluteSum(const at::Tensor& values) { return values.to(at::kDouble).abs().sum().item<double>(); }

at::Tensor drawnInput(const EagerStep& step, const ExportedNetwork& network) {
  const ExportedGraph& graph = network.program.graph;
  std::vector<std::int64_t> sizes = network.described.model.input;
  sizes.insert(sizes.begin(), step.batch);
  const at::ScalarType type = torchTypeOf(graph.value(userInput(graph).value).type);
  const at::Generator generator = at::detail::createCPUGenerator(step.seed);
  if (step.ids > 0) return at::randint(step.ids, sizes, generator, at::TensorOptions(type));
  return at::randn(sizes, generator, at::TensorOptions(at::kFloat)).to(type);
}

/// What a step of the imported network gave.
struct ImportedStep {
  double loss = 0;
  std::map<std::string, at::Tensor> gradients;  ///< by the names of slots
};

ImportedStep stepOf(const ExportedInputs& exported, const at::Tensor& input, at::MemoryFormat format) {
  const ModelSpec& model = exported.network->described.model;
  const std::unique_ptr<StageModule> module = wholeModule(exported.modules, model.blocks.size());
  installWeights(module->slots(), exported.weights, at::kCPU, format);
  module->beginMicroBatch(0);
  const at::Tensor x = input.dim() == 4 ? input.contiguous(format) : input;
  const at::Tensor loss = module->forward({x}, /*training=*/true, nullptr).front().square().mean();
  loss.backward();
  ImportedStep step{loss.item<double>(), {}};
  for (const TensorSlot& slot : module->slots())
    if (slot.tensor->grad().defined()) step.gradients.emplace(slot.name, slot.tensor->grad().to(at::kDouble));
  return step;
}

/// Relative to `scale`; what is not a number is infinitely far.
double apart(double found, double wanted, double scale) {
  if (found == wanted) return 0;
  const double difference = std::abs(found - wanted) / scale;
  return std::isnan(difference) ? kInfinitelyFar : difference;
}

class EagerJudge {
 public:
  EagerJudge(const EagerStep& step, const ExportedProgram& program) : m_step(step) {
    const std::map<ValueId, std::string> held = heldNames(program);
    for (const ExportedInput& input : program.graph.inputs) {
      if (input.kind != ExportedInput::Kind::Parameter) continue;
      m_held[input.name] = held.at(input.value);
      if (at::isReducedFloatingType(torchTypeOf(program.tensors.at(input.name).type))) m_tolerance = kCoarseTolerance;
    }
    for (const EagerStep::Gradient& gradient : step.gradients) m_largest = std::max(m_largest, gradient.norm);
  }

  void judge(const ImportedStep& found, EagerComparison& comparison) const {
    const double scale = std::max(std::abs(m_step.loss), sizeMovedBy(m_step.loss_moved));
    note("the loss", apart(found.loss, m_step.loss, scale), comparison);
    for (const EagerStep::Gradient& wanted : m_step.gradients)
      note("the gradient of " + wanted.name, farOff(wanted, found), comparison);
  }

 private:
  double farOff(const EagerStep::Gradient& wanted, const ImportedStep& found) const {
    const auto held = m_held.find(wanted.name);
    const auto gradient = held == m_held.end() ? found.gradients.end() : found.gradients.find(held->second);
    if (gradient == found.gradients.end()) return kInfinitelyFar;
    const at::Tensor& values = gradient->second;
    const double scale = std::max({wanted.norm, kSmallestShare * m_largest, sizeMovedBy(wanted.moved)});
    const double spread = scale * std::sqrt(static_cast<double>(std::max<std::int64_t>(values.numel(), 1)));
    return std::max(apart(at::linalg_vector_norm(values).item<double>(), wanted.norm, scale),
                    apart(values.sum().item<double>(), wanted.sum, spread));
  }

  /// Of what rounding moves so far, the size of which this move is within the tolerance.
  double sizeMovedBy(double moved) const { return kRoundingMargin * moved / m_tolerance; }

  void note(const std::string& what, double difference, EagerComparison& comparison) const {
    comparison.worst_difference = std::max(comparison.worst_difference, difference);
    if (difference <= m_tolerance || !comparison.differs.empty()) return;
    comparison.differs = what;
    comparison.difference_of_that = difference;
  }

  const EagerStep& m_step;
  std::map<std::string, std::string> m_held;  ///< name of the slot, by the name of a parameter
  double m_largest = 0, m_tolerance = kEqualityTolerance;
};

Result<EagerComparison> compared(const EagerStep& step, const Resolution& resolution) {
  EagerComparison comparison{.torch_version = step.torch_version};
  const TrainingConfig& training = resolution.experiment().training;
  const auto exported = loadExported(resolution.network(), training.seed);
  if (!exported.ok()) return exported.error();
  const at::Tensor input = drawnInput(step, *exported->network);
  if (apart(absoluteSum(input), step.input_sum, step.input_sum) > kInputTolerance) {
    comparison.left_out = "its input cannot be drawn again here";
    return comparison;
  }
  const EagerJudge judge(step, exported->network->program);
  comparison.gradients = step.gradients.size();
  std::vector<at::MemoryFormat> formats = {at::MemoryFormat::Contiguous};
  if (const at::MemoryFormat own = imageFormat(training); own != formats.front()) formats.push_back(own);
  for (const at::MemoryFormat format : formats) judge.judge(stepOf(*exported, input, format), comparison);
  return comparison;
}

EagerComparison leftOut(const EagerStep& step, const std::string& why) {
  return {.torch_version = step.torch_version, .left_out = why};
}

}  // namespace

Result<std::optional<EagerComparison>> compareWithEager(const Resolution& resolution) {
  const auto& network = resolution.network();
  if (!network || !network->described.model.imported) return std::optional<EagerComparison>();
  const Result<std::optional<EagerStep>> step = readEagerStep(network->path);
  if (!step.ok()) return step.error();
  if (!*step) return std::optional(leftOut({}, "the file has no numbers of it, which lanelab-cli new-model stores"));
  if (resolution.experiment().model.weights)
    return std::optional(leftOut(**step, "model.weights replaces the weights of the file"));
  if (const std::string why = wordsOf((*step)->left_out); !why.empty()) return std::optional(leftOut(**step, why));
  Result<EagerComparison> comparison = EagerComparison();
  // A thread of its own, whose number of threads is set without touching the caller's.
  std::thread([&] {
    try {
      at::set_num_threads(1);
      comparison = compared(**step, resolution);
    } catch (const std::exception& error) {
      comparison = Error::failed("The network could not be compared with eager PyTorch: {}.", plainMessage(error));
    }
  }).join();
  if (!comparison.ok()) return comparison.error();
  return std::optional(std::move(*comparison));
}

std::string eagerText(const EagerComparison& comparison) {
  const std::string begin =
      "eager PyTorch" + (comparison.torch_version.empty() ? "" : " " + comparison.torch_version) + ": ";
  if (!comparison.left_out.empty()) return begin + "not compared, because " + comparison.left_out;
  if (!comparison.differs.empty())
    return begin + "DIFFERS: " + comparison.differs + " by " + scientific(comparison.difference_of_that) + ", relative";
  const std::string what = "loss and " + counted(static_cast<std::int64_t>(comparison.gradients), "gradient");
  if (comparison.worst_difference == 0) return begin + what + " are equal";
  return begin + what + " within " + scientific(comparison.worst_difference);
}

Status eagerStatus(const EagerComparison& comparison) {
  if (comparison.differs.empty()) return {};
  return Error::failed(
      "{} of the imported network is not that of eager PyTorch {}, which the file has. Export it again "
      "with lanelab-cli new-model.",
      comparison.differs, comparison.torch_version);
}

}  // namespace lanelab
