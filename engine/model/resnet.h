// SPDX-License-Identifier: GPL-3.0-only
// The ResNet family as torchvision builds it (models/resnet.py, v1.5: the stride is on the 3x3 convolution).
#pragma once

#include <array>
#include <string_view>

#include "engine/model/model_spec.h"

namespace lanelab {

struct ResnetShape {
  std::string_view arch;
  bool bottleneck = false;
  std::array<int, 4> depths = {};  ///< blocks of layer1 ... layer4
};

/// Null when `arch` is no ResNet.
const ResnetShape* findResnet(std::string_view arch);

/// `input` is [3,H,W], checked by the caller. Layers in torchvision's order of registration.
ModelSpec describeResnet(const ResnetShape& resnet, int classes, const Shape& input);

}  // namespace lanelab
