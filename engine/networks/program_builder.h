// SPDX-License-Identifier: GPL-3.0-only
// Writes a network as the graph that torch.export makes of it in training, call by call, with the initial weights that
// PyTorch's constructors draw.
//
// Each layer is a module with its parameters; modules are in blocks, the outermost level of the graph's module stacks.
// Names, registration order, in-place calls and draws are torchvision's (torchvision/models/resnet.py, v1.5) and those
// of nn.Conv2d, nn.BatchNorm2d and nn.Linear.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/exported/graph/exported_graph.h"
#include "engine/model/shape.h"

namespace lanelab {

/// Without bias, padded by half of the kernel.
struct ConvolutionPlan {
  std::int64_t out = 1, kernel = 1, stride = 1;
};

/// A size that is another number in each pass.
inline constexpr std::int64_t kAnySize = -1;

class ProgramBuilder {
 public:
  /// `sample`: the shape of the user's tensor without the batch.
  ProgramBuilder(const std::string& root_class, const Shape& sample, ScalarKind type = ScalarKind::Float32);

  ValueId user() const { return m_user; }
  /// Of one sample.
  const Shape& shapeOf(ValueId value) const { return m_shapes[value.index()]; }

  /// Calls are in this module, and those that were entered before, until they leave it.
  void enter(const std::string& path, const std::string& class_name) { m_open.push_back({path, class_name}); }
  void leave() { m_open.pop_back(); }
  /// Layers from now on are in this block.
  void beginBlock(const std::string& name, const std::string& class_name);
  /// The module is the next in the order of registration, which layers with weights are when they are called first.
  void registers(const std::string& module) { m_program.modules.push_back(module); }
  /// `module`: its path, before the names of its parameters.
  ValueId convolution(ValueId x, const std::string& module, const ConvolutionPlan& plan);
  ValueId batchNorm(ValueId x, const std::string& module);
  ValueId relu(ValueId x, const std::string& module, bool in_place);
  ValueId maxPool(ValueId x, const std::string& module);      ///< 3x3, stride 2, padding 1
  ValueId averagePool(ValueId x, const std::string& module);  ///< to 1x1
  ValueId flatten(ValueId x);                                 ///< a sample's numbers in one dimension
  /// `prefix`: before "weight" and "bias".
  ValueId linear(ValueId x, const std::string& module, const std::string& prefix, std::int64_t features);
  ValueId addTo(ValueId x, ValueId other);  ///< in place

  /// Any other call, of a module within those that are open. `made`: the result of one sample, of the type of the first
  /// value that is read unless another is given.
  ValueId call(const std::string& target, std::vector<NamedArgument> arguments, const Shape& made,
               const std::string& module = "", const std::string& class_name = "",
               std::optional<ScalarKind> type = std::nullopt);
  ValueId weight(ExportedInput::Kind kind, const std::string& name, const Shape& shape,
                 ScalarKind type = ScalarKind::Float32);
  /// One parameter under two names.
  void tie(const std::string& name, const std::string& first) { m_program.tensors.at(name).record = first; }

  /// `early`: convolutions that the constructor draws before the others of their block, by a part of their path.
  ExportedProgram finish(ValueId output, const std::string& early = "");

 private:
  enum class LayerKind : unsigned char { Convolution, Norm, Linear };
  struct Layer {
    LayerKind kind;
    std::string prefix;  ///< of its parameters
    std::string block;
    Shape weight;
  };

  ValueId value(const Shape& sample, bool batched, ScalarKind type);
  std::vector<WeightDraw> draws(const std::string& early) const;
  void drawConstructor(const Layer& layer, std::vector<WeightDraw>& draws) const;

  ExportedProgram m_program;
  std::vector<Shape> m_shapes;  ///< of each value
  ValueId m_user;
  ModuleStack m_open;
  std::vector<Layer> m_layers;  ///< in the order of registration
};

}  // namespace lanelab
