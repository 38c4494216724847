// SPDX-License-Identifier: GPL-3.0-only
// The network of an experiment, opened once, and what the experiment may leave to it.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "engine/experiment/experiment.h"
#include "engine/exported/exported_network.h"

namespace lanelab {

/// Errors (BadInput) say why there is none.
using OpenedNetwork = Result<std::shared_ptr<const ExportedNetwork>>;

/// What model.file held when it was opened: a network, or what is wrong with it. Immutable.
struct OpenedModel {
  FileState file;
  ExportedBlockChoice blocks;
  OpenedNetwork network;  ///< errors begin with the file: see openExported()
};

/// The network of `model`; null without a file. `known` is that one if it is of the same file and blocks, and the file
/// was not written since. Any thread.
std::shared_ptr<const OpenedModel> openModel(const ModelConfig& model,
                                             const std::shared_ptr<const OpenedModel>& known = nullptr);
/// Of a file with the blocks that are chosen automatically.
std::shared_ptr<const OpenedModel> openModelFile(const std::string& path);

/// Whether openModel() would return `opened` itself for `model`.
bool isModelOf(const ModelConfig& model, const std::shared_ptr<const OpenedModel>& opened);

/// The network of an experiment: of its file, which is `opened`, else the one that is built in for its classes and
/// samples. `known` is that one if it is the same.
OpenedNetwork networkOf(const Experiment& experiment, const OpenedModel* opened,
                        const std::shared_ptr<const ExportedNetwork>& known);

/// The network as one that is trained. Errors (BadInput) begin with the file: those of the network, and that there is
/// nothing to train.
Result<ModelSpec> describeTrained(const OpenedNetwork& network);

/// Puts in what the experiment leaves to its network: classes and the shape of a sample. Nothing happens without a
/// network that can be trained, which is a problem of the experiment.
void adoptModel(Experiment& experiment, const OpenedModel& opened);

}  // namespace lanelab
