// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/saved_tensors.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/exported/einsum_call.h"
#include "engine/exported/operator_traits.h"

namespace lanelab {
namespace {

constexpr std::int64_t kStatisticBytes = 4;  ///< means and deviations are float32, also of bfloat16
constexpr std::int64_t kIndexBytes = 8;

/// A call, by the places of its arguments, and what is saved of it.
class SavingCall {
 public:
  SavingCall(const ExportedGraph& graph, const ExportedNode& node, const SampleSizes& sizes, const TensorMemory& memory)
      : m_graph(graph), m_node(node), m_sizes(sizes), m_memory(memory) {}

  SavedTensors saved;

  std::optional<ValueId> tensor(std::size_t i) const {
    const auto* const id = i < m_node.inputs.size() ? std::get_if<ValueId>(&m_node.inputs[i].value) : nullptr;
    return id && m_graph.value(*id).kind == ExportedValue::Kind::Tensor ? std::optional(*id) : std::nullopt;
  }
  std::optional<ValueId> result(std::size_t i = 0) const {
    return i < m_node.outputs.size() ? m_node.outputs[i] : std::nullopt;
  }
  bool follows(ValueId id) const { return m_memory.gradient[id.index()]; }
  bool follows(std::size_t i) const { return tensor(i) && follows(*tensor(i)); }
  bool isInPlace() const {
    const std::string_view name = operatorName(m_node.target);
    return name.ends_with('_') && !name.ends_with("__");
  }
  /// The number that an argument has, or `otherwise`.
  double number(std::string_view name, double otherwise) const {
    const ExportedArgument* const argument = argumentOf(m_node, name);
    const auto* const value = argument ? std::get_if<double>(argument) : nullptr;
    return value ? *value : otherwise;
  }
  const ExportedGraph& graph() const { return m_graph; }
  const ExportedNode& node() const { return m_node; }
  const SampleSizes& sizes() const { return m_sizes; }
  ScalarKind type(ValueId id) const { return m_graph.value(id).type; }

  void save(std::optional<ValueId> id) {
    if (id) saved.values.push_back(*id);
  }
  /// A tensor of autograd's own, as large as `like`.
  void saveNew(std::optional<ValueId> like) {
    if (like) saved.made.computed += m_sizes.bytes(*like);
  }
  /// In a type of their own.
  void saveOwn(std::int64_t elements, std::int64_t bytes_each) { saved.made.own += elements * bytes_each; }
  /// There is no rule.
  void saveAll() {
    saved.known = false;
    for (const ValueId id : valuesRead(m_node))
      if (isDifferentiable(m_graph.value(id).type)) save(id);
    for (const auto& id : m_node.outputs) save(id);
  }

 private:
  const ExportedGraph& m_graph;
  const ExportedNode& m_node;
  const SampleSizes& m_sizes;
  const TensorMemory& m_memory;
};

void saveNothing(SavingCall&) {}

/// The argument, or a copy of it if the call overwrites it.
void saveArgument(SavingCall& call, std::size_t i) {
  if (call.isInPlace() && i == 0) {
    call.saveNew(call.tensor(0));
  } else {
    call.save(call.tensor(i));
  }
}

void saveSelf(SavingCall& call) {
  if (call.follows(0)) saveArgument(call, 0);
}

void saveResult(SavingCall& call) { call.save(call.result()); }

void saveSelfAndResult(SavingCall& call) {
  saveSelf(call);
  saveResult(call);
}

/// min(a, b) and the like.
void saveBothArguments(SavingCall& call) {
  saveArgument(call, 0);
  saveArgument(call, 1);
}

/// max(dim) and the like have indices besides.
void saveExtreme(SavingCall& call) {
  if (call.result(1)) {
    call.save(call.result(1));
  } else if (call.tensor(1)) {
    saveBothArguments(call);
  } else {
    saveSelfAndResult(call);
  }
}

/// The mask or the indices, which are argument 1; those of index() are a list.
void saveSelector(SavingCall& call) {
  call.save(call.tensor(1));
  if (call.node().inputs.size() < 2) return;
  const ExportedArgument& indices = call.node().inputs[1].value;
  if (const auto* list = std::get_if<std::vector<ValueId>>(&indices))
    for (const ValueId id : *list) call.save(id);
  if (const auto* list = std::get_if<std::vector<std::optional<ValueId>>>(&indices))
    for (const auto& id : *list) call.save(id);
}

void saveThirdArgument(SavingCall& call) { call.save(call.tensor(2)); }
void saveCondition(SavingCall& call) { call.save(call.tensor(0)); }
void saveSecondResult(SavingCall& call) { call.save(call.result(1)); }

void saveFactors(SavingCall& call) {
  if (call.follows(0)) call.save(call.tensor(1));
  if (call.follows(1)) saveArgument(call, 0);
}

void saveDivision(SavingCall& call) {
  call.save(call.tensor(1));
  if (call.follows(1)) saveArgument(call, 0);
}

void savePower(SavingCall& call) {
  saveSelf(call);
  call.save(call.tensor(1));
  if (call.follows(1)) call.save(call.result());
}

/// The shape with all but the last `kept` sizes as one.
Shape asMatrices(const Shape& shape, std::size_t kept) {
  Shape joined = {1};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i + kept < shape.size()) {
      joined.front() *= shape[i];
    } else {
      joined.push_back(shape[i]);
    }
  }
  return joined;
}

