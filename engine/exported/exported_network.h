// SPDX-License-Identifier: GPL-3.0-only
// An exported network as an experiment uses it: the graph of a .pt2 file, its blocks, and what is known of them without
// running it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/exported/archive/exported_archive.h"
#include "engine/exported/exported_model.h"

namespace lanelab {

/// Immutable.
struct ExportedNetwork {
  std::string path;
  ExportedProgram program;
  ExportedBlocks blocks;
  DescribedModel described;          ///< its name is the file's, without folder and file extension
  std::vector<bool> differentiable;  ///< of each value: whether it depends on a parameter in a way that has a gradient
};

/// What openExported() makes of a program. Errors (BadInput) begin with the path.
Result<std::shared_ptr<const ExportedNetwork>> networkOf(ExportedProgram program, const std::string& path,
                                                         const ExportedBlockChoice& choice = {});

/// Whether the network is the one that `resolved` describes. Error (BadInput), which begins with the path: its file was
/// written again meanwhile, with what differs.
Status isAsResolved(const ExportedNetwork& network, const ModelSpec& resolved);

/// Any thread. The file is read again only where its size or time has changed, because a form asks after every edit.
/// Errors (BadInput) begin with the path: see readExportedProgram(), refuseOperators() and blocksOf().
Result<std::shared_ptr<const ExportedNetwork>> openExported(const std::string& path,
                                                            const ExportedBlockChoice& choice = {});

}  // namespace lanelab
