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

#include "engine/torch/graph/folded_linear.h"
#include "engine/torch/graph/graph_arguments.h"
#include "engine/torch/graph/nested_graph.h"
#include "engine/torch/nn/random_seed.h"

namespace lanelab {

namespace {

/// The random numbers of one node: the same for the same step, micro-batch and node, wherever the node is computed.
class RandomStream {
 public:
  RandomStream(const OperationOptions& options, std::size_t number)
      : m_generator(options.generator), m_number(mixedSeed(options.stream, number)) {}

  const at::Generator& begin(const GraphPass& pass) {
    m_generator.set_current_seed(mixedSeed(pass.seed, m_number));
    return m_generator;
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
class PlainOperation final : public GraphOperation {
 public:
  PlainOperation(BoxedCall call, RandomStream random)
      : m_call(std::move(call)),
        m_random(std::move(random)),
        m_training(trainingFlag(m_call)),
        m_generator(m_call.placeOf("generator")) {}

  void run(GraphFrame& frame, const GraphPass& pass) override {
    std::array<BoxedCall::Instead, 2> instead;
    std::size_t count = 0;
    if (m_training && !pass.training) instead[count++] = {*m_training, false};
    if (m_generator) instead[count++] = {*m_generator, m_random.begin(pass)};
    m_call.run(frame, std::span(instead.data(), count));
  }

 private:
  BoxedCall m_call;
  RandomStream m_random;
  std::optional<std::size_t> m_training, m_generator;  ///< places of these arguments
};

/// LSTM, GRU and RNN, which are made of products whose kernels depend on whether autograd records them. In a pass that
/// is not recorded they are, and what is recorded goes at once.
class RecurrentOperation final : public GraphOperation {
 public:
  RecurrentOperation(const ExportedNode& node, std::unique_ptr<GraphOperation> call)
      : m_outputs(node.outputs), m_call(std::move(call)) {}

  void run(GraphFrame& frame, const GraphPass& pass) override {
    if (pass.recorded) return m_call->run(frame, pass);
    const c10::impl::LocalDispatchKeySet now = c10::impl::tls_local_dispatch_key_set();
    const c10::impl::ForceDispatchKeyGuard recording(
        now.included_, now.excluded_ - c10::autograd_dispatch_keyset_with_ADInplaceOrView);
    m_call->run(frame, pass);
    for (const auto& output : m_outputs)
      if (output) frame[*output] = frame[*output].toTensor().detach();
  }

 private:
  std::vector<std::optional<ValueId>> m_outputs;
  std::unique_ptr<GraphOperation> m_call;
};

bool isRecurrent(std::string_view name) {
  return name.starts_with("aten.lstm.") || name.starts_with("aten.gru.") || name.starts_with("aten.rnn_");
}

/// view() as reshape(): on a lane, tensors may be laid out in another way than when the graph was exported.
class ViewOperation final : public GraphOperation {
 public:
  explicit ViewOperation(const ExportedNode& node)
      : m_input(requiredValue(node, "self")), m_output(node.outputs.at(0).value()), m_size(argumentOf(node, "size")) {
    if (!m_size) refuseCall(node, "the file lacks its argument \"size\"");
  }

  void run(GraphFrame& frame, const GraphPass&) override {
    frame[m_output] = at::reshape(frame[m_input].toTensor(), integersOf(frame, *m_size));
  }

 private:
  ValueId m_input, m_output;
  const ExportedArgument* m_size;
};

class LinearOperation final : public GraphOperation {
 public:
  explicit LinearOperation(const ExportedNode& node)
      : m_input(requiredValue(node, "input")),
        m_weight(requiredValue(node, "weight")),
        m_bias(valueOr(node, "bias")),
        m_output(node.outputs.at(0).value()) {}

  void run(GraphFrame& frame, const GraphPass&) override {
    frame[m_output] = foldedLinear(frame[m_input].toTensor(), frame[m_weight].toTensor(),
                                   m_bias ? std::optional(frame[*m_bias].toTensor()) : std::nullopt);
  }

 private:
  ValueId m_input, m_weight;
  std::optional<ValueId> m_bias;
  ValueId m_output;
};

/// Noise of stochastic depth, which is divided by its mean: in a pass without training the mean itself, so that what it
/// is multiplied with stays as it is.
class BernoulliOperation final : public GraphOperation {
 public:
  BernoulliOperation(const ExportedNode& node, RandomStream random)
      : m_values(requiredValue(node, "self")),
        m_output(node.outputs.empty() ? std::nullopt : node.outputs.front()),
        m_random(std::move(random)),
        m_p(numberOr(node, "p").value_or(0.5)) {}

  void run(GraphFrame& frame, const GraphPass& pass) override {
    at::Tensor values = frame[m_values].toTensor();
    if (pass.training) {
      values.bernoulli_(m_p, m_random.begin(pass));
    } else {
      values.fill_(m_p);
    }
    if (m_output) frame[*m_output] = std::move(values);
  }

 private:
  ValueId m_values;
  std::optional<ValueId> m_output;
  RandomStream m_random;
  double m_p;
};

class DropoutOperation final : public GraphOperation {
 public:
  DropoutOperation(const ExportedNode& node, RandomStream random, bool whole_channels, bool in_place)
      : m_input(requiredValue(node, in_place ? "self" : "input")),
        m_output(node.outputs.empty() ? std::nullopt : node.outputs.front()),
        m_random(std::move(random)),
        m_p(requiredNumber(node, "p")),
        m_train(flagOr(node, "train", false)),
        m_whole_channels(whole_channels),
        m_in_place(in_place) {}

  /// As _dropout_impl of ATen/native/Dropout.cpp, so that the same numbers give the same bits.
  void run(GraphFrame& frame, const GraphPass& pass) override {
    at::Tensor x = frame[m_input].toTensor();
    if (m_train && pass.training && m_p > 0 && x.numel() > 0) x = dropped(x, pass);
    if (m_output) frame[*m_output] = std::move(x);
  }

 private:
  at::Tensor dropped(at::Tensor& x, const GraphPass& pass) {
    at::Tensor noise = m_whole_channels ? channelNoise(x) : at::empty_like(x);
    if (m_p == 1) {
      noise.zero_();
    } else {
      noise.bernoulli_(1 - m_p, m_random.begin(pass)).div_(1 - m_p);
    }
    return m_in_place ? x.mul_(noise) : x.mul(noise);
  }

  static at::Tensor channelNoise(const at::Tensor& x) {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(x.dim()), 1);
    for (std::size_t i = 0; i < 2 && i < sizes.size(); ++i) sizes[i] = x.size(static_cast<std::int64_t>(i));
    return at::empty(sizes, x.options());
  }

  ValueId m_input;
  std::optional<ValueId> m_output;
  RandomStream m_random;
  double m_p;
  bool m_train, m_whole_channels, m_in_place;
};

/// PyTorch warns of masks that somebody gives, though a generator of one's own leaves no other way.
struct NoWarnings final : c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

/// Attention with dropout: PyTorch's formula with a mask of the lane's own numbers; without it, in a pass that does not
/// train, the plain call.
class DroppingAttention final : public GraphOperation {
 public:
  DroppingAttention(const ExportedNode& node, RandomStream random)
      : m_query(requiredValue(node, "query")),
        m_key(requiredValue(node, "key")),
        m_value(requiredValue(node, "value")),
        m_mask(valueOr(node, "attn_mask")),
        m_output(node.outputs.front()),
        m_random(std::move(random)),
        m_p(requiredNumber(node, "dropout_p")),
        m_causal(flagOr(node, "is_causal", false)),
        m_scale(numberOr(node, "scale")),
        m_grouped(flagOr(node, "enable_gqa", false)) {}

