// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/graph_operation.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/ops/_scaled_dot_product_attention_math.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "engine/exported/operators/operator_traits.h"
#include "engine/torch/graph/folded_linear.h"
#include "engine/torch/graph/graph_arguments.h"
#include "engine/torch/graph/int8_linear.h"
#include "engine/torch/graph/nested_graph.h"
#include "engine/torch/nn/random_seed.h"

namespace lanelab {

namespace {

/// The random numbers of one node: the same for the same step, micro-batch and node, wherever the node is computed.
class RandomStream {
 public:
  RandomStream(const OperationOptions& options, std::size_t number)
      : m_generator(options.generator), m_number(mixedSeed(options.stream, number)) {}

  at::Generator begin(const GraphPass& pass) const {
    at::Generator generator = m_generator;
    generator.set_current_seed(mixedSeed(pass.seed, m_number));
    return generator;
  }

 private:
  at::Generator m_generator;
  std::uint64_t m_number;
};

/// The flag of a call that is for training only: an instance norm without running statistics always uses the input's.
std::optional<std::size_t> trainingFlag(const BoxedCall& call) {
  for (const char* flag : {"train", "training"})
    if (const auto place = call.placeOf(flag)) return place;
  return valueOr(call.node(), "running_mean") ? call.placeOf("use_input_stats") : std::nullopt;
}

/// Every other call. One with a flag for training has it cleared in a pass without; one that takes a generator gets the
/// lane's.
GraphOperation plainOperation(BoxedCall call, const RandomStream& random) {
  const std::optional<std::size_t> training = trainingFlag(call), generator = call.placeOf("generator");
  return [call = std::move(call), random, training, generator](GraphFrame& frame, const GraphPass& pass) {
    std::array<BoxedCall::Instead, 2> instead;
    std::size_t count = 0;
    if (training && !pass.training) instead[count++] = {*training, false};
    if (generator) instead[count++] = {*generator, random.begin(pass)};
    call.run(frame, std::span(instead.data(), count));
  };
}

/// LSTM, GRU and RNN, which are made of products whose kernels depend on whether autograd records them. In a pass that
/// is not recorded they are, and what is recorded goes at once.
GraphOperation recurrentOperation(const ExportedNode& node, GraphOperation call) {
  return [outputs = node.outputs, call = std::move(call)](GraphFrame& frame, const GraphPass& pass) {
    if (pass.recorded) return call(frame, pass);
    const c10::impl::LocalDispatchKeySet now = c10::impl::tls_local_dispatch_key_set();
    const c10::impl::ForceDispatchKeyGuard recording(
        now.included_, now.excluded_ - c10::autograd_dispatch_keyset_with_ADInplaceOrView);
    call(frame, pass);
    for (const auto& output : outputs)
      if (output) frame[*output] = frame[*output].toTensor().detach();
  };
}

bool isRecurrent(std::string_view name) {
  return name.starts_with("aten.lstm.") || name.starts_with("aten.gru.") || name.starts_with("aten.rnn_");
}

/// view() as reshape(): on a lane, tensors may be laid out in another way than when the graph was exported.
GraphOperation viewOperation(const ExportedNode& node) {
  const ValueId input = requiredValue(node, "self"), output = node.outputs.at(0).value();
  const ExportedArgument* const size = argumentOf(node, "size");
  if (!size) refuseCall(node, "the file lacks its argument \"size\"");
  return [input, output, size](GraphFrame& frame, const GraphPass&) {
    frame[output] = at::reshape(frame[input].toTensor(), integersOf(frame, *size));
  };
}

GraphOperation linearOperation(const ExportedNode& node) {
  const ValueId input = requiredValue(node, "input"), weight = requiredValue(node, "weight");
  const ValueId output = node.outputs.at(0).value();
  return [input, weight, bias = valueOr(node, "bias"), output](GraphFrame& frame, const GraphPass&) {
    const at::Tensor &x = frame[input].toTensor(), &factor = frame[weight].toTensor();
    const std::optional<at::Tensor> added = bias ? std::optional(frame[*bias].toTensor()) : std::nullopt;
    const at::Tensor scale = frame.scaleOf(weight);
    frame[output] = scale.defined() ? int8Linear(x, {factor, scale}, added) : foldedLinear(x, factor, added);
  };
}

std::optional<ValueId> firstOutput(const ExportedNode& node) {
  return node.outputs.empty() ? std::nullopt : node.outputs.front();
}

/// Noise of stochastic depth, which is divided by its mean: in a pass without training the mean itself, so that what it
/// is multiplied with stays as it is.
GraphOperation bernoulliOperation(const ExportedNode& node, const RandomStream& random) {
  const ValueId input = requiredValue(node, "self");
  const double p = numberOr(node, "p").value_or(0.5);
  return [input, p, random, output = firstOutput(node)](GraphFrame& frame, const GraphPass& pass) {
    at::Tensor values = frame[input].toTensor();
    if (pass.training) {
      values.bernoulli_(p, random.begin(pass));
    } else {
      values.fill_(p);
    }
    if (output) frame[*output] = std::move(values);
  };
}

at::Tensor channelNoise(const at::Tensor& x) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(x.dim()), 1);
  for (std::size_t i = 0; i < 2 && i < sizes.size(); ++i) sizes[i] = x.size(static_cast<std::int64_t>(i));
  return at::empty(sizes, x.options());
}

bool isDropout(std::string_view name) {
  return name == "aten.dropout.default" || name == "aten.dropout_.default" || name == "aten.feature_dropout.default" ||
         name == "aten.feature_dropout_.default";
}