/// A factor whose leading sizes a product joins: as it is, or a copy if its strides do not allow this.
void saveJoined(SavingCall& call, std::size_t i, std::size_t kept) {
  const std::optional<ValueId> id = call.tensor(i);
  if (!id) return;
  const Shape shape = call.sizes().wholeShape(*id);
  if (shape.size() <= kept || call.sizes().canBeViewedAs(*id, asMatrices(shape, kept))) {
    call.save(*id);
  } else {
    call.saveNew(id);
  }
}

/// x W^T + b, where the leading sizes of x are joined.
void saveLinear(SavingCall& call) {
  if (call.follows(1)) saveJoined(call, 0, 1);
  if (call.follows(0)) call.save(call.tensor(1));
}

void saveConvolution(SavingCall& call) {
  if (call.follows(1)) call.save(call.tensor(0));
  if (call.follows(0)) call.save(call.tensor(1));
}

void saveMatrices(SavingCall& call, std::size_t a, std::size_t b) {
  if (call.follows(b)) call.save(call.tensor(a));
  if (call.follows(a)) call.save(call.tensor(b));
}
void saveProduct(SavingCall& call) { saveMatrices(call, 0, 1); }
void saveAddedProduct(SavingCall& call) { saveMatrices(call, 1, 2); }

/// Of tensors of any dimensions: products of matrices, whose leading sizes are joined.
void saveAnyProduct(SavingCall& call) {
  const auto a = call.tensor(0), b = call.tensor(1);
  if (!a || !b) return;
  const std::size_t dimensions_a = call.sizes().wholeShape(*a).size();
  const std::size_t dimensions_b = call.sizes().wholeShape(*b).size();
  const bool batches = dimensions_a > 2 && dimensions_b > 2;
  if (call.follows(1)) saveJoined(call, 0, batches ? 2 : 1);
  if (call.follows(0)) saveJoined(call, 1, batches ? 2 : 1);
}

/// An operand of a product of matrices whose labels are joined in three groups: as it is, or a copy.
void saveEinsumOperand(SavingCall& call, const EinsumCall& einsum, std::size_t i) {
  std::vector<std::vector<std::size_t>> groups;
  for (const std::string& labels :
       {einsum.labelsOf(i, /*shared=*/true, /*kept=*/true), einsum.labelsOf(i, /*shared=*/false, /*kept=*/true),
        einsum.labelsOf(i, /*shared=*/true, /*kept=*/false)}) {
    std::vector<std::size_t>& group = groups.emplace_back();
    for (const char label : labels) group.push_back(einsum.labels[i].find(label));
  }
  const ValueId id = einsum.operands[i];
  if (call.sizes().canBeGrouped(id, groups)) {
    call.save(id);
  } else {
    call.saveNew(id);
  }
}

void saveEinsum(SavingCall& call) {
  const std::optional<EinsumCall> einsum = einsumOf(call.graph(), call.node(), call.sizes());
  if (einsum && einsum->operands.size() == 1) return;  // a view, a diagonal or a sum
  if (!einsum || einsum->operands.size() > 2 || einsum->sumsAlone()) return call.saveAll();
  const bool sums = !einsum->labelsOf(0, /*shared=*/true, /*kept=*/false).empty();
  for (const std::size_t i : {0, 1}) {
    if (!call.follows(einsum->operands[1 - i])) continue;
    if (sums) {
      saveEinsumOperand(call, *einsum, i);
    } else {
      call.save(einsum->operands[i]);
    }
  }
}

/// Argument 0 and a mean and deviation for each of its groups.
void saveNormed(SavingCall& call, std::int64_t groups) {
  call.save(call.tensor(0));
  call.saveOwn(2 * groups, kStatisticBytes);
}

