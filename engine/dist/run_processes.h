// SPDX-License-Identifier: GPL-3.0-only
// The processes of a run, as torchrun, Slurm or mpirun started them: what a program needs of them. No torch header is
// needed to use it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "engine/experiment/resolution.h"

namespace lanelab {

class Peers;
class RankChannels;
class RunPeers;

/// For makeTorchExecutor() in one process: replicas are lanes.
std::function<std::shared_ptr<Peers>()> peersOfLanes();

/// All processes of the run together, or this one alone.
class RunProcesses {
 public:
  /// Reads the environment and, if it names several processes, waits for all of them. `agreement` (rankAgreement())
  /// must be equal on all ranks, else all of them fail with the first difference. `report` is given a sentence when the
  /// wait is long. After an error the program must end by leave() of an empty RunProcesses.
  static Result<RunProcesses> join(const std::string& agreement,
                                   const std::function<void(const std::string& sentence)>& report);

  /// Whether the lanes are those of the processes that the environment names; else BadInput. Waits for none of them, so
  /// each process finds it by itself.
  static Status check(const Resolution& resolution);

  bool several() const { return m_peers != nullptr; }
  bool first() const { return m_rank == 0; }
  int rank() const { return m_rank; }
  /// The experiment with the lanes of all processes. Every process calls it.
  Result<Experiment> spread(const Resolution& resolution) const;
  /// What rank 0 has. Every process calls it.
  Result<std::string> asFirstHas(const std::string& mine) const;
  /// For makeTorchExecutor().
  std::function<std::shared_ptr<Peers>()> peers() const;
  /// Channels between rank 0 and the others. Every process calls it, if there are several.
  Result<std::shared_ptr<RankChannels>> openChannels() const;
  /// Tells the others that this process cannot continue.
  void fail(const std::string& why) const;
  /// Says goodbye to the others and ends the program, which may not just return from main then.
  [[noreturn]] void leave(int exit_code) const;

 private:
  std::shared_ptr<RunPeers> m_peers;
  int m_rank = 0;
  int m_local_rank = 0;
};

}  // namespace lanelab
