// SPDX-License-Identifier: GPL-3.0-only
#include "engine/networks/program_builder.h"

#include <algorithm>
#include <cmath>

#include "engine/exported/graph/size_expression.h"

namespace lanelab {
namespace {

constexpr const char *kBatch = "s0", *kAny = "s1";
constexpr double kMomentum = 0.1, kEpsilon = 1e-5;  // of nn.BatchNorm2d

using Integers = std::vector<std::int64_t>;

std::int64_t strided(std::int64_t size, std::int64_t kernel, std::int64_t stride) {
  return (size + 2 * (kernel / 2) - kernel) / stride + 1;
}

Integers contiguousStrides(const Shape& sizes) {
  Integers strides(sizes.size(), 1);
  for (std::size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * std::max<std::int64_t>(sizes[i], 1);
  return strides;
}

SizeExpression symbol(const std::string& name) { return SizeExpression::parse("Symbol('" + name + "')").value(); }

/// Of the numbers that one output is computed from.
std::int64_t fanIn(const Shape& weight) { return numbersOf(weight) / weight.front(); }

WeightDraw constant(const std::string& record, std::int64_t elements, double value,
                    ScalarKind type = ScalarKind::Float32) {
  return {record, elements, type, WeightDraw::Rule::Constant, value, 0, 0, 0};
}

WeightDraw uniform(const std::string& record, std::int64_t elements, double bound) {
  return {record, elements, ScalarKind::Float32, WeightDraw::Rule::Uniform, 0, 0, -bound, bound};
}

/// kaiming_uniform_ with a = sqrt(5), the default of nn.Conv2d and nn.Linear; the expressions are PyTorch's, so that
/// rounding agrees.
double defaultBound(std::int64_t fan_in) {
  const double a = std::sqrt(5.0);
  const double gain = std::sqrt(2.0 / (1 + a * a));
  return std::sqrt(3.0) * (gain / std::sqrt(static_cast<double>(fan_in)));
}

/// kaiming_normal_ with mode fan_out and nonlinearity relu.
WeightDraw kaimingNormal(const std::string& record, const Shape& weight) {
  const auto fan_out = static_cast<double>(weight[0] * weight[2] * weight[3]);
  return {record,
          numbersOf(weight),
          ScalarKind::Float32,
          WeightDraw::Rule::Normal,
          0,
          std::sqrt(2.0) / std::sqrt(fan_out),
          0,
          0};
}

}  // namespace

ProgramBuilder::ProgramBuilder(const std::string& root_class, const Shape& sample, ScalarKind type)
    : m_open{{"", root_class}} {
  m_program.batch_symbol = kBatch;
  m_program.torch_version = "unknown";
  m_user = value(sample, /*batched=*/true, type);
  m_program.graph.inputs.push_back({ExportedInput::Kind::User, m_program.graph.value(m_user).name, m_user});
}

void ProgramBuilder::beginBlock(const std::string& name, const std::string& class_name) {
  m_open.resize(1);
  enter(name, class_name);
}

ValueId ProgramBuilder::value(const Shape& sample, bool batched, ScalarKind type) {
  ExportedGraph& graph = m_program.graph;
  ExportedValue made;
  made.name = "v" + std::to_string(graph.values.size());
  made.type = type;
  if (batched) made.sizes.push_back(symbol(kBatch));
  for (const std::int64_t size : sample) made.sizes.push_back(size == kAnySize ? symbol(kAny) : SizeExpression(size));
  Shape whole = sample;
  if (batched) whole.insert(whole.begin(), 1);
  const Integers strides = contiguousStrides(whole);
  made.strides.assign(strides.begin(), strides.end());
  graph.values.push_back(std::move(made));
  m_shapes.push_back(sample);
  return ValueId(graph.values.size() - 1);
}

ValueId ProgramBuilder::weight(ExportedInput::Kind kind, const std::string& name, const Shape& shape, ScalarKind type) {
  const ValueId id = value(shape, /*batched=*/false, type);
  m_program.graph.inputs.push_back({kind, name, id});
  m_program.tensors[name] = {name, type, shape, contiguousStrides(shape), 0};
  return id;
}

ValueId ProgramBuilder::call(const std::string& target, std::vector<NamedArgument> arguments, const Shape& made,
                             const std::string& module, const std::string& class_name, std::optional<ScalarKind> type) {
  ExportedNode node;
  node.target = target;
  node.inputs = std::move(arguments);
  if (!type) type = m_program.graph.value(valuesRead(node).front()).type;
  const ValueId output = value(made, /*batched=*/!made.empty(), *type);
  node.name = m_program.graph.value(output).name;
  node.outputs = {output};
  ModuleStack stack = m_open;
  if (!module.empty() && module != m_open.back().path) stack.push_back({module, class_name});
  node.modules = std::make_shared<const ModuleStack>(std::move(stack));
  m_program.graph.nodes.push_back(std::move(node));
  return output;
}

ValueId ProgramBuilder::convolution(ValueId x, const std::string& module, const ConvolutionPlan& plan) {
  const Shape& from = shapeOf(x);
  const Shape kernel = {plan.out, from[0], plan.kernel, plan.kernel};
  registers(module);
  m_layers.push_back({LayerKind::Convolution, module + ".", m_open.back().path, kernel});
  const Shape to = {plan.out, strided(from[1], plan.kernel, plan.stride), strided(from[2], plan.kernel, plan.stride)};
  const std::int64_t pad = plan.kernel / 2;
  return call("aten.conv2d.default",
              {{"input", x},
               {"weight", weight(ExportedInput::Kind::Parameter, module + ".weight", kernel)},
               {"bias", NoArgument{}},
               {"stride", Integers{plan.stride, plan.stride}},
               {"padding", Integers{pad, pad}}},
              to, module, "Conv2d");
}

ValueId ProgramBuilder::batchNorm(ValueId x, const std::string& module) {
  const Shape made = shapeOf(x), channels = {made[0]};
  using Kind = ExportedInput::Kind;
  const ValueId scale = weight(Kind::Parameter, module + ".weight", channels),
                offset = weight(Kind::Parameter, module + ".bias", channels),
                mean = weight(Kind::Buffer, module + ".running_mean", channels),
                variance = weight(Kind::Buffer, module + ".running_var", channels),
                count = weight(Kind::Buffer, module + ".num_batches_tracked", {}, ScalarKind::Int64);
  registers(module);
  m_layers.push_back({LayerKind::Norm, module + ".", m_open.back().path, channels});
  call("aten.add_.Tensor", {{"self", count}, {"other", std::int64_t{1}}}, {}, module, "BatchNorm2d");
  // No cuDNN: its channels_last kernel is a persistent one that stalls when lanes share the multiprocessors
  // (pytorch#80259).
  return call("aten.batch_norm.default",
              {{"input", x},
               {"weight", scale},
               {"bias", offset},
               {"running_mean", mean},
               {"running_var", variance},
               {"training", true},
               {"momentum", kMomentum},
               {"eps", kEpsilon},
               {"cudnn_enabled", false}},
              made, module, "BatchNorm2d");
}

ValueId ProgramBuilder::relu(ValueId x, const std::string& module, bool in_place) {
  const Shape made = shapeOf(x);
  return call(in_place ? "aten.relu_.default" : "aten.relu.default", {{"self", x}}, made, module, "ReLU");
}

ValueId ProgramBuilder::maxPool(ValueId x, const std::string& module) {
  registers(module);
  const Shape& from = shapeOf(x);
  const Shape made = {from[0], strided(from[1], 3, 2), strided(from[2], 3, 2)};
  return call("aten.max_pool2d.default",
              {{"self", x}, {"kernel_size", Integers{3, 3}}, {"stride", Integers{2, 2}}, {"padding", Integers{1, 1}}},
              made, module, "MaxPool2d");
}

ValueId ProgramBuilder::averagePool(ValueId x, const std::string& module) {
  registers(module);
  const Shape made = {shapeOf(x)[0], 1, 1};
  return call("aten.adaptive_avg_pool2d.default", {{"self", x}, {"output_size", Integers{1, 1}}}, made, module,
              "AdaptiveAvgPool2d");
}

ValueId ProgramBuilder::flatten(ValueId x) {
  const Shape made = {numbersOf(shapeOf(x))};
  return call("aten.flatten.using_ints", {{"self", x}, {"start_dim", std::int64_t{1}}}, made, "", "");
}

ValueId ProgramBuilder::linear(ValueId x, const std::string& module, const std::string& prefix, std::int64_t features) {
  if (!prefix.empty()) registers(module);  // else it is the root
  const Shape shape = {features, shapeOf(x)[0]};
  m_layers.push_back({LayerKind::Linear, prefix, m_open.back().path, shape});
  return call("aten.linear.default",
              {{"input", x},
               {"weight", weight(ExportedInput::Kind::Parameter, prefix + "weight", shape)},
               {"bias", weight(ExportedInput::Kind::Parameter, prefix + "bias", {features})}},
              {features}, module, "Linear");
}

ValueId ProgramBuilder::addTo(ValueId x, ValueId other) {
  const Shape made = shapeOf(x);
  return call("aten.add_.Tensor", {{"self", x}, {"other", other}}, made, "", "");
}

ExportedProgram ProgramBuilder::finish(ValueId output, const std::string& early) {
  m_program.graph.outputs = {output};
  m_program.draws = draws(early);
  return std::move(m_program);
}

void ProgramBuilder::drawConstructor(const Layer& layer, std::vector<WeightDraw>& all) const {
  const std::int64_t numbers = numbersOf(layer.weight);
  switch (layer.kind) {
    case LayerKind::Convolution: all.push_back(uniform("", numbers, defaultBound(fanIn(layer.weight)))); break;
    case LayerKind::Linear:
      all.push_back(uniform(layer.prefix + "weight", numbers, defaultBound(fanIn(layer.weight))));
      all.push_back(
          uniform(layer.prefix + "bias", layer.weight[0], 1 / std::sqrt(static_cast<double>(fanIn(layer.weight)))));
      break;
    case LayerKind::Norm:
      for (const auto& [name, value] :
           {std::pair{"weight", 1.0}, {"bias", 0.0}, {"running_mean", 0.0}, {"running_var", 1.0}})
        all.push_back(constant(layer.prefix + name, numbers, value));
      all.push_back(constant(layer.prefix + "num_batches_tracked", 1, 0, ScalarKind::Int64));
  }
}

/// The constructors' draws block by block, then those of ResNet's constructor for all convolutions.
std::vector<WeightDraw> ProgramBuilder::draws(const std::string& early) const {
  std::vector<WeightDraw> all;
  for (std::size_t begin = 0; begin < m_layers.size();) {
    std::size_t end = begin;
    while (end < m_layers.size() && m_layers[end].block == m_layers[begin].block) ++end;
    for (const bool now_early : {true, false})
      for (std::size_t i = begin; i < end; ++i)
        if ((m_layers[i].prefix.find(early) != std::string::npos) == now_early) drawConstructor(m_layers[i], all);
    begin = end;
  }
  for (const Layer& layer : m_layers)
    if (layer.kind == LayerKind::Convolution) all.push_back(kaimingNormal(layer.prefix + "weight", layer.weight));
  return all;
}

}  // namespace lanelab
