// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/run_processes.h"

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <vector>

#include "engine/dist/rank_channels.h"
#include "engine/dist/rendezvous/rank_refused.h"
#include "engine/dist/run_peers.h"
#include "engine/run/rank_lanes.h"

namespace lanelab {

namespace {

/// Work with peers, whose exceptions name what went wrong.
template <class T, class Work>
Result<T> tried(const Work& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    return Error::failed(verbatim(error.what()));
  }
}

}  // namespace

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
    return Error::badInput(verbatim(refused.what()));
  } catch (const std::exception& error) {
    return Error::failed(verbatim(error.what()));
  }
  processes.m_rank = (*place)->rank;
  processes.m_local_rank = (*place)->local_rank;
  return processes;
}

Status RunProcesses::check(const Resolution& resolution) {
  const Result<std::optional<WorldPlace>> place = worldPlace(processEnvironment());
  if (!place.ok()) return place.error();
  return !*place || (*place)->size < 2 ? Status() : checkRanks(resolution, (*place)->size);
}

Result<Experiment> RunProcesses::spread(const Resolution& resolution) const {
  if (!several()) return inOneProcess(resolution.experiment());
  return tried<Experiment>([&] {
    std::vector<int> places;
    for (const std::string& place : m_peers->exchange(std::to_string(m_local_rank))) places.push_back(std::stoi(place));
    return spreadOverRanks(resolution, places);
  });
}

Result<std::string> RunProcesses::asFirstHas(const std::string& mine) const {
  if (!several()) return mine;
  return tried<std::string>([&] { return m_peers->exchange(mine).front(); });
}

std::function<std::shared_ptr<Peers>()> RunProcesses::peers() const {
  if (!several()) return peersOfLanes();
  return [peers = m_peers] { return std::shared_ptr<Peers>(peers); };
}

Result<std::shared_ptr<RankChannels>> RunProcesses::openChannels() const {
  return tried<std::shared_ptr<RankChannels>>([&] { return std::make_shared<RankChannels>(m_peers); });
}

void RunProcesses::fail(const std::string& why) const {
  if (several()) m_peers->abandon(why);
}

void leaveProgram(int exit_code) {
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
  _exit(exit_code);
}

void RunProcesses::leave(int exit_code) const {
  if (several()) m_peers->leave();
  leaveProgram(exit_code);
}

}  // namespace lanelab
