// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/saved_tensors.h"

#include <algorithm>
#include <string_view>

#include "engine/exported/graph/node_arguments.h"
#include "engine/exported/operators/einsum_call.h"
#include "engine/exported/operators/operator_traits.h"

namespace lanelab {
namespace {

constexpr std::int64_t kStatisticBytes = 4;  ///< means and deviations are float32, also of bfloat16
constexpr std::int64_t kIndexBytes = 8;

/// A call, by the places of its arguments, and what is saved of it.
struct SavingCall {
  const ExportedGraph& graph;
  const ExportedNode& node;
  const SampleSizes& sizes;
  const TensorMemory& memory;
  SavedTensors saved = {};

  std::optional<ValueId> tensor(std::size_t i) const { return tensorAt(graph, node, i); }
  std::optional<ValueId> result(std::size_t i = 0) const {
    return i < node.outputs.size() ? node.outputs[i] : std::nullopt;
  }
  bool follows(ValueId id) const { return memory.gradient[id.index()]; }
  bool follows(std::size_t i) const { return tensor(i) && follows(*tensor(i)); }
  bool isInPlace() const {
    const std::string_view name = operatorName(node.target);
    return outOfPlace(name) != name;
  }
  ScalarKind type(ValueId id) const { return graph.value(id).type; }