/// As _dropout_impl of ATen/native/Dropout.cpp, so that the same numbers give the same bits.
GraphOperation dropoutOperation(const ExportedNode& node, const RandomStream& random) {
  const bool in_place = node.target.ends_with("_.default"), train = flagOr(node, "train", false);
  const bool whole_channels = node.target.starts_with("aten.feature_");
  const ValueId input = requiredValue(node, in_place ? "self" : "input");
  const double p = requiredNumber(node, "p");
  const auto dropped = [=](at::Tensor& x, const GraphPass& pass) {
    at::Tensor noise = whole_channels ? channelNoise(x) : at::empty_like(x);
    if (p == 1) {
      noise.zero_();
    } else {
      noise.bernoulli_(1 - p, random.begin(pass)).div_(1 - p);
    }
    return in_place ? x.mul_(noise) : x.mul(noise);
  };
  return [=, output = firstOutput(node)](GraphFrame& frame, const GraphPass& pass) {
    at::Tensor x = frame[input].toTensor();
    if (train && pass.training && p > 0 && x.numel() > 0) x = dropped(x, pass);
    if (output) frame[*output] = std::move(x);
  };
}

/// PyTorch warns of masks that somebody gives, though a generator of one's own leaves no other way.
struct NoWarnings final : c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

/// Attention with dropout: PyTorch's formula with a mask of the lane's own numbers; without it, in a pass that does not
/// train, the plain call.
GraphOperation droppingAttention(const ExportedNode& node, const RandomStream& random) {
  const ValueId query_id = requiredValue(node, "query"), key_id = requiredValue(node, "key"),
                value_id = requiredValue(node, "value");
  const std::optional<ValueId> mask_id = valueOr(node, "attn_mask"), output = node.outputs.front();
  const double p = requiredNumber(node, "dropout_p");
  const std::optional<double> scale = numberOr(node, "scale");
  const bool causal = flagOr(node, "is_causal", false), grouped = flagOr(node, "enable_gqa", false);
  return [=](GraphFrame& frame, const GraphPass& pass) {
    const at::Tensor query = frame[query_id].toTensor(), key = frame[key_id].toTensor(),
                     value = frame[value_id].toTensor();
    const std::optional<at::Tensor> mask = mask_id ? std::optional(frame[*mask_id].toTensor()) : std::nullopt;
    at::Tensor result;
    if (pass.training) {
      std::vector<std::int64_t> sizes = query.sizes().vec();
      sizes.back() = key.size(-2);
      const at::Tensor kept = at::empty(sizes, query.options().dtype(at::kBool)).bernoulli_(1 - p, random.begin(pass));
      NoWarnings none;
      const c10::WarningUtils::WarningHandlerGuard silent(&none);
      result =
          std::get<0>(at::_scaled_dot_product_attention_math(query, key, value, mask, p, causal, kept, scale, grouped));
    } else {
      result = at::scaled_dot_product_attention(query, key, value, mask, 0, causal, scale, grouped);
    }
    if (output) frame[*output] = std::move(result);
  };
}

/// Whether a call draws within one kernel that takes no generator.
bool drawsUnseen(const ExportedNode& node, const BoxedCall& call) {
  if (!call.isRandom() || call.placeOf("generator") || node.target == "aten.scaled_dot_product_attention.default")
    return false;
  const std::optional<double> dropout = numberOr(node, "dropout");
  return !dropout || (*dropout > 0 && flagOr(node, "train", false));
}

/// Why such a call cannot be trained, and what to write in its place.
std::string repeatedDraws(const ExportedNode& node) {
  if (argumentOf(node, "dropout") != nullptr)
    return "the dropout between its layers draws numbers that cannot be repeated; set it to 0 and put nn.Dropout "
           "behind "
           "the layer";
  if (argumentOf(node, "train") != nullptr) return "its random numbers cannot be repeated; use nn.Dropout";
  return "its random numbers cannot be repeated; draw them by torch.empty_like(x).normal_() or uniform_()";
}

}  // namespace

GraphOperation operationFor(const ExportedNode& node, std::size_t number, const OperationOptions& options) {
  if (isCheck(node)) return {};
  if (node.target == "higher_order.wrap_with_set_grad_enabled") return nestedFor(node, number, options);
  const RandomStream random(options, number);
  const std::string_view name = node.target;
  if (isDropout(name)) return dropoutOperation(node, random);
  if (name == "aten.scaled_dot_product_attention.default" && numberOr(node, "dropout_p").value_or(0) > 0)
    return droppingAttention(node, random);
  if (name == "aten.bernoulli_.float") return bernoulliOperation(node, random);
  if (name == "aten.linear.default" && options.rules.has(Rule::FoldedLinear)) return linearOperation(node);
  if (name == "aten.view.default") return viewOperation(node);
  BoxedCall call(node, options.target);
  const bool draws_in_eval_mode = options.use == GraphUse::Training || !trainingFlag(call);
  if (draws_in_eval_mode && drawsUnseen(node, call)) refuseCall(node, repeatedDraws(node));
  GraphOperation plain = plainOperation(std::move(call), random);
  return isRecurrent(name) ? recurrentOperation(node, std::move(plain)) : plain;
}

at::Generator generatorOn(at::Device device) {
  if (device.is_cpu()) return at::detail::createCPUGenerator();
  return at::globalContext().getAcceleratorHooksInterface(device.type()).getNewGenerator(device.index());
}

}  // namespace lanelab
