// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/rendezvous/world_place.h"

#include <cstdlib>
#include <limits>

#include "base/parse_number.h"

namespace lanelab {

namespace {

constexpr std::int64_t kUsualPort = 29500;  ///< torchrun's
constexpr std::int64_t kUsualTimeout = 300;

/// A variable with its value, if it is set to something.
std::optional<std::string> textOf(const EnvironmentLookup& environment, const std::string& name) {
  auto value = environment(name);
  return value && value->empty() ? std::nullopt : value;
}

/// A whole number from `low` to `high`, or a sentence.
Result<std::int64_t> numberOf(const EnvironmentLookup& environment, const std::string& name, std::int64_t low,
                              std::int64_t high, const std::string& suggestion) {
  const auto text = textOf(environment, name);
  if (!text) return Error::badInput("The variable {} is not set: {}", name, suggestion);
  const auto number = parseNumber<std::int64_t>(*text);
  if (number && low <= *number && *number <= high) return *number;
  const std::string range = high == std::numeric_limits<int>::max()
                                ? "from " + std::to_string(low) + " on"
                                : "from " + std::to_string(low) + " to " + std::to_string(high);
  return Error::badInput("The variable {} is \"{}\", but a whole number {} is needed: {}", name, *text, range,
                         suggestion);
}

/// The variables of one launcher.
struct Launcher {
  std::string name, size, rank, local_rank, local_size, start;
  bool counts_alone;  ///< even for one process
};

const Launcher kTorchrun{
    "torchrun", "WORLD_SIZE", "RANK", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "start the processes with torchrun", true};
const Launcher kOpenMpi{"Open MPI",
                        "OMPI_COMM_WORLD_SIZE",
                        "OMPI_COMM_WORLD_RANK",
                        "OMPI_COMM_WORLD_LOCAL_RANK",
                        "OMPI_COMM_WORLD_LOCAL_SIZE",
                        "start the processes with mpirun",
                        false};
const Launcher kMpich{
    "MPICH", "PMI_SIZE", "PMI_RANK", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", "start the processes with mpiexec", false};
const Launcher kSlurm{"Slurm", "SLURM_NTASKS", "SLURM_PROCID", "SLURM_LOCALID", "", "start the processes with srun",
                      false};

/// Rank, size and local rank; nothing where the launcher has set none.
Result<std::optional<WorldPlace>> ranksOf(const Launcher& launcher, const EnvironmentLookup& environment) {
  if (!textOf(environment, launcher.size)) return std::optional<WorldPlace>();
  constexpr std::int64_t kMany = std::numeric_limits<int>::max();
  const auto size = numberOf(environment, launcher.size, 1, kMany, launcher.start + ", or unset it for one process.");
  if (!size.ok()) return size.error();
  if (*size == 1 && !launcher.counts_alone) return std::optional<WorldPlace>();
  const std::string suggestion =
      launcher.size + " is " + std::to_string(*size) + "; " + launcher.start + ", or unset both for one process.";
  const auto rank = numberOf(environment, launcher.rank, 0, *size - 1, suggestion);
  if (!rank.ok()) return rank.error();
  WorldPlace place;
  place.launcher = launcher.name;
  place.size = static_cast<int>(*size);
  place.rank = static_cast<int>(*rank);
  if (textOf(environment, launcher.local_rank)) {
    const auto local = numberOf(environment, launcher.local_rank, 0, *size - 1, suggestion);
    if (!local.ok()) return local.error();
    place.local_rank = static_cast<int>(*local);
  }
  return std::optional<WorldPlace>(place);
}

/// MASTER_ADDR, else the first machine of Slurm's list, else this machine where MPI started all processes here.
Result<std::string> hostOf(const Launcher& launcher, const EnvironmentLookup& environment, int size) {
  if (const auto host = textOf(environment, "MASTER_ADDR")) return *host;
  if (&launcher == &kTorchrun)
    return Error::badInput(
        "The variable MASTER_ADDR is not set, but WORLD_SIZE is {}: start the processes with torchrun, or set it to "
        "the machine of rank 0.",
        size);
  for (const char* const name : {"SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "SLURM_NODELIST"}) {
    if (const auto nodes = textOf(environment, name)) return firstHost(*nodes);
  }
  if (!launcher.local_size.empty() && textOf(environment, launcher.local_size) == std::to_string(size))
    return std::string("127.0.0.1");
  return Error::badInput(
      "The variable MASTER_ADDR is not set, and {} does not state that all {} processes are on one machine: set it, "
      "for all of them, to the machine of rank 0.",
      launcher.name, size);
}

/// MASTER_PORT, else one that Slurm's job has to itself, as PyTorch Lightning derives it: 15000 + the last four digits
/// of the job's number.
Result<std::int64_t> portOf(const EnvironmentLookup& environment) {
  if (textOf(environment, "MASTER_PORT")) {
    return numberOf(environment, "MASTER_PORT", 1, std::numeric_limits<std::uint16_t>::max(),
                    "set it to a free port of MASTER_ADDR.");
  }
  for (const char* const name : {"SLURM_JOB_ID", "SLURM_JOBID"}) {
    if (!textOf(environment, name)) continue;
    const auto job = numberOf(environment, name, 0, std::numeric_limits<int>::max(),
                              "or set MASTER_PORT to a free port of MASTER_ADDR.");
    if (!job.ok()) return job.error();
    return 15000 + *job % 10000;
  }
  return kUsualPort;
}

/// What the launcher calls the job. Variables of Slurm say nothing of ranks that were started otherwise within it.
std::string tokenOf(const Launcher& launcher, const EnvironmentLookup& environment) {
  if (const auto token = textOf(environment, "LANELAB_RUN_TOKEN")) return *token;
  if (&launcher == &kTorchrun) return textOf(environment, "TORCHELASTIC_RUN_ID").value_or("");
  if (&launcher == &kOpenMpi) return textOf(environment, "PMIX_NAMESPACE").value_or("");
  if (&launcher != &kSlurm) return {};
  const auto job = textOf(environment, "SLURM_JOB_ID"), step = textOf(environment, "SLURM_STEP_ID");
  return job && step ? "Slurm job " + *job + ", step " + *step : "";
}

/// Where the store is, added to `place`.
Result<std::optional<WorldPlace>> withStore(WorldPlace place, const Launcher& launcher,
                                            const EnvironmentLookup& environment) {
  if (place.size == 1) return std::optional<WorldPlace>(place);
  const auto host = hostOf(launcher, environment, place.size);
  if (!host.ok()) return host.error();
  const auto port = portOf(environment);
  if (!port.ok()) return port.error();
  place.host = *host;
  place.port = static_cast<std::uint16_t>(*port);
  place.token = tokenOf(launcher, environment);
  place.listen = textOf(environment, "LANELAB_LISTEN_ADDR").value_or("");
  if (&launcher != &kTorchrun) return std::optional<WorldPlace>(place);
  place.hosted_by_agent = textOf(environment, "TORCHELASTIC_USE_AGENT_STORE") == "True";
  if (textOf(environment, "TORCHELASTIC_RESTART_COUNT")) {
    const auto attempt =
        numberOf(environment, "TORCHELASTIC_RESTART_COUNT", 0, std::numeric_limits<int>::max(), kTorchrun.start + ".");
    if (!attempt.ok()) return attempt.error();
    place.attempt = static_cast<int>(*attempt);
  }
  return std::optional<WorldPlace>(place);
}

}  // namespace

EnvironmentLookup processEnvironment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* const value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
}

Result<std::optional<WorldPlace>> worldPlace(const EnvironmentLookup& environment) {
  for (const Launcher* const launcher : {&kTorchrun, &kOpenMpi, &kMpich, &kSlurm}) {
    auto place = ranksOf(*launcher, environment);
    if (!place.ok()) return place;
    if (*place) return withStore(**place, *launcher, environment);
  }
  return std::optional<WorldPlace>();
}

Result<std::chrono::milliseconds> worldTimeout(const EnvironmentLookup& environment) {
  const std::string name = "LANELAB_DIST_TIMEOUT";
  if (!textOf(environment, name)) return std::chrono::milliseconds(std::chrono::seconds(kUsualTimeout));
  const auto seconds = numberOf(environment, name, 1, 24 * 3600, "it is the seconds to wait for another process.");
  if (!seconds.ok()) return seconds.error();
  return std::chrono::milliseconds(std::chrono::seconds(*seconds));
}

std::string firstHost(const std::string& nodes) {
  std::string host;
  bool chosen = true;  // outside brackets, and within them up to the first number's end
  bool inside = false;
  for (const char c : nodes) {
    if (c == ',' && !inside) break;
    if (c == '[') {
      inside = true;
    } else if (c == ']') {
      inside = false;
      chosen = true;
    } else if (inside && (c == ',' || c == '-')) {
      chosen = false;
    } else if (chosen) {
      host += c;
    }
  }
  return host;
}

}  // namespace lanelab
