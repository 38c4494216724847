// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/rendezvous/store_connection.h"

#include <unistd.h>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "engine/dist/rendezvous/connection_text.h"
#include "engine/dist/rendezvous/host_address.h"
#include "engine/dist/rendezvous/limited_call.h"
#include "engine/dist/rendezvous/rank_refused.h"

namespace lanelab {

namespace {

using namespace std::chrono_literals;
using Milliseconds = std::chrono::milliseconds;
using StorePtr = c10::intrusive_ptr<c10d::Store>;

constexpr Milliseconds kLookUpLimit = 10s;
constexpr Milliseconds kAnswerLimit = 6s;  ///< of what listens at the port
constexpr Milliseconds kConnectLimit = 1s;
constexpr Milliseconds kReportAfter = 3s;  ///< before the user is reported what is waited for
constexpr Milliseconds kRetryPause = 200ms;

[[noreturn]] void refuse(const Error& error) {
  if (error.kind == Error::Kind::BadInput) throw RankRefused(error.message);
  throw std::runtime_error(error.message);
}

std::vector<HostAddress> addressesFor(const std::string& variable, const std::string& host, std::uint16_t port) {
  Result<std::vector<HostAddress>> found = addressesOf(variable, host, port, kLookUpLimit);
  if (!found.ok()) refuse(found.error());
  return std::move(*found);
}

/// Of c10d's own; nothing when it does not come about.
std::optional<StorePtr> openStore(const std::string& host, c10d::TCPStoreOptions options, Milliseconds timeout) {
  options.waitWorkers = false;
  options.timeout = std::min(kAnswerLimit, timeout);
  try {
    return withinLimit<StorePtr>(options.timeout, [=] {
      StorePtr store = c10::make_intrusive<c10d::TCPStore>(host, options);
      store->setTimeout(timeout);
      return store;
    });
  } catch (const std::exception& error) {
    logConnectionText(error.what());
    return std::nullopt;
  }
}

/// What the ranks on this machine call an address that stands for all.
std::string reachable(const std::string& address) {
  return address == "0.0.0.0" ? "127.0.0.1" : address == "::" ? "::1" : address;
}

StoreConnection serveStore(const WorldPlace& place, Milliseconds timeout) {
  const bool elsewhere = !place.listen.empty();
  const std::string& host = elsewhere ? place.listen : place.host;
  const Result<ListeningSocket> listening =
      listenAt(addressesFor(elsewhere ? "LANELAB_LISTEN_ADDR" : "MASTER_ADDR", host, place.port), host, place.port);
  if (!listening.ok()) refuse(listening.error());
  c10d::TCPStoreOptions options;
  options.port = place.port;
  options.isServer = true;
  options.masterListenFd = listening->descriptor;
  const std::string address = reachable(listening->address.text());
  auto store = openStore(address, options, timeout);
  if (!store)
    throw std::runtime_error("Rank 0 cannot keep the store of the run at " + addressOf(place) +
                             ". Set MASTER_PORT to another port, for all ranks.");
  return {std::move(*store), address};
}

Error nobodyThere(const WorldPlace& place, Milliseconds timeout) {
  return Error::failed(
      "The store of the run does not answer at {} within {} s: start {} there, and see that MASTER_ADDR and "
      "MASTER_PORT are the same for all processes.",
      addressOf(place), timeout.count() / 1000, place.hosted_by_agent ? "torchrun" : "rank 0");
}

/// The first address where somebody listens.
HostAddress awaitListener(const WorldPlace& place, const std::vector<HostAddress>& addresses, Milliseconds timeout,
                          const ReportWait& report) {
  AwakeTime waited(kConnectLimit + kRetryPause);
  for (bool reported = false;;) {
    for (const HostAddress& address : addresses) {
      if (accepts(address, std::min(kConnectLimit, timeout))) return address;
    }
    const Milliseconds so_far = waited.passed();
    if (so_far >= timeout) refuse(nobodyThere(place, timeout));
    if (so_far >= kReportAfter && !std::exchange(reported, true)) {
      report("Waiting for " + std::string(place.hosted_by_agent ? "torchrun" : "rank 0") + " at " + addressOf(place) +
             ".");
    }
    std::this_thread::sleep_for(std::min(kRetryPause, timeout));
  }
}

StoreConnection joinStore(const WorldPlace& place, Milliseconds timeout, const ReportWait& report) {
  const HostAddress listener =
      awaitListener(place, addressesFor("MASTER_ADDR", place.host, place.port), timeout, report);
  c10d::TCPStoreOptions options;
  options.port = place.port;
  auto store = openStore(listener.text(), options, timeout);
  if (!store) {
    throw std::runtime_error("The program that listens at " + addressOf(place) +
                             " is not rank 0 of a LaneLab run. Set MASTER_ADDR and MASTER_PORT to rank 0's machine and "
                             "to a free port there, for all ranks.");
  }
  return {std::move(*store), listener.text()};
}

}  // namespace

std::string addressOf(const WorldPlace& place) { return place.host + ":" + std::to_string(place.port); }

StoreConnection connectToStore(const WorldPlace& place, Milliseconds timeout, const ReportWait& report) {
  return place.rank == 0 && !place.hosted_by_agent ? serveStore(place, timeout) : joinStore(place, timeout, report);
}

}  // namespace lanelab
