// SPDX-License-Identifier: GPL-3.0-only
// Addresses of rank 0's machine: looked up, listened at, asked whether somebody listens. All waits are limited. Thread:
// any.
#pragma once

#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanelab {

struct HostAddress {
  sockaddr_storage bytes{};
  socklen_t length = 0;
  /// "127.0.0.1", "fe80::1%eth0".
  std::string text() const;
};

/// As getaddrinfo() with a port: fills `found`, returns its error number. May block.
using LookUp = std::function<int(const std::string& host, std::uint16_t port, std::vector<HostAddress>& found)>;
int systemLookUp(const std::string& host, std::uint16_t port, std::vector<HostAddress>& found);

/// The addresses of the machine that `variable` names. BadInput names variable and machine, also when nothing was found
/// within `limit`.
Result<std::vector<HostAddress>> addressesOf(const std::string& variable, const std::string& host, std::uint16_t port,
                                             std::chrono::milliseconds limit, const LookUp& look_up = systemLookUp);

/// A socket, and the one address at which it listens.
struct ListeningSocket {
  int descriptor = -1;  ///< the caller closes it
  HostAddress address;
};

/// Listens at the first address that is one of this machine's, and at no other. Errors name address and port.
Result<ListeningSocket> listenAt(const std::vector<HostAddress>& addresses, const std::string& host,
                                 std::uint16_t port);

/// Whether a program at `address` accepts a connection within `limit`.
bool accepts(const HostAddress& address, std::chrono::milliseconds limit);

}  // namespace lanelab
