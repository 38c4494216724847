// SPDX-License-Identifier: GPL-3.0-only
// The texts that torch.export stores with each call: in which modules it was made, and by which line. Pure functions;
// text that is not in their form is nothing, since it is for readers only.
#pragma once

#include <string>
#include <string_view>

#include "engine/exported/graph/exported_graph.h"

namespace lanelab {

/// Of nn_module_stack: "L__self__,,torchvision.models.resnet.ResNet;L__self__fc,fc,torch.nn.modules.linear.Linear".
ModuleStack moduleStack(std::string_view text);

/// Of stack_trace: "resnet.py:92", the innermost line outside of PyTorch, or else the innermost. Linear.
std::string innermostLine(std::string_view trace);

}  // namespace lanelab