  void run(GraphFrame& frame, const GraphPass& pass) override {
    const at::Tensor query = frame[m_query].toTensor(), key = frame[m_key].toTensor(),
                     value = frame[m_value].toTensor();
    const std::optional<at::Tensor> mask = m_mask ? std::optional(frame[*m_mask].toTensor()) : std::nullopt;
    at::Tensor result;
    if (pass.training) {
      std::vector<std::int64_t> sizes = query.sizes().vec();
      sizes.back() = key.size(-2);
      const at::Tensor kept =
          at::empty(sizes, query.options().dtype(at::kBool)).bernoulli_(1 - m_p, m_random.begin(pass));
      NoWarnings none;
      const c10::WarningUtils::WarningHandlerGuard silent(&none);
      result = std::get<0>(
          at::_scaled_dot_product_attention_math(query, key, value, mask, m_p, m_causal, kept, m_scale, m_grouped));
    } else {
      result = at::scaled_dot_product_attention(query, key, value, mask, 0, m_causal, m_scale, m_grouped);
    }
    if (m_output) frame[*m_output] = std::move(result);
  }

 private:
  ValueId m_query, m_key, m_value;
  std::optional<ValueId> m_mask, m_output;
  RandomStream m_random;
  double m_p;
  bool m_causal;
  std::optional<double> m_scale;
  bool m_grouped;
};

/// What only says what the exporter saw: a lane may have another device and type.
bool isAssertion(std::string_view target) {
  return target == "aten._assert_tensor_metadata.default" || target == "aten._assert_scalar.default" ||
         target == "aten._assert_async.msg" || target == "aten.sym_constrain_range_for_size.default" ||
         target == "aten.sym_constrain_range.default";
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

std::unique_ptr<GraphOperation> operationFor(const ExportedNode& node, std::size_t number,
                                             const OperationOptions& options) {
  if (isAssertion(node.target)) return nullptr;
  if (node.target == "higher_order.wrap_with_set_grad_enabled") return nestedFor(node, number, options);
  RandomStream random(options, number);
  const std::string_view name = node.target;
  if (name == "aten.dropout.default" || name == "aten.dropout_.default")
    return std::make_unique<DropoutOperation>(node, std::move(random), false, name.ends_with("_.default"));
  if (name == "aten.feature_dropout.default" || name == "aten.feature_dropout_.default")
    return std::make_unique<DropoutOperation>(node, std::move(random), true, name.ends_with("_.default"));
  if (name == "aten.scaled_dot_product_attention.default" && numberOr(node, "dropout_p").value_or(0) > 0)
    return std::make_unique<DroppingAttention>(node, std::move(random));
  if (name == "aten.bernoulli_.float") return std::make_unique<BernoulliOperation>(node, std::move(random));
  if (name == "aten.linear.default" && options.rules.has(Rule::FoldedLinear))
    return std::make_unique<LinearOperation>(node);
  if (name == "aten.view.default") return std::make_unique<ViewOperation>(node);
  BoxedCall call(node, options.target);
  const bool draws_in_eval_mode = options.use == GraphUse::Training || !trainingFlag(call);
  if (draws_in_eval_mode && drawsUnseen(node, call)) refuseCall(node, repeatedDraws(node));
  auto plain = std::make_unique<PlainOperation>(std::move(call), std::move(random));
  if (isRecurrent(name)) return std::make_unique<RecurrentOperation>(node, std::move(plain));
  return plain;
}

at::Generator generatorOn(at::Device device) {
  if (device.is_cpu()) return at::detail::createCPUGenerator();
  return at::globalContext().getAcceleratorHooksInterface(device.type()).getNewGenerator(device.index());
}

}  // namespace lanelab
