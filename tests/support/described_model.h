// SPDX-License-Identifier: GPL-3.0-only
// What is known of a built-in network, for tests that need no graph.
#pragma once

#include <string>

#include "engine/networks/built_network.h"

namespace lanelab::test {

/// Errors are those of builtNetwork().
inline Result<ModelSpec> describeModel(const std::string& arch, int classes, const Shape& input) {
  const auto network = builtNetwork(arch, classes, input);
  return network.ok() ? Result<ModelSpec>((*network)->described.model) : Result<ModelSpec>(network.error());
}

}  // namespace lanelab::test
