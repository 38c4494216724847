// SPDX-License-Identifier: GPL-3.0-only
// A network as torch.export has it: a list of ATen calls on numbered values, with shapes, module paths and names of its
// weights. Values only: nothing is run and no weight is read here.
//
// Format: torch/_export/serde/schema.py (schema major 8), models/model.json of a .pt2 archive. Thread: plain values.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "engine/exported/graph/scalar_kind.h"
#include "engine/exported/graph/size_expression.h"
#include "engine/model/shape.h"

namespace lanelab {

struct ExportedGraph;

using ValueId = Id<struct ExportedValueTag>;  ///< place in ExportedGraph::values

struct ExportedValue {
  enum class Kind : unsigned char { Tensor, Int, Float, Bool };
  std::string name;  ///< as in the file: "conv2d_1"
  Kind kind = Kind::Tensor;
  ScalarKind type = ScalarKind::Float32;  ///< Tensor
  std::vector<SizeExpression> sizes;      ///< Tensor
  std::vector<SizeExpression> strides;    ///< Tensor, in elements, when it was exported: one for each size
  std::optional<SizeExpression> size;     ///< Int: its value, if the file has it
};

/// Static arguments are constants of the call; values and symbolic sizes differ from call to call.
struct NoArgument {
  bool operator==(const NoArgument&) const = default;
};
struct ScalarTypeArgument {
  ScalarKind type = ScalarKind::Float32;
  bool operator==(const ScalarTypeArgument&) const = default;
};
struct DeviceArgument {
  std::string type;  ///< "cpu", "cuda"
  std::optional<int> index;
  bool operator==(const DeviceArgument&) const = default;
};
struct LayoutArgument {
  int layout = 7;  ///< as in the schema: 7 is strided
  bool operator==(const LayoutArgument&) const = default;
};
struct MemoryFormatArgument {
  int format = 1;  ///< as in the schema: 1 is contiguous, 2 channels last, 3 channels last 3d, 4 preserve
  bool operator==(const MemoryFormatArgument&) const = default;
};
struct ComplexArgument {
  double real = 0, imaginary = 0;
  bool operator==(const ComplexArgument&) const = default;
};
using IntArgument = std::variant<std::int64_t, ValueId>;  ///< as_sym_ints mixes both
using ExportedArgument =
    std::variant<NoArgument, ValueId, std::vector<ValueId>, std::vector<std::optional<ValueId>>, std::int64_t,
                 std::vector<std::int64_t>, std::vector<IntArgument>, double, std::vector<double>, bool,
                 std::vector<bool>, std::string, std::vector<std::string>, ComplexArgument, ScalarTypeArgument,
                 DeviceArgument, LayoutArgument, MemoryFormatArgument,
                 std::shared_ptr<const ExportedGraph>>;  ///< the last: a nested graph, whose inputs are the call's
                                                         ///< arguments behind it

struct NamedArgument {
  std::string name;  ///< of the operator's schema; "" in calls of higher-order operators
  ExportedArgument value;
};

struct ModuleCall {
  std::string path;        ///< "layer1.0"; "" for the root
  std::string class_name;  ///< last part of the class's name: "Bottleneck"
  bool operator==(const ModuleCall&) const = default;
};
/// The root and each module down to the innermost. Modules that are not called (ModuleList) have no entry.
using ModuleStack = std::vector<ModuleCall>;

struct ExportedNode {
  std::string name;    ///< as in the file: "conv2d_1"
  std::string target;  ///< "aten.conv2d.default", "higher_order.wrap_with_set_grad_enabled", "_operator.mul"
  std::vector<NamedArgument> inputs;
  std::vector<std::optional<ValueId>> outputs;  ///< flat; a tensor list is its elements: see `output_list`
  bool output_list = false;                     ///< the call returns one list of tensors (split, chunk, unbind)
  std::shared_ptr<const ModuleStack> modules;   ///< never null; empty if the file does not have it; shared by nodes
  std::string source;  ///< innermost line that is not PyTorch's own: "resnet.py:92", for errors; "" if unknown

