// SPDX-License-Identifier: GPL-3.0-only
// What a network is made of, computed without running it: blocks, leaf layers, shapes, parameters, MACs, bytes.
//
// Residual connections never cross a cut, because a residual block is one whole block. Shapes are per sample ([C,H,W]
// or [features]). MACs count multiply-accumulates of convolutions and linear layers for one sample, forward. Bytes are
// fp32 per sample unless said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "engine/model/shape.h"
#include "engine/model/tensor_program.h"

namespace lanelab {

/// A leaf module with torchvision's name, such as "layer1.0.conv1".
struct LayerSpec {
  std::string name;
  std::string type;  ///< "Conv2d", "BatchNorm2d", "ReLU", "MaxPool2d", "AdaptiveAvgPool2d", "Linear"
  Shape output;
  std::int64_t parameters = 0;
  std::int64_t macs = 0;
  bool operator==(const LayerSpec&) const = default;
};

/// The unit of placement: named "stem", "layerL.B", "head" for ResNets.
struct BlockSpec {
  std::string name;
  std::string type;   ///< "Stem", "BasicBlock", "Bottleneck", "Head", "Linear", "ReLU"
  std::string group;  ///< colour group: "stem", "layer1".."layer4", "head"
  Shape output;
  std::int64_t parameters = 0;
  std::int64_t macs = 0;
  std::int64_t parameter_bytes = 0;
  std::int64_t norm_parameters = 0;                      ///< in float32, which lanes hold so whatever they compute in
  std::int64_t largest_parameter = 0;                    ///< numbers of the largest that is trained
  std::int64_t frozen_parameters = 0, frozen_bytes = 0;  ///< of both: what is not trained (requires_grad is false)
  std::int64_t buffer_bytes = 0;
  std::int64_t activation_bytes = 0;  ///< kept for backward, a sample: what autograd saves of the block; an input that
                                      ///< the block before keeps is not counted again
  std::int64_t received_bytes =
      0;  ///< kept on top when a stage begins with this block: its copy of that input, 0 where no operation saves it
  std::int64_t output_bytes = 0;  ///< what crosses a cut after this block, a sample
  double remade_share = 0;        ///< of its forward: making activations again (Rule::RemadeActivation), 0 to 1
  std::vector<LayerSpec> layers;
  bool operator==(const BlockSpec&) const = default;
};

/// A parameter that several blocks use. In different stages each has a copy, and their gradients are added up.
struct SharedParameter {
  std::string name;
  std::vector<BlockId> blocks;  ///< ascending
  std::int64_t bytes = 0;       ///< in parameter_bytes of the first of them
  bool trained = true;
  bool operator==(const SharedParameter&) const = default;
};

struct ModelSpec {
  std::string arch;
  int classes = 0;
  Shape input;  ///< of one sample: [C,H,W], [features], or [T] for a network of tokens
  std::vector<BlockSpec> blocks;
  std::vector<SharedParameter> shared = {};
  bool imported = false;                            ///< from a file; else one of LaneLab's own
  SharedTensorProgram tensors = {};                 ///< its tensors call by call
  std::vector<std::string> unknown_operators = {};  ///< what they take is not known
  int least_samples = 1, most_samples = 0;          ///< in a micro-batch; most 0: any number
  std::int64_t vocabulary = 0;                      ///< inputs are integers from 0 to one below it; 0: floating point
  bool gives_loss = false;                          ///< its output is its loss, a scalar

  std::optional<BlockId> find(std::string_view block_name) const;
  std::int64_t parameters() const;
  std::int64_t frozenParameters() const;
  std::int64_t macs() const;
  /// Whether a block has activations that the backward can make again (Rule::RemadeActivation).
  bool remakesActivations() const;
  bool operator==(const ModelSpec&) const = default;
};

}  // namespace lanelab
