// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/rendezvous/host_address.h"

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "base/atomic_file.h"
#include "engine/dist/rendezvous/limited_call.h"

namespace lanelab {

namespace {

FileHandle openSocket(const HostAddress& address) {
  return FileHandle(::socket(address.bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

const sockaddr* plain(const HostAddress& address) { return reinterpret_cast<const sockaddr*>(&address.bytes); }

std::string where(const std::string& host, std::uint16_t port) { return host + ":" + std::to_string(port); }

/// 0, or the number of the error. Listens at once, since several programs may bind to a port as long as none listens.
int listenAtOne(const FileHandle& socket, const HostAddress& address) {
  if (!socket.ok()) return errno;
  const int on = 1;  // a run that ended a moment ago leaves connections that still wait for late packets
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(socket.get(), plain(address), address.length) != 0) return errno;
  return ::listen(socket.get(), SOMAXCONN) == 0 ? 0 : errno;
}

Error cannotListen(int error, const std::string& host, std::uint16_t port) {
  if (error == EADDRINUSE) {
    return Error::failed(
        "Rank 0 cannot listen at {}: another program uses the port. Set MASTER_PORT to a free port of this machine, "
        "for all ranks.",
        where(host, port));
  }
  if (error == EADDRNOTAVAIL) {
    return Error::badInput(
        "Rank 0 cannot listen at {}: this machine has no such address. Set MASTER_ADDR to the machine of rank 0, or "
        "LANELAB_LISTEN_ADDR to an address of this machine.",
        where(host, port));
  }
  return Error::failed("Rank 0 cannot listen at {} ({}). Set MASTER_PORT to another port, for all ranks.",
                       where(host, port), std::strerror(error));
}

/// A socket that asks for a connection to a port of its own machine may be given that very port, and then be connected
/// to itself.
bool isItsOwnPeer(int socket) {
  HostAddress mine, theirs;
  mine.length = theirs.length = sizeof mine.bytes;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&mine.bytes), &mine.length) != 0) return false;
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&theirs.bytes), &theirs.length) != 0) return false;
  return mine.length == theirs.length && std::memcmp(&mine.bytes, &theirs.bytes, mine.length) == 0;
}

}  // namespace

std::string HostAddress::text() const {
  std::array<char, NI_MAXHOST> name{};
  return ::getnameinfo(plain(*this), length, name.data(), name.size(), nullptr, 0, NI_NUMERICHOST) == 0 ? name.data()
                                                                                                        : "";
}

int systemLookUp(const std::string& host, std::uint16_t port, std::vector<HostAddress>& found) {
  addrinfo hints{}, *list = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  if (const int error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list); error != 0)
    return error;
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(list, ::freeaddrinfo);
  for (const addrinfo* one = list; one; one = one->ai_next) {
    HostAddress& address = found.emplace_back();
    std::memcpy(&address.bytes, one->ai_addr, one->ai_addrlen);
    address.length = one->ai_addrlen;
  }
  return 0;
}

Result<std::vector<HostAddress>> addressesOf(const std::string& variable, const std::string& host, std::uint16_t port,
                                             std::chrono::milliseconds limit, const LookUp& look_up) {
  using Found = std::pair<int, std::vector<HostAddress>>;
  const auto found = withinLimit<Found>(limit, [=] {
    Found answer;
    answer.first = look_up(host, port, answer.second);
    return answer;
  });
  if (found && found->first == 0 && !found->second.empty()) return found->second;
  const std::string reason = !found              ? "no answer within " + std::to_string(limit.count() / 1000) + " s"
                             : found->first != 0 ? ::gai_strerror(found->first)
                                                 : "no address";
  return Error::badInput("{}: cannot find the machine \"{}\" ({}). Set it to the name or address of rank 0's machine.",
                         variable, host, reason);
}

Result<ListeningSocket> listenAt(const std::vector<HostAddress>& addresses, const std::string& host,
                                 std::uint16_t port) {
  int error = EADDRNOTAVAIL;
  for (const HostAddress& address : addresses) {
    FileHandle socket = openSocket(address);
    error = listenAtOne(socket, address);
    if (error == 0) return ListeningSocket{socket.release(), address};
    if (error == EADDRINUSE) break;
  }
  return cannotListen(error, host, port);
}

bool accepts(const HostAddress& address, std::chrono::milliseconds limit) {
  const FileHandle socket = openSocket(address);
  if (!socket.ok() || ::fcntl(socket.get(), F_SETFL, O_NONBLOCK) != 0) return false;
  if (::connect(socket.get(), plain(address), address.length) != 0) {
    pollfd ready{socket.get(), POLLOUT, 0};
    if (errno != EINPROGRESS || ::poll(&ready, 1, static_cast<int>(limit.count())) <= 0) return false;
  }
  int error = 0;
  socklen_t length = sizeof error;
  return ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0 &&
         !isItsOwnPeer(socket.get());
}

}  // namespace lanelab
