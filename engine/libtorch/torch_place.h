// SPDX-License-Identifier: GPL-3.0-only
// Where the PyTorch of this machine is, and its LibTorch in it. Only names of files are read, nothing is loaded. Any
// thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanelab {

struct TorchPlace {
  std::filesystem::path package;  ///< the folder "torch" among the packages of a Python
  std::string version;            ///< such as "2.15.0+cu132"; empty if the package does not say

  /// Those of LibTorch and of CUDA, for the loader; the first has libtorch_cpu.so.
  std::vector<std::filesystem::path> libraryFolders() const;
  /// The program of the environment that the package belongs to; empty if it belongs to none.
  std::filesystem::path python() const;
};

/// What the search depends on.
struct TorchSearch {
  std::filesystem::path chosen = {};  ///< LANELAB_TORCH_ROOT: an environment, its packages, or its torch; may be empty
  std::filesystem::path own = {};     ///< the environment that lanelab-setup-torch makes; may be absent
};

/// As the environment of this process says: LANELAB_TORCH_ROOT, and lanelab/python in XDG_DATA_HOME or ~/.local/share.
TorchSearch torchSearch();

/// BadInput if the chosen folder has no PyTorch: no other one is used then. Failed if none was chosen and the own
/// environment is absent or not complete.
Result<TorchPlace> findTorch(const TorchSearch& search);

/// BadInput unless it has the minor version of `built`, such as "2.15.0", which the program was built with: LibTorch
/// promises no more.
Status fitsBuild(const TorchPlace& place, const std::string& built);

}  // namespace lanelab
