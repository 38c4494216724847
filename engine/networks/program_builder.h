// SPDX-License-Identifier: GPL-3.0-only
// Writes a network as the graph that torch.export makes of it in training, call by call, with the initial weights that
// PyTorch's constructors draw.
//
// Each layer is a module with its parameters; modules are in blocks, the outermost level of the graph's module stacks.
// Names, registration order, in-place calls and draws are torchvision's (torchvision/models/resnet.py, v1.5) and those
// of nn.Conv2d, nn.BatchNorm2d and nn.Linear.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/exported/graph/exported_graph.h"
#include "engine/model/shape.h"

namespace lanelab {

/// Without bias, padded by half of the kernel.
struct ConvolutionPlan {
  std::int64_t out = 1, kernel = 1, stride = 1;
};

class ProgramBuilder {
 public:
  /// `sample`: the shape of the user's tensor without the batch.
  ProgramBuilder(std::string root_class, const Shape& sample);

  ValueId user() const { return m_user; }
  /// Of one sample.
  const Shape& shapeOf(ValueId value) const { return m_shapes[value.index()]; }

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

  /// `early`: convolutions that the constructor draws before the others of their block, by a part of their path.
  ExportedProgram finish(ValueId output, const std::string& early);

 private:
  enum class LayerKind : unsigned char { Convolution, Norm, Linear };
  struct Layer {
    LayerKind kind;
    std::string prefix;  ///< of its parameters
    std::string block;
    Shape weight;
  };
  struct Given {
    std::string name;
    ExportedArgument value;
  };

  ValueId value(const Shape& sample, bool batched);
  ValueId call(const std::string& target, std::vector<Given> arguments, const Shape& made, const std::string& module,
               const std::string& class_name);
  ValueId weight(ExportedInput::Kind kind, const std::string& name, const Shape& shape,
                 ScalarKind type = ScalarKind::Float32);
  std::vector<WeightDraw> draws(const std::string& early) const;
  void drawConstructor(const Layer& layer, std::vector<WeightDraw>& draws) const;

  ExportedProgram m_program;
  std::vector<Shape> m_shapes;  ///< of each value
  ValueId m_user;
  std::string m_root_class;
  ModuleCall m_block;
  std::vector<Layer> m_layers;  ///< in the order of registration
};

}  // namespace lanelab