  void save(std::optional<ValueId> id) {
    if (id) saved.values.push_back(*id);
  }
  /// A tensor of autograd's own, as large as `like`.
  void saveNew(std::optional<ValueId> like) {
    if (like) saved.made.computed += sizes.bytes(*like);
  }
  /// The tensor itself, or a copy of it.
  void saveOrCopy(std::optional<ValueId> id, bool copies) { copies ? saveNew(id) : save(id); }
  /// In a type of their own.
  void saveOwn(std::int64_t elements, std::int64_t bytes_each) { saved.made.own += elements * bytes_each; }
  /// There is no rule.
  void saveAll() {
    saved.known = false;
    for (const ValueId id : valuesRead(node))
      if (isDifferentiable(graph.value(id).type)) save(id);
    for (const auto& id : node.outputs) save(id);
  }
};

void saveNothing(SavingCall&) {}

/// The argument, or a copy of it if the call overwrites it.
void saveArgument(SavingCall& call, std::size_t i) { call.saveOrCopy(call.tensor(i), call.isInPlace() && i == 0); }

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
  if (call.node.inputs.size() < 2) return;
  for (const ValueId id : valuesIn(call.node.inputs[1].value)) call.save(id);
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
  const Shape shape = call.sizes.wholeShape(*id);
  call.saveOrCopy(id, shape.size() > kept && !call.sizes.canBeViewedAs(*id, asMatrices(shape, kept)));
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
  const std::size_t dimensions_a = call.sizes.wholeShape(*a).size();
  const std::size_t dimensions_b = call.sizes.wholeShape(*b).size();
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
  call.saveOrCopy(id, !call.sizes.canBeGrouped(id, groups));
}

void saveEinsum(SavingCall& call) {
  const std::optional<EinsumCall> einsum = einsumOf(call.graph, call.node, call.sizes);
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
  const Shape shape = call.tensor(0) ? call.sizes.shape(*call.tensor(0)) : Shape();
  if (!shape.empty()) call.saved.made.fixed += 2 * shape.front() * kStatisticBytes;
}

void saveLayerNorm(SavingCall& call) {
  const ExportedArgument* const shape = argumentOf(call.node, "normalized_shape");
  const auto* const sizes = shape ? std::get_if<std::vector<std::int64_t>>(shape) : nullptr;
  const std::int64_t each = sizes ? std::max<std::int64_t>(numbersOf(*sizes), 1) : 1;
  saveNormed(call, call.tensor(0) ? call.sizes.elements(*call.tensor(0)) / each : 0);
}

void saveGroupNorm(SavingCall& call) { saveNormed(call, integerOr(call.node, "num_groups").value_or(0)); }

void saveMaxPool(SavingCall& call) {
  call.save(call.tensor(0));
  if (call.result()) call.saveOwn(call.sizes.elements(*call.result()), kIndexBytes);
}

/// One number for each channel is a mean, which saves nothing.
void saveAdaptivePool(SavingCall& call) {
  const Shape made = call.result() ? call.sizes.wholeShape(*call.result()) : Shape();
  const bool mean = made.size() >= 2 && made[made.size() - 1] == 1 && made[made.size() - 2] == 1;
  if (!mean) saveSelf(call);
}

/// The CPU multiplies by the noise, which it stores in the type of the input.
void saveDropout(SavingCall& call) {
  if (!isView(call.node) || call.isInPlace()) call.saveNew(call.tensor(0));
}

/// Dropout draws a lane's own mask (engine/torch/graph/graph_operation.cpp), which is saved as booleans; then the
/// values are scaled instead of the scores.
void saveAttentionByProducts(SavingCall& call, std::int64_t scores, double share) {
  const std::int64_t bytes = bytesOf(call.type(*call.tensor(0)));
  call.saveNew(call.tensor(0));  // both multiplied by the root of the scale
  call.saveNew(call.tensor(1));
  call.saved.made.computed += scores * bytes;  // of the softmax
  if (share == 0) return saveJoined(call, 2, 2);
  call.saved.made.computed += scores * bytes;  // what is left of it
  call.saveOwn(scores, 1);                     // the mask
  call.saveNew(call.tensor(2));
}

/// With dropout, or gradients of the mask, the CPU has no kernel of its own for it.
void saveAttention(SavingCall& call) {
  const auto query = call.tensor(0), key = call.tensor(1), mask = call.tensor(3);
  if (!query || !key) return;
  const Shape shape = call.sizes.wholeShape(*query), keys = call.sizes.wholeShape(*key);
  if (shape.size() < 2 || shape.back() == 0 || keys.size() < 2) return;
  const std::int64_t queries = call.sizes.elements(*query) / shape.back();
  const double share = numberOr(call.node, "dropout_p").value_or(0);
  if (share > 0 || call.follows(3)) return saveAttentionByProducts(call, queries * keys[keys.size() - 2], share);
  for (const std::size_t i : {0, 1, 2}) call.save(call.tensor(i));
  call.save(call.result());
  call.saveOwn(queries, kStatisticBytes);  // logarithms of sums
  if (mask && call.type(*mask) == ScalarKind::Bool)
    call.saved.made.computed += call.sizes.elements(*mask) * bytesOf(call.type(*query));
  else
    call.save(mask);
}

/// Of oneDNN: inputs, outputs and last states of each layer, and a workspace of about 64 bytes for each number of the
/// hidden state and place of the sequence.
void saveLstm(SavingCall& call) {
  constexpr std::int64_t kWorkspaceBytes = 64;
  const auto input = call.tensor(0);
  const ExportedArgument* const hidden = argumentOf(call.node, "hx");
  const auto* const states = hidden ? std::get_if<std::vector<ValueId>>(hidden) : nullptr;
  const auto layers = integerOr(call.node, "num_layers");
  if (!input || !states || states->empty() || !layers) return;
  const Shape shape = call.sizes.wholeShape(*input), state = call.sizes.wholeShape(states->front());
  if (shape.empty() || state.empty() || shape.back() == 0) return;
  const std::int64_t directions = flagOr(call.node, "bidirectional", false) ? 2 : 1;
  const std::int64_t places = call.sizes.elements(*input) / shape.back(), width = state.back() * directions;
  for (const ValueId id : *states) call.save(id);
  call.saveOrCopy(input, flagOr(call.node, "batch_first", false));
  const std::int64_t joined = directions == 2 ? *layers - 1 : 0;  // both directions, as the input of the next layer
  call.saveOwn(places * width * (*layers + joined) + 2 * width * *layers, kStatisticBytes);
  call.saveOwn(places * width * *layers, kWorkspaceBytes);
}

using SavingRule = OperatorRule<void (*)(SavingCall&)>;

/// Views need no rule.
constexpr SavingRule kSavingRules[] = {
    {saveNothing,
     "add cat ceil clone constant_pad_nd copy cumsum diff fill flip floor lerp lift_fresh_copy "
     "mean neg pad pixel_shuffle pixel_unshuffle repeat repeat_interleave roll round rsub sign "
     "stack sub sum tile tril triu upsample_bilinear2d upsample_nearest2d zero"},
    {saveSelf,
     "abs avg_pool1d avg_pool2d avg_pool3d clamp clamp_max clamp_min cos elu erf gelu glu "
     "hardsigmoid hardswish hardtanh leaky_relu log log10 log1p log2 mish relu6 silu sin softplus "
     "square var"},
    {saveResult, "exp expm1 log_softmax reciprocal relu rsqrt sigmoid softmax sqrt tan tanh"},
    {saveSelfAndResult, "amax amin logsumexp std"},
    {saveBothArguments, "maximum minimum"},
    {saveExtreme, "max min"},
    {saveSelector, "embedding index index_put masked_fill"},
    {saveThirdArgument, "gather index_select"},
    {saveCondition, "where"},
    {saveSecondResult, "sort topk"},
    {saveFactors, "mul"},
    {saveDivision, "div"},
    {savePower, "pow"},
    {saveLinear, "linear"},
    {saveConvolution, "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d convolution"},
    {saveProduct, "bmm mm mv"},
    {saveAddedProduct, "addbmm addmm baddbmm"},
    {saveAnyProduct, "matmul"},
    {saveEinsum, "einsum"},
    {saveBatchNorm, "batch_norm"},
    {saveLayerNorm, "layer_norm"},
    {saveGroupNorm, "group_norm"},
    {saveMaxPool, "max_pool2d"},
    {saveAdaptivePool, "_adaptive_avg_pool2d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d"},
    {saveDropout, "dropout"},
    {saveAttention, "scaled_dot_product_attention"},
    {saveLstm, "lstm"}};

/// Null if there is none.
auto savingRule(const ExportedNode& node) -> decltype(SavingRule::rule) {
  static const auto rules = rulesByName(std::span<const SavingRule>(kSavingRules));
  const auto rule = rules.find(outOfPlace(operatorName(node.target)));
  return rule != rules.end() && node.target.starts_with("aten.") ? rule->second : nullptr;
}

}  // namespace

SavedTensors savedBy(const ExportedGraph& graph, const ExportedNode& node, const SampleSizes& sizes,
                     const TensorMemory& memory) {
  const bool follows =
      std::ranges::any_of(node.outputs, [&](const auto& id) { return id && memory.gradient[id->index()]; });
  if (!follows) return {};
  SavingCall call{graph, node, sizes, memory};
  if (const auto rule = savingRule(node)) {
    rule(call);
  } else if (!isView(node)) {
    call.saveAll();
  }
  return std::move(call.saved);
}

}  // namespace lanelab
