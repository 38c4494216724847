// SPDX-License-Identifier: GPL-3.0-only
// An exported network as an experiment uses it: the graph of a .pt2 file, its blocks, and what is known of them without
// running it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/exported/archive/exported_archive.h"
#include "engine/exported/exported_model.h"
#include "engine/files/file_state.h"

namespace lanelab {

/// Immutable. It travels as this value from the resolution of an experiment to whoever needs it; only its weights
/// remain in the file.
struct ExportedNetwork {
  std::string path;
  FileState file;  ///< when it was read; without a file on disk its path alone
  ExportedProgram program;
  ExportedBlocks blocks;
  DescribedModel described;          ///< its name is the file's, without folder and file extension
  std::vector<bool> differentiable;  ///< of each value: whether it depends on a parameter in a way that has a gradient
};

/// What openExported() makes of a program, which `file` has. Errors (BadInput) begin with its path.
Result<std::shared_ptr<const ExportedNetwork>> networkOf(ExportedProgram program, const ExportedBlockChoice& choice,
                                                         FileState file = {});

/// Error (BadInput), which begins with the path: the file was written again since the network was read, or removed, so
/// that its weights may be those of another.
Status checkUnchanged(const ExportedNetwork& network);

/// Reads the file; any thread. Errors (BadInput) begin with the path: see readExportedProgram(), refuseOperators() and
/// blocksOf().
Result<std::shared_ptr<const ExportedNetwork>> openExported(const std::string& path,
                                                            const ExportedBlockChoice& choice = {});

/// How often this process has read a network from its file: each should be read once between an edit and its run.
std::int64_t openedNetworks();

}  // namespace lanelab