/// Of all samples together.
void saveBatchNorm(SavingCall& call) {
  saveNormed(call, 0);
  const Shape shape = call.tensor(0) ? call.sizes().shape(*call.tensor(0)) : Shape();
  if (!shape.empty()) call.saved.made.fixed += 2 * shape.front() * kStatisticBytes;
}

void saveLayerNorm(SavingCall& call) {
  const ExportedArgument* const shape = argumentOf(call.node(), "normalized_shape");
  const auto* const sizes = shape ? std::get_if<std::vector<std::int64_t>>(shape) : nullptr;
  const std::int64_t each = sizes ? std::max<std::int64_t>(numbersOf(*sizes), 1) : 1;
  saveNormed(call, call.tensor(0) ? call.sizes().elements(*call.tensor(0)) / each : 0);
}

void saveGroupNorm(SavingCall& call) {
  const ExportedArgument* const groups = argumentOf(call.node(), "num_groups");
  const auto* const count = groups ? std::get_if<std::int64_t>(groups) : nullptr;
  saveNormed(call, count ? *count : 0);
}

void saveMaxPool(SavingCall& call) {
  call.save(call.tensor(0));
  if (call.result()) call.saveOwn(call.sizes().elements(*call.result()), kIndexBytes);
}

/// One number for each channel is a mean, which saves nothing.
void saveAdaptivePool(SavingCall& call) {
  const Shape made = call.result() ? call.sizes().wholeShape(*call.result()) : Shape();
  const bool mean = made.size() >= 2 && made[made.size() - 1] == 1 && made[made.size() - 2] == 1;
  if (!mean) saveSelf(call);
}

/// The CPU multiplies by the noise, which it stores in the type of the input.
void saveDropout(SavingCall& call) {
  if (!isView(call.node()) || call.isInPlace()) call.saveNew(call.tensor(0));
}

/// A value that a product of matrices reads: joined, or a copy.
void saveHeads(SavingCall& call, std::size_t i) { saveJoined(call, i, 2); }

/// Dropout draws a lane's own mask (engine/torch/graph/graph_operation.cpp), which is saved as booleans; then the
/// values are scaled instead of the scores.
void saveAttentionByProducts(SavingCall& call, std::int64_t scores, double share) {
  const std::int64_t bytes = bytesOf(call.type(*call.tensor(0)));
  call.saveNew(call.tensor(0));  // both multiplied by the root of the scale
  call.saveNew(call.tensor(1));
  call.saved.made.computed += scores * bytes;  // of the softmax
  if (share == 0) return saveHeads(call, 2);
  call.saved.made.computed += scores * bytes;  // what is left of it
  call.saveOwn(scores, 1);                     // the mask
  call.saveNew(call.tensor(2));
}

/// With dropout, or gradients of the mask, the CPU has no kernel of its own for it.
void saveAttention(SavingCall& call) {
  const auto query = call.tensor(0), key = call.tensor(1), mask = call.tensor(3);
  if (!query || !key) return;
  const Shape shape = call.sizes().wholeShape(*query), keys = call.sizes().wholeShape(*key);
  if (shape.size() < 2 || shape.back() == 0 || keys.size() < 2) return;
  const std::int64_t queries = call.sizes().elements(*query) / shape.back();
  const double share = call.number("dropout_p", 0);
  if (share > 0 || call.follows(3)) return saveAttentionByProducts(call, queries * keys[keys.size() - 2], share);
  for (const std::size_t i : {0, 1, 2}) call.save(call.tensor(i));
  call.save(call.result());
  call.saveOwn(queries, kStatisticBytes);  // logarithms of sums
  if (mask && call.type(*mask) == ScalarKind::Bool)
    call.saved.made.computed += call.sizes().elements(*mask) * bytesOf(call.type(*query));
  else
    call.save(mask);
}

bool isSet(const ExportedNode& node, std::string_view name) {
  const ExportedArgument* const argument = argumentOf(node, name);
  const auto* const flag = argument ? std::get_if<bool>(argument) : nullptr;
  return flag && *flag;
}

