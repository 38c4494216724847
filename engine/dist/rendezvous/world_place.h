// SPDX-License-Identifier: GPL-3.0-only
// The place of this process among those of a run, as its launcher tells it by environment variables.
//
// torchrun: RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT. Open MPI: OMPI_COMM_WORLD_*. MPICH and other users
// of PMI: PMI_RANK, PMI_SIZE. Slurm: SLURM_PROCID, SLURM_NTASKS and the list of nodes. Pure: no process, no socket; any
// thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace lanelab {

struct WorldPlace {
  std::string launcher;  ///< "torchrun" (or whatever sets its variables), "Open MPI", "MPICH", "Slurm"
  int rank = 0;
  int size = 1;
  int local_rank = 0;  ///< among the processes of this machine
  std::string host;    ///< where the store is; empty when size is 1
  std::uint16_t port = 0;
  bool hosted_by_agent = false;  ///< torchrun's agent keeps the store, so no rank may
  int attempt = 0;               ///< how often torchrun has restarted the processes
  std::string token = {};  ///< equal for all ranks of a run, other for another run: LANELAB_RUN_TOKEN, else by the
                           ///< launcher's job; empty: not known
  std::string listen =
      {};  ///< LANELAB_LISTEN_ADDR: where rank 0 listens instead of at `host`, behind a gateway for instance

  bool operator==(const WorldPlace&) const = default;
};

/// The value of a variable, nothing where it is not set.
using EnvironmentLookup = std::function<std::optional<std::string>(const std::string& name)>;
EnvironmentLookup processEnvironment();

/// Nothing where no launcher has set its variables: one process. WORLD_SIZE counts before MPI's variables, and those
/// before Slurm's, since one launcher may run within the other; those of MPI and Slurm count above one process only.
/// Errors name variable, value and fix.
Result<std::optional<WorldPlace>> worldPlace(const EnvironmentLookup& environment);

/// LANELAB_DIST_TIMEOUT in seconds: how long to wait for a process that lives. 300 s where it is not set, as c10d's
/// stores.
Result<std::chrono::milliseconds> worldTimeout(const EnvironmentLookup& environment);

/// "node[03-07,12],gpu1" -> "node03", Slurm's short form of a list of machines.
std::string firstHost(const std::string& nodes);

}  // namespace lanelab
