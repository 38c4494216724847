// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/device_group.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "engine/dist/carrier.h"
#include "engine/dist/rendezvous/process_id.h"
#include "engine/dist/rendezvous/text_exchange.h"
#include "engine/torch/devices/cuda_platform.h"

namespace lanelab {

namespace {

/// c10d then starts no thread of its own that looks after NCCL's work: after an error that one ends the process, and
/// while a member is gone it may. The lane's own watch does it instead (device_work.h, watched_backend.h). Said before
/// main(), where no other thread can be reading the environment.
[[maybe_unused]] const int no_watchdog = ::setenv("TORCH_NCCL_BLOCKING_WAIT", "1", 0);

bool ncclWanted() {
  const char* const value = std::getenv("LANELAB_NCCL");
  return !value || std::strcmp(value, "0") != 0;
}

ReplicaPlace placeOf(const ReplicaMember& member) {
  ReplicaPlace place;
  const std::string machine = ProcessId::ofThisProcess().machine;
  place.machine = machine.substr(0, machine.find('/'));
  place.lanes = member.lanes_on_device;
  place.nccl_wanted = ncclWanted();
  if (const CudaPlatform* const platform = member.device.is_cuda() ? cudaPlatform() : nullptr) {
    place.gpu = platform->devices().at(static_cast<std::size_t>(member.device.index())).bus;
  }
  return place;
}

Carrier agreedCarrier(const ReplicaMember& member, WatchedBackend& host, const GlooWays& ways) {
  std::vector<ReplicaPlace> places;
  for (const std::string& line : namingLostPeers(ways, [&] { return exchangeTexts(host, placeOf(member).line()); }))
    places.push_back(ReplicaPlace::fromLine(line));
  return chooseCarrier(places);
}

}  // namespace

DeviceGroup joinOnDevices(const ReplicaMember& member, const std::string& name, WatchedBackend& host,
                          std::shared_ptr<const GlooWays> ways) {
  const Carrier carrier = agreedCarrier(member, host, *ways);
  if (!carrier.nccl) return {nullptr, carrier.why_not};
  const auto make = [ways, rank = member.replica, size = member.replicas,
                     device = member.device.index()](const c10::intrusive_ptr<c10d::Store>& store) {
    return cudaPlatform()->ncclGroup(store, rank, size, device, ways->timeout);
  };
  auto group = GroupConnection(ways, name + "/nccl", make).group();
  return {c10::make_intrusive<WatchedBackend>(std::move(group), std::move(ways), member.device), ""};
}

}  // namespace lanelab
