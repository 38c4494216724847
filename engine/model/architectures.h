// SPDX-License-Identifier: GPL-3.0-only
// The networks that are built in, by name: torchvision's ResNets and the small ones of PyTorch's tutorials. Which
// classes and samples they take; engine/networks builds them.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/model/shape.h"

namespace lanelab {

/// resnet18, resnet34, resnet50, resnet101, resnet152, toy, linear.
const std::vector<std::string>& knownArchitectures();

/// Errors (BadInput): unknown arch (names the nearest), classes below 1, an input that is none of the network's (says a
/// legal one). `input`: of one sample.
Status checkArchitecture(const std::string& arch, int classes, const Shape& input);

/// Outputs of the last layer where an experiment or command names none: those of the tutorials' networks, and of
/// ImageNet for all others.
int usualClasses(const std::string& arch);

/// A sample of it where none is named.
Shape usualInput(const std::string& arch);

}  // namespace lanelab