/// Of oneDNN: inputs, outputs and last states of each layer, and a workspace of about 64 bytes for each number of the
/// hidden state and place of the sequence.
void saveLstm(SavingCall& call) {
  constexpr std::int64_t kWorkspaceBytes = 64;
  const auto input = call.tensor(0);
  const ExportedArgument* const hidden = argumentOf(call.node(), "hx");
  const ExportedArgument* const count = argumentOf(call.node(), "num_layers");
  const auto* const states = hidden ? std::get_if<std::vector<ValueId>>(hidden) : nullptr;
  const auto* const layers = count ? std::get_if<std::int64_t>(count) : nullptr;
  if (!input || !states || states->empty() || !layers) return;
  const Shape shape = call.sizes().wholeShape(*input), state = call.sizes().wholeShape(states->front());
  if (shape.empty() || state.empty() || shape.back() == 0) return;
  const std::int64_t directions = isSet(call.node(), "bidirectional") ? 2 : 1;
  const std::int64_t places = call.sizes().elements(*input) / shape.back(), width = state.back() * directions;
  for (const ValueId id : *states) call.save(id);
  if (isSet(call.node(), "batch_first")) {
    call.saveNew(input);
  } else {
    call.save(input);
  }
  const std::int64_t joined = directions == 2 ? *layers - 1 : 0;  // both directions, as the input of the next layer
  call.saveOwn(places * width * (*layers + joined) + 2 * width * *layers, kStatisticBytes);
  call.saveOwn(places * width * *layers, kWorkspaceBytes);
}

struct SavingRule {
  std::string_view name;  ///< without "_" of calls in place
  void (*save)(SavingCall&);
};

