// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/carrier.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace lanelab {

namespace {

std::string nameOf(std::size_t replica) { return "replica " + std::to_string(replica); }

/// The first reason against NCCL; empty if there is none.
std::string objection(const std::vector<ReplicaPlace>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].gpu.empty()) return nameOf(i) + " is on a CPU";
    if (!places[i].nccl_wanted) return "LANELAB_NCCL is 0 for " + nameOf(i);
    for (std::size_t k = 0; k < i; ++k) {
      if (places[k].machine == places[i].machine && places[k].gpu == places[i].gpu)
        return nameOf(k) + " and " + nameOf(i) + " share a GPU";
    }
    if (places[i].lanes > 1) return std::to_string(places[i].lanes) + " lanes share the GPU of " + nameOf(i);
  }
  return "";
}

}  // namespace

std::string ReplicaPlace::line() const {
  return machine + "\t" + gpu + "\t" + std::to_string(lanes) + "\t" + (nccl_wanted ? "1" : "0");
}

ReplicaPlace ReplicaPlace::fromLine(const std::string& line) {
  std::istringstream fields(line);
  ReplicaPlace place;
  std::string lanes, wanted;
  std::getline(fields, place.machine, '\t');
  std::getline(fields, place.gpu, '\t');
  std::getline(fields, lanes, '\t');
  std::getline(fields, wanted, '\t');
  place.lanes = std::atoi(lanes.c_str());
  place.nccl_wanted = wanted != "0";
  return place;
}

Carrier chooseCarrier(const std::vector<ReplicaPlace>& places) {
  if (std::all_of(places.begin(), places.end(), [](const ReplicaPlace& place) { return place.gpu.empty(); })) return {};
  const std::string why_not = objection(places);
  if (why_not.empty()) return {true, ""};
  return {false, "Replicas exchange gradients by Gloo, through the host's memory, and not by NCCL: " + why_not + "."};
}

}  // namespace lanelab
