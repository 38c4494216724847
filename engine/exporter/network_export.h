// SPDX-License-Identifier: GPL-3.0-only
// Makes a .pt2 file of a user's own network: Python with PyTorch runs the shipped script, which builds the network,
// exports it, and verifies that the file has the same loss and gradients.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/exporter/child_process.h"

namespace lanelab {

struct NetworkExport {
  std::string factory;                     ///< "torchvision.models:resnet18", "net.py:make"
  std::string input;                       ///< one sample: "3x224x224", "128:int64:50257"
  std::string out;                         ///< .pt2; an existing file is replaced once the new one is verified
  std::vector<std::string> settings = {};  ///< KEY=VALUE, arguments of the factory
  std::string config = {};                 ///< config.json for a class of transformers; may be empty
  int batch = 2;                           ///< of the example, and of the file if PyTorch refuses a dynamic batch
  std::uint64_t seed = 0;                  ///< of the initial weights
  std::string python = {};                 ///< program; empty: usualPython()
};

/// The variable LANELAB_PYTHON, else the Python of the PyTorch that this LaneLab was built with (in a build folder) or
/// runs with (findTorch()), else python3.
std::string usualPython();

/// The Error (Failed) of a file that stays, though LaneLab cannot train it; `why` may begin with the file.
Error notTrainable(const std::string& file, const Error& why);

/// Blocks; `lines` gets what the script prints but its error, which is the answer. Nothing is left of a file that
/// was not verified. BadInput: what the user can change. Failed: no Python, no PyTorch, a full disk. Any thread.
Status exportNetwork(const NetworkExport& network, const ChildLines& lines, const std::stop_token& stop);

}  // namespace lanelab
