// SPDX-License-Identifier: GPL-3.0-only
#include "engine/run/rank_lanes.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lanelab {
namespace {

/// Lanes that stand for one of the experiment's in another process.
class LaneCopies {
 public:
  explicit LaneCopies(Experiment& experiment) : m_experiment(experiment) {}

  int copyOf(LaneId lane, int rank) {
    if (rank == 0) return lane.value;
    const auto [known, fresh] =
        m_copies.emplace(std::pair(lane.value, rank), static_cast<int>(m_experiment.lanes.size()));
    if (fresh) {
      LaneConfig copy = m_experiment.lanes[lane.index()];
      copy.name = "rank " + std::to_string(rank) + ", " + copy.title();
      copy.rank = rank;
      m_experiment.lanes.push_back(std::move(copy));
    }
    return known->second;
  }

 private:
  Experiment& m_experiment;
  std::map<std::pair<int, int>, int> m_copies;
};

void spread(const ResolvedVariant& resolved, const std::vector<int>& places, LaneCopies& copies,
            VariantConfig& variant) {
  const std::vector<LaneId>& lanes = resolved.lanes();
  const std::size_t each = resolved.replicaLanes().front().size();
  variant.lanes.emplace();
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    for (std::size_t s = 0; s < each; ++s) {
      const LaneId lane = lanes[(static_cast<std::size_t>(places[rank]) * each + s) % lanes.size()];
      variant.lanes->push_back(copies.copyOf(lane, static_cast<int>(rank)));
    }
  }
  if (variant.replicas) variant.replicas = static_cast<int>(places.size());
}

bool namesRanks(const Experiment& experiment) {
  return std::any_of(experiment.lanes.begin(), experiment.lanes.end(),
                     [](const LaneConfig& lane) { return lane.rank != 0; });
}

Status checkDataParallel(const Resolution& resolution) {
  for (const ResolvedVariant& variant : resolution.variants()) {
    if (variant.config().strategy != Strategy::DataParallel) continue;
    for (const LaneId lane : variant.lanes()) {
      if (resolution.experiment().lanes[lane.index()].rank != 0)
        return Error::badInput(
            "The variant \"{}\" is data-parallel, which lives in one process, and lane {} is of another. Use the "
            "strategy ddp, or lanes of rank 0.",
            variant.config().name, lane.value);
    }
  }
  return {};
}

}  // namespace

Status checkRanks(const Resolution& resolution, int processes) {
  const Experiment& experiment = resolution.experiment();
  for (std::size_t i = 0; i < experiment.lanes.size(); ++i) {
    const int rank = experiment.lanes[i].rank;
    if (rank >= 0 && rank < processes) continue;
    return Error::badInput("lanes[{}].rank: There is no rank {}: the run has {} processes, counted from 0.", i, rank,
                           processes);
  }
  return namesRanks(experiment) ? checkDataParallel(resolution) : Status();
}

Result<Experiment> spreadOverRanks(const Resolution& resolution, const std::vector<int>& places) {
  const Experiment& experiment = resolution.experiment();
  if (const Status fits = checkRanks(resolution, static_cast<int>(places.size())); !fits.ok()) return fits.error();
  Experiment all = experiment;
  if (namesRanks(experiment)) return all;
  if (resolution.variants().size() != all.variants.size()) return resolution.trainable().error();
  LaneCopies copies(all);
  for (std::size_t v = 0; v < all.variants.size(); ++v) {
    VariantConfig& variant = all.variants[v];
    if (variant.strategy == Strategy::Ddp) {
      spread(resolution.variants()[v], places, copies, variant);
    } else if (!variant.lanes) {
      variant.lanes.emplace();
      for (std::size_t lane = 0; lane < experiment.lanes.size(); ++lane)
        variant.lanes->push_back(static_cast<int>(lane));
    }
  }
  return all;
}

Experiment inOneProcess(Experiment experiment) {
  for (LaneConfig& lane : experiment.lanes) lane.rank = 0;
  return experiment;
}

std::vector<bool> lanesOfRank(const Experiment& experiment, int rank) {
  std::vector<bool> here;
  for (const LaneConfig& lane : experiment.lanes) here.push_back(lane.rank == rank);
  return here;
}

}  // namespace lanelab
