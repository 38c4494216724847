// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/gloo_group.h"

#include <netdb.h>
#include <sys/socket.h>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include <array>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "base/atomic_file.h"
#include "engine/dist/rendezvous/connection_text.h"
#include "engine/torch/devices/torch_errors.h"

namespace lanelab {

namespace {

constexpr std::chrono::seconds kGrace(10);

/// The address of this machine from which packets go to `host`: a datagram socket is given one when it is connected,
/// without a packet.
std::optional<std::string> addressToward(const std::string& host) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_DGRAM;
  if (getaddrinfo(host.c_str(), "9", &hints, &found) != 0) return std::nullopt;
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  for (const addrinfo* to = found; to; to = to->ai_next) {
    const FileHandle socket(::socket(to->ai_family, SOCK_DGRAM, 0));
    if (!socket.ok()) continue;
    sockaddr_storage mine{};
    socklen_t length = sizeof mine;
    std::array<char, NI_MAXHOST> name{};
    if (connect(socket.get(), to->ai_addr, to->ai_addrlen) == 0 &&
        getsockname(socket.get(), reinterpret_cast<sockaddr*>(&mine), &length) == 0 &&
        getnameinfo(reinterpret_cast<sockaddr*>(&mine), length, name.data(), name.size(), nullptr, 0, NI_NUMERICHOST) ==
            0)
      return std::string(name.data());
  }
  return std::nullopt;
}

/// What `make` makes; where Gloo throws, `sentence` is thrown in place of its text.
template <class Make>
auto orSentence(const Make& make, const std::string& sentence) -> decltype(make()) {
  try {
    return make();
  } catch (const std::exception& error) {
    logConnectionText(error.what());
    throw std::runtime_error(sentence);
  }
}

GlooDevices devicesOfInterfaces(const std::string& names_with_commas) {
  GlooDevices devices;
  std::istringstream names(names_with_commas);
  for (std::string name; std::getline(names, name, ',');) {
    devices.push_back(orSentence([&] { return c10d::ProcessGroupGloo::createDeviceForInterface(name); },
                                 "GLOO_SOCKET_IFNAME: this machine has no network interface \"" + name +
                                     "\" with an address. Set it to one that \"ip addr\" lists."));
  }
  return devices;
}

}  // namespace

GlooDevices glooDevicesToward(const std::string& host) {
  if (const char* const interfaces = std::getenv("GLOO_SOCKET_IFNAME"); interfaces && *interfaces)
    return devicesOfInterfaces(interfaces);
  const auto address = addressToward(host);
  if (!address)
    throw std::runtime_error(
        "The machine \"" + host +
        "\" cannot be reached. Set MASTER_ADDR to an address of rank 0's machine that this machine can reach.");
  return {orSentence([&] { return c10d::ProcessGroupGloo::createDeviceForHostname(*address); },
                     "This machine cannot listen at its address " + *address +
                         ". Set GLOO_SOCKET_IFNAME to one of its network interfaces.")};
}

GlooDevices glooDevicesWithin() { return {c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1")}; }

RetiredGroups::~RetiredGroups() { await(std::chrono::seconds(10)); }

void RetiredGroups::retire(std::function<void()> end) {
  {
    const std::lock_guard lock(m_state->mutex);
    ++m_state->open;
  }
  std::thread([state = m_state, end = std::move(end)]() mutable {
    try {
      end();
    } catch (const std::exception&) {
      // What broke was reported where it broke; here it is only discarded.
    }
    end = nullptr;
    const std::lock_guard lock(state->mutex);
    --state->open;
    state->changed.notify_all();
  }).detach();
}

bool RetiredGroups::await(std::chrono::milliseconds limit) {
  std::unique_lock lock(m_state->mutex);
  return m_state->changed.wait_for(lock, limit, [this] { return m_state->open == 0; });
}

GroupConnection::GroupConnection(std::shared_ptr<const GlooTransport> transport, const std::string& name, Maker make)
    : m_transport(std::move(transport)), m_name(name), m_state(std::make_shared<State>()) {
  std::thread([kept_transport = m_transport, state = m_state, name, make = std::move(make)] {
    c10::intrusive_ptr<c10d::Backend> group;
    std::string error;
    try {
      group = make(c10::make_intrusive<c10d::PrefixStore>(name, kept_transport->store()));
    } catch (const std::exception& thrown) {
      error = plainMessage(thrown);
    }
    const std::lock_guard lock(state->mutex);
    state->group = std::move(group);
    state->error = std::move(error);
    state->done = true;
    state->changed.notify_all();
  }).detach();
}

GroupConnection::GroupConnection(std::shared_ptr<const GlooTransport> transport, const std::string& name, int rank,
                                 int size)
    : GroupConnection(transport, name, [transport, rank, size](const c10::intrusive_ptr<c10d::Store>& store) {
        auto options = c10d::ProcessGroupGloo::Options::create(transport->timeout);
        options->devices = transport->devices;
        return c10::make_intrusive<c10d::ProcessGroupGloo>(store, rank, size, options);
      }) {}

c10::intrusive_ptr<c10d::Backend> GroupConnection::group() {
  std::optional<std::string> fault;
  const FaultBoard::Call on_fault(*m_transport->board, [&](const std::string& sentence) {
    const std::lock_guard lock(m_state->mutex);
    fault = sentence;
    m_state->changed.notify_all();
  });
  std::unique_lock lock(m_state->mutex);
  // Gloo looks at the time itself; NCCL waits for its members for ever.
  const bool in_time = m_state->changed.wait_for(lock, m_transport->timeout + kGrace,
                                                 [&] { return m_state->done || m_state->given_up || fault; });
  if (m_state->given_up) throw std::runtime_error("It was closed");
  if (m_state->group) return m_state->group;
  if (fault) throw std::runtime_error(*fault);
  const std::string why = in_time ? m_state->error : "not all members came in time";
  lock.unlock();
  throw std::runtime_error(m_transport->cause("the group " + m_name + " did not come together: " + why));
}

void GroupConnection::giveUp() {
  const std::lock_guard lock(m_state->mutex);
  m_state->given_up = true;
  m_state->changed.notify_all();
}

}  // namespace lanelab