/// Sorted by name. Views need no rule.
constexpr std::array kSavingRules = {SavingRule{"_adaptive_avg_pool2d", saveAdaptivePool},
                                     SavingRule{"abs", saveSelf},
                                     SavingRule{"adaptive_avg_pool1d", saveAdaptivePool},
                                     SavingRule{"adaptive_avg_pool2d", saveAdaptivePool},
                                     SavingRule{"adaptive_avg_pool3d", saveAdaptivePool},
                                     SavingRule{"add", saveNothing},
                                     SavingRule{"addbmm", saveAddedProduct},
                                     SavingRule{"addmm", saveAddedProduct},
                                     SavingRule{"amax", saveSelfAndResult},
                                     SavingRule{"amin", saveSelfAndResult},
                                     SavingRule{"avg_pool1d", saveSelf},
                                     SavingRule{"avg_pool2d", saveSelf},
                                     SavingRule{"avg_pool3d", saveSelf},
                                     SavingRule{"baddbmm", saveAddedProduct},
                                     SavingRule{"batch_norm", saveBatchNorm},
                                     SavingRule{"bmm", saveProduct},
                                     SavingRule{"cat", saveNothing},
                                     SavingRule{"ceil", saveNothing},
                                     SavingRule{"clamp", saveSelf},
                                     SavingRule{"clamp_max", saveSelf},
                                     SavingRule{"clamp_min", saveSelf},
                                     SavingRule{"clone", saveNothing},
                                     SavingRule{"constant_pad_nd", saveNothing},
                                     SavingRule{"conv1d", saveConvolution},
                                     SavingRule{"conv2d", saveConvolution},
                                     SavingRule{"conv3d", saveConvolution},
                                     SavingRule{"conv_transpose1d", saveConvolution},
                                     SavingRule{"conv_transpose2d", saveConvolution},
                                     SavingRule{"conv_transpose3d", saveConvolution},
                                     SavingRule{"convolution", saveConvolution},
                                     SavingRule{"copy", saveNothing},
                                     SavingRule{"cos", saveSelf},
                                     SavingRule{"cumsum", saveNothing},
                                     SavingRule{"diff", saveNothing},
                                     SavingRule{"div", saveDivision},
                                     SavingRule{"dropout", saveDropout},
                                     SavingRule{"einsum", saveEinsum},
                                     SavingRule{"elu", saveSelf},
                                     SavingRule{"embedding", saveSelector},
                                     SavingRule{"erf", saveSelf},
                                     SavingRule{"exp", saveResult},
                                     SavingRule{"expm1", saveResult},
                                     SavingRule{"fill", saveNothing},
                                     SavingRule{"flip", saveNothing},
                                     SavingRule{"floor", saveNothing},
                                     SavingRule{"gather", saveThirdArgument},
                                     SavingRule{"gelu", saveSelf},
                                     SavingRule{"glu", saveSelf},
                                     SavingRule{"group_norm", saveGroupNorm},
                                     SavingRule{"hardsigmoid", saveSelf},
                                     SavingRule{"hardswish", saveSelf},
                                     SavingRule{"hardtanh", saveSelf},
                                     SavingRule{"index", saveSelector},
                                     SavingRule{"index_put", saveSelector},
                                     SavingRule{"index_select", saveThirdArgument},
                                     SavingRule{"layer_norm", saveLayerNorm},
                                     SavingRule{"leaky_relu", saveSelf},
                                     SavingRule{"lerp", saveNothing},
                                     SavingRule{"lift_fresh_copy", saveNothing},
                                     SavingRule{"linear", saveLinear},
                                     SavingRule{"log", saveSelf},
                                     SavingRule{"log10", saveSelf},
                                     SavingRule{"log1p", saveSelf},
                                     SavingRule{"log2", saveSelf},
                                     SavingRule{"log_softmax", saveResult},
                                     SavingRule{"logsumexp", saveSelfAndResult},
                                     SavingRule{"lstm", saveLstm},
                                     SavingRule{"masked_fill", saveSelector},
                                     SavingRule{"matmul", saveAnyProduct},
                                     SavingRule{"max", saveExtreme},
                                     SavingRule{"max_pool2d", saveMaxPool},
                                     SavingRule{"maximum", saveBothArguments},
                                     SavingRule{"mean", saveNothing},
                                     SavingRule{"min", saveExtreme},
                                     SavingRule{"minimum", saveBothArguments},
                                     SavingRule{"mish", saveSelf},
                                     SavingRule{"mm", saveProduct},
                                     SavingRule{"mul", saveFactors},
                                     SavingRule{"mv", saveProduct},
                                     SavingRule{"neg", saveNothing},
                                     SavingRule{"pad", saveNothing},
                                     SavingRule{"pixel_shuffle", saveNothing},
                                     SavingRule{"pixel_unshuffle", saveNothing},
                                     SavingRule{"pow", savePower},
                                     SavingRule{"reciprocal", saveResult},
                                     SavingRule{"relu", saveResult},
                                     SavingRule{"relu6", saveSelf},
                                     SavingRule{"repeat", saveNothing},
                                     SavingRule{"repeat_interleave", saveNothing},
                                     SavingRule{"roll", saveNothing},
                                     SavingRule{"round", saveNothing},
                                     SavingRule{"rsqrt", saveResult},
                                     SavingRule{"rsub", saveNothing},
                                     SavingRule{"scaled_dot_product_attention", saveAttention},
                                     SavingRule{"sigmoid", saveResult},
                                     SavingRule{"sign", saveNothing},
                                     SavingRule{"silu", saveSelf},
                                     SavingRule{"sin", saveSelf},
                                     SavingRule{"softmax", saveResult},
                                     SavingRule{"softplus", saveSelf},
                                     SavingRule{"sort", saveSecondResult},
                                     SavingRule{"sqrt", saveResult},
                                     SavingRule{"square", saveSelf},
                                     SavingRule{"stack", saveNothing},
                                     SavingRule{"std", saveSelfAndResult},
                                     SavingRule{"sub", saveNothing},
                                     SavingRule{"sum", saveNothing},
                                     SavingRule{"tan", saveResult},
                                     SavingRule{"tanh", saveResult},
                                     SavingRule{"tile", saveNothing},
                                     SavingRule{"topk", saveSecondResult},
                                     SavingRule{"tril", saveNothing},
                                     SavingRule{"triu", saveNothing},
                                     SavingRule{"upsample_bilinear2d", saveNothing},
                                     SavingRule{"upsample_nearest2d", saveNothing},
                                     SavingRule{"var", saveSelf},
                                     SavingRule{"where", saveCondition},
                                     SavingRule{"zero", saveNothing}};
static_assert(std::ranges::is_sorted(kSavingRules, {}, &SavingRule::name));

const SavingRule* savingRule(const ExportedNode& node) {
  if (!node.target.starts_with("aten.")) return nullptr;
  std::string_view name = operatorName(node.target);
  if (name.ends_with('_') && !name.ends_with("__")) name.remove_suffix(1);
  const auto* const rule = std::ranges::lower_bound(kSavingRules, name, {}, &SavingRule::name);
  return rule != kSavingRules.end() && rule->name == name ? rule : nullptr;
}

}  // namespace

SavedTensors savedBy(const ExportedGraph& graph, const ExportedNode& node, const SampleSizes& sizes,
                     const TensorMemory& memory) {
  const bool follows =
      std::ranges::any_of(node.outputs, [&](const auto& id) { return id && memory.gradient[id->index()]; });
  if (!follows) return {};
  SavingCall call(graph, node, sizes, memory);
  if (const SavingRule* const rule = savingRule(node)) {
    rule->save(call);
  } else if (!isView(node)) {
    call.saveAll();
  }
  return std::move(call.saved);
}

}  // namespace lanelab
