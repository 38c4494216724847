// SPDX-License-Identifier: GPL-3.0-only
// Trains an experiment with LibTorch and prints the comparison of its variants: what the examples have in common.
#pragma once

#include <string>

#include "engine/experiment/experiment.h"

/// The exit code of the program. `folder`: the run folder, new or empty; `lanelab FOLDER` opens it.
int train(const lanelab::Experiment& experiment, const std::string& folder);
