// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/operators/operator_traits.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/text.h"
#include "engine/exported/graph/node_arguments.h"

namespace lanelab {
namespace {

constexpr std::array<std::string_view, 5> kNorms = {"aten.batch_norm.default", "aten.layer_norm.default",
                                                    "aten.group_norm.default", "aten.instance_norm.default",
                                                    "aten.rms_norm.default"};

/// Those that copy sometimes are among them.
constexpr std::string_view kViews =
    "_conj _neg_view _reshape_alias _unsafe_view adjoint alias align_to as_strided as_tensor atleast_1d "
    "atleast_2d atleast_3d broadcast_tensors broadcast_to ccol_indices chunk coalesce col_indices conj "
    "contiguous cpu crow_indices cuda detach diagonal dsplit einsum expand expand_as flatten hsplit imag "
    "indices lift_fresh linalg_diagonal mH mT matrix_H meshgrid moveaxis movedim narrow numpy_T permute "
    "pin_memory positive ravel real refine_names rename requires_grad_ reshape reshape_as resolve_conj "
    "resolve_neg row_indices select slice slice_inverse split split_with_sizes squeeze swapaxes swapdims t "
    "tensor_split to transpose type_as unbind unflatten unfold unsafe_chunk unsafe_split unsqueeze values view "
    "view_as view_as_complex view_as_real vsplit";

constexpr std::array<std::string_view, 5> kRandomBegins = {"rand", "normal", "bernoulli", "multinomial", "rrelu"};
constexpr std::array<std::string_view, 12> kRandomNames = {
    "alpha_dropout", "dropout", "feature_alpha_dropout", "feature_dropout", "native_dropout", "poisson",
    "binomial",      "uniform", "exponential",           "cauchy",          "geometric",      "log_normal"};
/// Operators that are known here, and functions of Python that torch.export uses for numbers.
constexpr std::array<std::string_view, 7> kKnownNamespaces = {"aten.",     "prims.", "_operator.", "higher_order.",
                                                              "builtins.", "math.",  "torch."};

bool holds(const auto& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

/// "__iand__", but not "__and__".
bool isInPlaceDunder(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames = {"__iand__", "__ior__", "__ixor__", "__ilshift__", "__irshift__"};
  return holds(kNames, name);
}

bool isInPlaceName(std::string_view name) { return isInPlaceDunder(name) || outOfPlace(name) != name; }

/// No number changes: torch.tensor() in forward() is exported as a constant and detach_ on it.
bool changesGradientOnly(std::string_view name) { return name == "detach_" || name == "requires_grad_"; }

bool isPositive(const ExportedNode& node, std::string_view argument) {
  return numberOr(node, argument).value_or(0) > 0;
}

/// Norms that update running means if they train.
bool updatesRunningMeans(const ExportedNode& node, std::string_view name) {
  if (name == "instance_norm") return flagOr(node, "use_input_stats", false);
  if (name == "_batch_norm_with_update" || name == "_native_batch_norm_legit") return true;
  return name.ends_with("batch_norm") && flagOr(node, "training", false);
}

/// Dropout that drops nothing returns its input.
bool dropsNothing(const ExportedNode& node, std::string_view name) {
  return name == "dropout" && (numberOr(node, "p") == 0 || !flagOr(node, "train", false));
}

}  // namespace

std::string_view operatorName(std::string_view target) {
  const std::size_t first = target.find('.');
  if (first == std::string_view::npos) return target;
  const std::string_view rest = target.substr(first + 1);
  return rest.substr(0, rest.find('.'));
}

std::string_view outOfPlace(std::string_view name) {
  return name.ends_with('_') && !name.ends_with("__") ? name.substr(0, name.size() - 1) : name;
}

std::vector<std::string_view> sortedWords(std::string_view text) {
  std::vector<std::string_view> words = partsBetween(text, " ");
  std::ranges::sort(words);
  return words;
}

std::optional<ValueId> tensorAt(const ExportedGraph& graph, const ExportedNode& node, std::size_t i) {
  const auto* const id = i < node.inputs.size() ? std::get_if<ValueId>(&node.inputs[i].value) : nullptr;
  return id && graph.value(*id).kind == ExportedValue::Kind::Tensor ? std::optional(*id) : std::nullopt;
}

bool isView(const ExportedNode& node) {
  static const std::vector<std::string_view> views = sortedWords(kViews);
  const std::string_view name = operatorName(node.target);
  return std::ranges::binary_search(views, name) || isInPlaceName(name) || dropsNothing(node, name);
}

std::vector<ValueId> valuesWritten(const ExportedNode& node) {
  std::vector<ValueId> written;
  const auto add = [&](const ExportedArgument* argument) {
    if (argument) std::ranges::copy(valuesIn(*argument), std::back_inserter(written));
  };
  const std::string_view name = operatorName(node.target);
  if (isInPlaceName(name) && !changesGradientOnly(name) && !node.inputs.empty()) add(&node.inputs.front().value);
  if (updatesRunningMeans(node, name)) {
    add(argumentOf(node, "running_mean"));
    add(argumentOf(node, "running_var"));
  }
  add(argumentOf(node, "out"));
  if (outOfPlace(name) == "rrelu_with_noise") add(argumentOf(node, "noise"));
  return written;
}

bool isRandom(const ExportedNode& node) {
  const std::string_view name = operatorName(node.target);
  const auto begins = [&](std::string_view begin) { return name.starts_with(begin); };
  const auto is_in = [&](std::string_view space) { return node.target.starts_with(space); };
  if (std::ranges::none_of(kKnownNamespaces, is_in)) return true;
  if (isPositive(node, "dropout_p") || isPositive(node, "dropout")) return true;
  if (dropsNothing(node, name)) return false;
  return std::ranges::any_of(kRandomBegins, begins) || name == "random_" || holds(kRandomNames, outOfPlace(name));
}

bool isCheck(const ExportedNode& node) {
  const std::string_view name = operatorName(node.target);
  return node.outputs.empty() && (name.starts_with("_assert") || name.starts_with("sym_constrain"));
}

std::set<ValueId> normParameters(const ExportedGraph& graph) {
  std::set<ValueId> parameters;
  for (const ExportedNode& node : graph.nodes) {
    if (std::ranges::find(kNorms, node.target) == kNorms.end()) continue;
    for (const char* argument : {"weight", "bias"})
      if (const auto value = valueOr(node, argument)) parameters.insert(*value);
  }
  return parameters;
}

const ExportedGraph* nestedGraph(const ExportedNode& node) {
  for (const NamedArgument& input : node.inputs)
    if (const auto* graph = std::get_if<std::shared_ptr<const ExportedGraph>>(&input.value)) return graph->get();
  return nullptr;
}

}  // namespace lanelab
