// SPDX-License-Identifier: GPL-3.0-only
// Where a server listens, as users and pages of jobs write it. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lanelab {

struct ServerAddress {
  std::string host;  ///< a name or an IP address; IPv6 without brackets
  int port = 0;

  std::string text() const;  ///< "node1:25999", "[::1]:25999"
  std::string url(std::string_view path) const { return "http://" + text() + std::string(path); }
  bool isThisMachine() const;  ///< by its name: localhost, 127.*, ::1
  bool operator==(const ServerAddress&) const = default;
};

/// "node1:25999", "[::1]:25999", "http://node1:25999/"; "node1" alone if there is a usual port. BadInput names what is
/// wrong.
Result<ServerAddress> readServerAddress(std::string_view text, std::optional<int> usual_port = {});

}  // namespace lanelab
