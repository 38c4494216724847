// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/boxed_call.h"

#include <ATen/ScalarOps.h>
#include <ATen/core/List.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/jit_type.h>

#include <stdexcept>
#include <type_traits>
#include <utility>

#include "engine/exported/operators/allowed_operators.h"
#include "engine/exported/operators/operator_traits.h"
#include "engine/torch/graph/graph_arguments.h"
#include "engine/torch/nn/scalar_types.h"

namespace lanelab {

namespace {

c10::TypePtr withoutOptional(const c10::TypePtr& type) {
  const auto optional = type->cast<c10::OptionalType>();
  return optional ? optional->getElementType() : type;
}

/// The overload of an operator that draws random numbers which takes a generator, so that they can be repeated; the
/// operator itself if there is none.
c10::OperatorHandle withGenerator(const c10::OperatorHandle& drawing) {
  if (!drawing.hasTag(at::Tag::nondeterministic_seeded) || drawing.schema().argumentIndexWithName("generator"))
    return drawing;
  const std::string& overload = drawing.schema().overload_name();
  for (const std::string& other :
       {overload.empty() ? std::string("generator") : overload + "_generator", std::string("low_generator_dtype")}) {
    const auto found = c10::Dispatcher::singleton().findSchema({drawing.schema().name(), other});
    if (found && found->schema().arguments().size() == drawing.schema().arguments().size() + 1) return *found;
  }
  return drawing;
}

/// "aten.conv2d.default" -> aten::conv2d, no overload.
c10::OperatorHandle operatorOf(const ExportedNode& node) {
  const std::size_t first = node.target.find('.'), last = node.target.rfind('.');
  if (first == std::string::npos || first == last) refuseCall(node, "this operator exists in Python only");
  const std::string overload = node.target.substr(last + 1);
  const c10::OperatorName name(node.target.substr(0, first) + "::" + node.target.substr(first + 1, last - first - 1),
                               overload == "default" ? "" : overload);
  const auto found = c10::Dispatcher::singleton().findSchema(name);
  if (!found) refuseCall(node, "this operator exists in Python only");
  if (!isAllowedOperator(operatorName(node.target))) refuseCall(node, "LaneLab does not run this operator");
  return withGenerator(*found);
}

/// What a call may write to besides its first argument: running statistics of norms, and the noise that rrelu returns.
bool mayBeWritten(const std::string& argument) {
  return argument == "running_mean" || argument == "running_var" || argument == "noise";
}

bool isWritten(const c10::Argument& formal) { return formal.alias_info() && formal.alias_info()->isWrite(); }

/// The list of allowed operators has names; here is what an overload of them may do.
void refuseForeignMemory(const ExportedNode& node, const c10::FunctionSchema& schema) {
  const bool in_place = operatorName(node.target).ends_with('_');
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::Argument& formal = schema.arguments()[i];
    const auto kind = withoutOptional(formal.type())->kind();
    if (kind == c10::TypeKind::StorageType || kind == c10::TypeKind::StreamObjType)
      refuseCall(node, "its argument \"" + formal.name() + "\" is not a tensor or a number");
    if (isWritten(formal) && !(i == 0 && in_place) && !mayBeWritten(formal.name()))
      refuseCall(node, "it writes to its argument \"" + formal.name() + "\"; use the operator that returns its result");
  }
}

bool isTensor(const c10::Argument& formal) {
  return withoutOptional(formal.type())->kind() == c10::TypeKind::TensorType;
}

template <class T>
constexpr bool kHasValues =
    std::is_same_v<T, ValueId> || std::is_same_v<T, std::vector<ValueId>> ||
    std::is_same_v<T, std::vector<std::optional<ValueId>>> || std::is_same_v<T, std::vector<IntArgument>>;

bool hasValues(const ExportedArgument& argument) {
  return std::visit([](const auto& given) { return kHasValues<std::decay_t<decltype(given)>>; }, argument);
}

/// As Python's operators pass a number where a tensor goes: it decides the type of the result no more than a number
/// does.
c10::IValue wrappedNumber(const c10::IValue& number) {
  at::Tensor tensor = c10::scalar_to_tensor(number.toScalar());
  tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}

std::vector<std::int64_t> intsOf(GraphFrame& frame, const std::vector<IntArgument>& given) {
  std::vector<std::int64_t> list;
  list.reserve(given.size());
  for (const IntArgument& each : given) {
    const auto* const value = std::get_if<ValueId>(&each);
    list.push_back(value ? frame[*value].toInt() : std::get<std::int64_t>(each));
  }
  return list;
}

c10::IValue filledFrom(GraphFrame& frame, const ExportedArgument& argument) {
  if (const auto* const value = std::get_if<ValueId>(&argument)) return frame[*value];
  if (const auto* const ints = std::get_if<std::vector<IntArgument>>(&argument)) return intsOf(frame, *ints);
  if (const auto* const all = std::get_if<std::vector<ValueId>>(&argument)) {
    c10::List<at::Tensor> list;
    list.reserve(all->size());
    for (const ValueId value : *all) list.push_back(frame[value].toTensor());
    return list;
  }
  c10::List<std::optional<at::Tensor>> list;
  for (const auto& value : std::get<std::vector<std::optional<ValueId>>>(argument))
    list.push_back(value ? std::optional(frame[*value].toTensor()) : std::nullopt);
  return list;
}

at::Layout layoutOf(int layout) {
  constexpr int kStrided = 7;
  if (layout != kStrided) throw std::runtime_error("a layout other than strided");
  return at::kStrided;
}

at::MemoryFormat memoryFormatOf(int format) {
  switch (format) {
    case 1: return at::MemoryFormat::Contiguous;
    case 2: return at::MemoryFormat::ChannelsLast;
    case 3: return at::MemoryFormat::ChannelsLast3d;
    default: return at::MemoryFormat::Preserve;
  }
}

}  // namespace

