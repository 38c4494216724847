// SPDX-License-Identifier: GPL-3.0-only
// The peers of a run: lanes of this process, or all processes that a launcher started.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "engine/dist/rendezvous/world_place.h"
#include "engine/torch/lanes/peers.h"

namespace lanelab {

/// Peers, and what the program itself needs of them. After a fault they are of no more use; make new ones for the next
/// run.
class RunPeers : public Peers {
 public:
  /// Says goodbye to the other processes; the one that keeps the store waits for theirs. With Gloo a process can hang
  /// at its normal exit, so the program ends with leaveProgram() afterwards. No calls after it.
  virtual void leave() = 0;
};

/// For a run in one process: groups of replicas are lanes.
std::unique_ptr<RunPeers> lanePeers();

/// What must be equal for all ranks (rankAgreement()), and where to report what is waited for; both may be empty.
struct Joining {
  std::string agreement = {};
  std::function<void(const std::string& sentence)> report = {};
};

/// Joins the processes of a run; returns when all are there and agree. Throws std::runtime_error with a sentence:
/// RankRefused where the user chose something that does not fit (another experiment, a rank that is taken, a machine
/// that is not found), else one that names those which did not come.
std::unique_ptr<RunPeers> joinWorld(const WorldPlace& place, std::chrono::milliseconds timeout,
                                    const Joining& joining = {});

/// Ends the program without destructors and exit handlers, after standard output and error were written out.
[[noreturn]] void leaveProgram(int exit_code);

}  // namespace lanelab