  /// Dotted path of the innermost module: "layer1.0.conv1"; "" for the root.
  std::string module() const { return modules->empty() ? std::string() : modules->back().path; }
};

struct ExportedInput {
  enum class Kind : unsigned char { Parameter, Buffer, Constant, User };
  Kind kind = Kind::User;
  std::string name;  ///< Parameter, Buffer, Constant: dotted name, as in state_dict(); User: the value's
  ValueId value;
  bool persistent = true;  ///< Buffer: state_dict() has it
  bool trained = true;  ///< Parameter: requires_grad; the others are frozen: gradients pass, and they stay as they are
};

/// Values are in the order in which they are made: inputs first, then outputs of nodes.
struct ExportedGraph {
  std::vector<ExportedValue> values;
  std::vector<ExportedNode> nodes;
  std::vector<ExportedInput> inputs;  ///< of a nested graph: User
  std::vector<ValueId> outputs;       ///< of the user; at least one

  const ExportedValue& value(ValueId id) const { return values[id.index()]; }
};

/// Bytes of a weight or constant: a strided view of a record of the archive, which it does not leave, or of one that is
/// drawn.
struct ExportedTensor {
  std::string record;  ///< name in the archive; tied parameters have the same record, offset, sizes and strides
  ScalarKind type = ScalarKind::Float32;
  std::vector<std::int64_t> sizes, strides;  ///< strides in elements
  std::int64_t offset = 0;                   ///< in elements

  std::int64_t elements() const { return numbersOf(sizes); }
  auto operator<=>(const ExportedTensor&) const = default;
};

/// One use of the generator that gives a network its initial weights (weight_recipe.h).
struct WeightDraw {
  enum class Rule : unsigned char { Constant, Normal, TruncatedNormal, Uniform };
  std::string record;         ///< that it fills, as in ExportedTensor; "": what is drawn is dropped
  std::int64_t elements = 0;  ///< as many numbers
  ScalarKind type = ScalarKind::Float32;
  Rule rule = Rule::Constant;
  double mean = 0, deviation = 0;  ///< Normal, TruncatedNormal; Constant: the mean is its value
  double low = 0, high = 0;        ///< TruncatedNormal, Uniform
};

constexpr std::array<Word<WeightDraw::Rule>, 4> wordTable(WeightDraw::Rule) {
  return {{{WeightDraw::Rule::Constant, "constant"},
           {WeightDraw::Rule::Normal, "normal"},
           {WeightDraw::Rule::TruncatedNormal, "truncated_normal"},
           {WeightDraw::Rule::Uniform, "uniform"}}};
}

struct ExportedProgram {
  ExportedGraph graph;
  std::map<std::string, ExportedTensor> tensors;  ///< by name of parameter, buffer or constant
  std::vector<WeightDraw> draws;                  ///< of records that are not in the archive, in order; mostly none
  std::vector<std::string> modules;               ///< paths of all modules, called or not, in the order of registration
  std::string torch_version;                      ///< that wrote it: "2.11.0+cu130"; "unknown" in old files
  std::string batch_symbol;                       ///< size 0 of the user's input; "" for a static batch
  std::int64_t static_batch = 0;                  ///< if there is no symbol
  std::int64_t least_batch = 1, most_batch = 0;   ///< by range_constraints; most 0: not limited
};

/// Each value in an argument, in its order; none of those within a nested graph.
std::vector<ValueId> valuesIn(const ExportedArgument& argument);
/// Those of all arguments of a call, in their order, also twice.
std::vector<ValueId> valuesRead(const ExportedNode& node);
/// Null if the call has no such argument.
const ExportedArgument* argumentOf(const ExportedNode& node, std::string_view name);
/// The one input of the user; a program that was read has it.
const ExportedInput& userInput(const ExportedGraph& graph);

}  // namespace lanelab
