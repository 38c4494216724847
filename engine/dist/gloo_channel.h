// SPDX-License-Identifier: GPL-3.0-only
// Tensors from one process to another by c10d's send and recv, a Gloo group of two for each pair and direction.
//
// Gloo's send ends when the receiver takes the tensor, so two processes that send to each other before they receive
// would wait for ever. A thread at the receiver therefore takes what comes at once and stores it until it is asked for;
// how much that is, the schedule limits.
#pragma once

#include <memory>
#include <string>

#include "engine/dist/gloo_group.h"
#include "engine/torch/lanes/peers.h"

namespace lanelab {

/// The sending end; receive() is a mistake that throws.
std::unique_ptr<PeerChannel> openGlooSender(std::shared_ptr<const GlooTransport> transport, const std::string& name,
                                            int to);

/// The receiving end, where send() throws; tensors come on the CPU.
std::unique_ptr<PeerChannel> openGlooReceiver(std::shared_ptr<const GlooTransport> transport, const std::string& name,
                                              int from);

}  // namespace lanelab