std::vector<std::int64_t> integersOf(GraphFrame& frame, const ExportedArgument& argument) {
  if (const auto* const mixed = std::get_if<std::vector<IntArgument>>(&argument)) return intsOf(frame, *mixed);
  const auto* const constant = std::get_if<std::vector<std::int64_t>>(&argument);
  return constant ? *constant : std::vector<std::int64_t>();
}

BoxedCall::BoxedCall(const ExportedNode& node, const CallTarget& target)
    : m_node(&node), m_target(target), m_operator(operatorOf(node)) {
  const auto& formals = schema().arguments();
  refuseForeignMemory(node, schema());
  m_stack.reserve(formals.size());
  for (const c10::Argument& formal : formals) m_stack.push_back(formal.default_value().value_or(c10::IValue()));
  std::vector<bool> given(formals.size());
  for (const NamedArgument& argument : node.inputs) {
    const std::optional<std::size_t> place = placeOf(argument.name);
    if (!place) refuseCall(node, "PyTorch's operator has no argument \"" + argument.name + "\"");
    given[*place] = true;
    if (hasValues(argument.value)) {
      m_filled.push_back({*place, &argument.value, isTensor(formals[*place])});
    } else {
      m_stack[*place] = constantOf(formals[*place], argument.value);
    }
  }
  for (std::size_t i = 0; i < formals.size(); ++i) {
    if (!given[i] && !formals[i].default_value() && formals[i].name() != "generator")
      refuseCall(node, "the file lacks its argument \"" + formals[i].name() + "\"");
  }
}

std::optional<std::size_t> BoxedCall::placeOf(const std::string& argument) const {
  const std::optional<int> place = schema().argumentIndexWithName(argument);
  return place ? std::optional(static_cast<std::size_t>(*place)) : std::nullopt;
}

c10::IValue BoxedCall::constantOf(const c10::Argument& formal, const ExportedArgument& given) const {
  const c10::TypePtr type = withoutOptional(formal.type());
  const bool floating = type->kind() == c10::TypeKind::FloatType;
  return std::visit(
      [&](const auto& value) -> c10::IValue {
        using T = std::decay_t<decltype(value)>;
        constexpr bool kIsNumber =
            std::is_same_v<T, std::int64_t> || std::is_same_v<T, double> || std::is_same_v<T, bool>;
        if constexpr (kIsNumber) {
          if (isTensor(formal)) return wrappedNumber(value);
        }
        if constexpr (std::is_same_v<T, NoArgument>) {
          return {};
        } else if constexpr (std::is_same_v<T, std::int64_t>) {
          return floating ? c10::IValue(static_cast<double>(value)) : c10::IValue(value);
        } else if constexpr (kIsNumber || std::is_same_v<T, std::string> ||
                             std::is_same_v<T, std::vector<std::int64_t>> || std::is_same_v<T, std::vector<double>> ||
                             std::is_same_v<T, std::vector<std::string>>) {
          return c10::IValue(value);
        } else if constexpr (std::is_same_v<T, std::vector<bool>>) {
          c10::List<bool> list;
          for (const bool each : value) list.push_back(each);
          return list;
        } else if constexpr (std::is_same_v<T, ComplexArgument>) {
          return c10::complex<double>(value.real, value.imaginary);
        } else if constexpr (std::is_same_v<T, ScalarTypeArgument>) {
          return static_cast<std::int64_t>(torchTypeOf(value.type));
        } else if constexpr (std::is_same_v<T, DeviceArgument>) {
          return m_target.device;
        } else if constexpr (std::is_same_v<T, LayoutArgument>) {
          return static_cast<std::int64_t>(layoutOf(value.layout));
        } else if constexpr (std::is_same_v<T, MemoryFormatArgument>) {
          return static_cast<std::int64_t>(memoryFormatOf(value.format));
        } else {
          refuseCall(*m_node, "its argument \"" + formal.name() + "\" is not a constant");
        }
      },
      given);
}

void BoxedCall::run(GraphFrame& frame, std::span<const Instead> instead) const {
  torch::jit::Stack& stack = frame.stack;
  stack.assign(m_stack.begin(), m_stack.end());
  for (const Filled& filled : m_filled) {
    c10::IValue& place = stack[filled.place] = filledFrom(frame, *filled.argument);
    if (filled.is_tensor && place.isScalar()) place = wrappedNumber(place);
  }
  for (const Instead& each : instead) stack[each.place] = each.value;
  m_operator.callBoxed(stack);
  keepOutputs(frame);
  stack.clear();
}

void BoxedCall::keepOutputs(GraphFrame& frame) const {
  const auto keep = [&](std::size_t i, c10::IValue value) {
    if (i < m_node->outputs.size() && m_node->outputs[i]) frame[*m_node->outputs[i]] = std::move(value);
  };
  if (m_node->output_list) {
    const c10::List<at::Tensor> list = frame.stack.front().toTensorList();
    for (std::size_t i = 0; i < list.size(); ++i) keep(i, list.get(i));
    return;
  }
  for (std::size_t i = 0; i < frame.stack.size(); ++i) keep(i, std::move(frame.stack[i]));
}

}  // namespace lanelab
