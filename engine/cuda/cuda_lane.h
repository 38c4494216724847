// SPDX-License-Identifier: GPL-3.0-only
// A lane on a CUDA device: a host thread with a stream of its own.
#pragma once

#include <memory>

#include "engine/cuda/stream_lanes.h"
#include "engine/torch/devices/device_lane.h"

namespace lanelab {

/// Turns the calling thread into the lane's: its current stream is the lane's, and backward runs here instead of on the
/// one worker thread that autograd keeps for a device, which all lanes of a GPU would share. Destroy it on the same
/// thread. `streams` must live as long.
///
/// Several lanes of one GPU share its multiprocessors and its memory; heldBytes() and peakBytes() are the device's.
std::unique_ptr<DeviceLane> makeCudaLane(int device, int lane, StreamLanes& streams);

}  // namespace lanelab
