// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/run_processes.h"

#include <exception>
#include <vector>

#include "engine/dist/rank_ways.h"
#include "engine/dist/rendezvous/rank_refused.h"
#include "engine/dist/run_peers.h"
#include "engine/run/rank_lanes.h"

namespace lanelab {

std::function<std::shared_ptr<Peers>()> peersOfLanes() {
  return [] { return std::shared_ptr<Peers>(lanePeers()); };
}

Result<RunProcesses> RunProcesses::join(const std::string& agreement,
                                        const std::function<void(const std::string&)>& report) {
  const EnvironmentLookup environment = processEnvironment();
  const Result<std::optional<WorldPlace>> place = worldPlace(environment);
  if (!place.ok()) return place.error();
  RunProcesses processes;
  if (!*place || (*place)->size < 2) return processes;
  const Result<std::chrono::milliseconds> timeout = worldTimeout(environment);
  if (!timeout.ok()) return timeout.error();
  try {
    processes.m_peers = joinWorld(**place, *timeout, {agreement, report});
  } catch (const RankRefused& refused) {
    return Error::badInput(refused.what());
  } catch (const std::exception& error) {
    return Error::failed(error.what());
  }
  processes.m_rank = (*place)->rank;
  processes.m_local_rank = (*place)->local_rank;
  return processes;
}

Result<Experiment> RunProcesses::spread(const Resolution& resolution) const {
  if (!several()) return inOneProcess(resolution.experiment());
  try {
    std::vector<int> places;
    for (const std::string& place : m_peers->exchange(std::to_string(m_local_rank))) places.push_back(std::stoi(place));
    return spreadOverRanks(resolution, places);
  } catch (const std::exception& error) {
    return Error::failed(error.what());
  }
}

Result<std::string> RunProcesses::asFirstHas(const std::string& mine) const {
  if (!several()) return mine;
  try {
    return m_peers->exchange(mine).front();
  } catch (const std::exception& error) {
    return Error::failed(error.what());
  }
}

std::function<std::shared_ptr<Peers>()> RunProcesses::peers() const {
  if (!several()) return peersOfLanes();
  return [peers = m_peers] { return std::shared_ptr<Peers>(peers); };
}

Result<std::shared_ptr<RankWays>> RunProcesses::openWays() const {
  try {
    return std::make_shared<RankWays>(m_peers);
  } catch (const std::exception& error) {
    return Error::failed(error.what());
  }
}

void RunProcesses::fail(const std::string& why) const {
  if (several()) m_peers->abandon(why);
}

void RunProcesses::leave(int exit_code) const {
  if (several()) m_peers->leave();
  leaveProgram(exit_code);
}

}  // namespace lanelab
