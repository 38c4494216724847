// SPDX-License-Identifier: GPL-3.0-only
// The version of the LibTorch that this process has loaded, which need not be that of the headers (TORCH_VERSION).
#pragma once

#include <string>

namespace lanelab {

/// "2.15.0"; empty if the library does not say it. Thread: any.
std::string loadedTorchVersion();

}  // namespace lanelab
