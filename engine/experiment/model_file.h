// SPDX-License-Identifier: GPL-3.0-only
// The exported network that an experiment names, and what the experiment may leave to it.
#pragma once

#include <string>

#include "base/result.h"
#include "engine/experiment/experiment.h"

namespace lanelab {

/// Of model.file; any thread. Errors (BadInput) begin with the file: see openExported().
Result<ModelSpec> describeModelFile(const ModelConfig& model);

/// A name under which measured times of its blocks are stored: the title, for a model file with a fingerprint of its
/// blocks and their costs.
std::string costName(const ModelConfig& model);

/// data.shape, or that of the model file where it is left out; empty where neither is known.
Shape sampleShape(const Experiment& experiment);

/// Puts in what the experiment leaves to its model file: classes and the shape of a sample. Nothing happens where the
/// file cannot be read, which is a problem of the experiment.
void adoptModelFile(Experiment& experiment);

}  // namespace lanelab
