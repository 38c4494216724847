// SPDX-License-Identifier: GPL-3.0-only
// Proves that every variant of an experiment trains as a single device does, tensor by tensor. No torch header is
// needed to use it.
#pragma once

#include <functional>
#include <memory>

#include "engine/experiment/resolution.h"
#include "engine/report/equality_report.h"

namespace lanelab {

class Peers;

/// The largest relative difference of a tensor (Euclidean norms) where operations may round differently: on a GPU, or
/// with several threads a lane.
constexpr double kEqualityTolerance = 1e-3;
/// The same where products have eight or eleven bits.
constexpr double kCoarseTolerance = 5e-2;

/// Trains `steps` steps of every variant on its lanes, and, for every split size, precision and batch-norm mode among
/// them, a reference on one thread: a plain loop over all blocks, the micro-batches one after the other with their
/// gradients accumulated (reference_training.h). A variant of one micro-batch is so held against plain single-device
/// training, and replicas against copies of the network that go through their rows one after the other. Where bits may
/// differ, all trainings start from damped residual branches (last batch norm's weight times 0.1) at a learning rate of
/// at most 0.001, since fresh ResNets magnify rounding; a note says so. `control` receives the steps done
/// of all trainings. Errors:
/// bad input, missing devices, what a lane throws, cancelled. `peers` join the replicas of ddp.
Result<EqualityReport> checkEquality(const Resolution& resolution, int steps, const WorkControl& control,
                                     const std::function<std::shared_ptr<Peers>()>& peers = {});

}  // namespace lanelab
