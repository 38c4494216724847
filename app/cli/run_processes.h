// The processes of a run, as torchrun, Slurm or mpirun started them.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/cli/cli.h"
#include "engine/dist/run_peers.h"
#include "engine/run/experiment.h"
#include "engine/torch/peers.h"

namespace lanelab {

/// All processes of the run together, or this one alone.
class RunProcesses {
 public:
  /// Reads the environment and, where it names several processes, joins them. `context` ends the program through these then.
  static Result<RunProcesses> join(CliContext& context);

  bool several() const { return m_peers != nullptr; }
  bool first() const { return m_rank == 0; }
  /// The experiment with the lanes of all processes.
  Result<Experiment> spread(const Experiment& experiment) const;
  /// What rank 0 has.
  Result<std::string> asFirstHas(const std::string& mine) const;
  PeersFactory peers() const;
  /// Tells the others that this process cannot go on.
  void fail(const std::string& why) const;

 private:
  std::shared_ptr<RunPeers> m_peers;
  int m_rank = 0;
  int m_local_rank = 0;
};

}  // namespace lanelab
